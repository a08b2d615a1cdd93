import {
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  dnsSubdomainProblems,
  invalidForEach,
  subdomainNameProblems,
} from "@xca/apimachinery/internal/validation";
import type { V1VolumeAttachment } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { sameValue } from "../../validation/immutable.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

const SPEC = FieldPath.of("spec");

/** The strategy of VolumeAttachments (registry/storage/volumeattachment, `Strategy`). */
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
    ...sameValue(attachment.spec, old.spec)
      ? []
      : [invalid(SPEC, shownSpec(attachment), "field is immutable")],
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

/** Returns the spec as the internal type is printed. */
function shownSpec({ spec: { attacher, source, nodeName } }: V1VolumeAttachment): unknown {
  const { persistentVolumeName = null, inlineVolumeSpec = null } = source;
  return {
    Attacher: attacher,
    Source: { PersistentVolumeName: persistentVolumeName, InlineVolumeSpec: inlineVolumeSpec },
    NodeName: nodeName,
  };
}

function validate({ spec }: V1VolumeAttachment): FieldError[] {
  const { attacher = "", nodeName = "", source = {} } = spec ?? {};
  const errors: FieldError[] = [];
  if (attacher === "") errors.push(required(SPEC.child("attacher")));
  else {
    const name = attacher.toLowerCase();
    errors.push(...invalidForEach(SPEC.child("attacher"), name, dnsSubdomainProblems(name)));
  }
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
