import {
  declared,
  type FieldError,
  FieldPath,
  forbiddenField,
  required,
  tooLong,
} from "@xca/apimachinery/internal/errors";
import {
  caselessSubdomainProblems,
  invalidForEach,
  subdomainNameProblems,
} from "@xca/apimachinery/internal/validation";
import type { V1VolumeAttachment } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { declareImmutable } from "../../validation/immutable.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

const SPEC = FieldPath.of("spec");
const MAX_ATTACHER = 63;

/**
 * The strategy of VolumeAttachments, which prepares objects for storage and validates writes
 * (registry/storage/volumeattachment, `Strategy`).
 */
export const volumeAttachmentStrategy: KindStrategy = typedStrategy<V1VolumeAttachment>({
  prepareForCreate(attachment) {
    attachment.status = { attached: false };
  },
  validateCreate: validate,
  prepareForUpdate(attachment, old) {
    attachment.status = old.status ?? { attached: false };
  },
  validateUpdate: (attachment, old) => [
    ...validate(attachment),
    ...declareImmutable(attachment.spec, old.spec, SPEC),
  ],
  status: {
    prepareForUpdate(attachment, old) {
      attachment.spec = old.spec;
      const { labels: _1, annotations: _2, finalizers: _3, ownerReferences: _4, ...rest } =
        attachment.metadata;
      const { labels, annotations, finalizers, ownerReferences } = old.metadata;
      attachment.metadata = {
        ...rest,
        ...(labels && { labels }),
        ...(annotations && { annotations }),
        ...(finalizers && { finalizers }),
        ...(ownerReferences && { ownerReferences }),
      };
    },
    validateUpdate: validate,
  },
  allowUnconditionalUpdate: false,
});

/**
 * Validates the driver name of a VolumeAttachment. The errors are marked as errors of declarative
 * rules.
 */
function validateAttacher(attacher: string): FieldError[] {
  const path = SPEC.child("attacher");
  if (attacher === "") return declared(required(path));
  const errors = invalidForEach(path, attacher, caselessSubdomainProblems(attacher));
  if ([...attacher].length > MAX_ATTACHER) errors.push(tooLong(path, MAX_ATTACHER, "character"));
  return declared(...errors);
}

function validate({ spec }: V1VolumeAttachment): FieldError[] {
  const { attacher = "", nodeName = "", source = {} } = spec ?? {};
  const errors = validateAttacher(attacher);
  const path = SPEC.child("source");
  const { inlineVolumeSpec, persistentVolumeName: volume } = source;
  const one = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  if (inlineVolumeSpec && volume !== undefined) errors.push(forbiddenField(path, one));
  else if (!inlineVolumeSpec && volume === undefined) errors.push(required(path, one));
  else if (volume === "") {
    const detail = "must specify non empty persistentVolumeName";
    errors.push(required(path.child("persistentVolumeName"), detail));
  }
  const problems = subdomainNameProblems(nodeName, false);
  errors.push(...invalidForEach(SPEC.child("nodeName"), nodeName, problems));
  if (volume !== undefined) {
    const at = FieldPath.of("spec.source.persistentVolumeName");
    errors.push(...invalidForEach(at, volume, subdomainNameProblems(volume, false)));
  }
  return errors;
}
