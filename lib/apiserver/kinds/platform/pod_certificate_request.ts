import { Buffer } from "node:buffer";
import {
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
  tooLong,
} from "@xca/apimachinery/internal/errors";
import {
  byteLength,
  invalidForEach,
  subdomainNameProblems,
} from "@xca/apimachinery/internal/validation";
import type { V1PodCertificateRequest } from "@xca/apimachinery/kubernetes-types";
import { keepMetadata } from "../../machinery/keep_metadata.ts";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { checkCertificationRequest } from "@xca/apimachinery/internal/pki";
import { validateConditions } from "../../validation/conditions.ts";
import { IMMUTABLE, sameValue } from "../../validation/immutable.ts";
import { omitValue } from "../jobs/omit_value.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { isKubernetesSigner, validateSignerName } from "./signer_name.ts";
import { validateUserAnnotations } from "./user_annotations.ts";
import { validateIssuedChain } from "./issued_chain.ts";

type Spec = V1PodCertificateRequest["spec"];
type Status = NonNullable<V1PodCertificateRequest["status"]>;

const SPEC = FieldPath.of("spec");
const STATUS = FieldPath.of("status");
const MAX_UID = 128;
const MAX_REQUEST = 10 * 1024;
const LEAST_SECONDS = 3600;
const OUTCOMES = ["Issued", "Denied", "Failed"];

/**
 * The strategy of PodCertificateRequests, which sets defaults, prepares objects for storage and
 * validates writes (registry/certificates/podcertificaterequest, `NewStrategy`).
 */
export const podCertificateRequestStrategy: KindStrategy = typedStrategy<V1PodCertificateRequest>({
  defaults(request) {
    request.spec.maxExpirationSeconds ??= 86_400;
  },
  prepareForCreate(request) {
    request.status = {};
  },
  validateCreate: ({ spec }) => validateSpec(spec),
  prepareForUpdate(request, old) {
    request.status = old.status ?? {};
  },
  validateUpdate: ({ spec }, old) =>
    sameValue(spec, old.spec) ? [] : [invalid(SPEC, spec, IMMUTABLE)],
  status: {
    prepareForUpdate(request, old) {
      request.spec = old.spec;
      keepMetadata(request, old);
    },
    validateUpdate: (request, old, { now }) => validateStatus(request, old, now),
  },
  metadataOfUpdate: "change",
  allowUnconditionalUpdate: false,
  selectableFields: ({ spec }) => ({
    "spec.signerName": spec?.signerName ?? "",
    "spec.podName": spec?.podName ?? "",
    "spec.nodeName": spec?.nodeName ?? "",
  }),
  selectableFieldNames: ["spec.signerName", "spec.podName", "spec.nodeName"],
  resetFields: [["status"]],
  statusResetFields: [["metadata"], ["spec"]],
});

function validateSpec(spec: Spec): FieldError[] {
  const { signerName = "", maxExpirationSeconds: seconds, unverifiedUserAnnotations } = spec;
  const errors = validateSignerName(SPEC.child("signerName"), signerName);
  if (unverifiedUserAnnotations) {
    const path = SPEC.child("unverifiedUserAnnotations");
    errors.push(...validateUserAnnotations(unverifiedUserAnnotations, path));
  }
  for (const owner of ["pod", "serviceAccount", "node"] as const) {
    const name = spec[`${owner}Name`] ?? "";
    const path = SPEC.child(`${owner}Name`);
    errors.push(...invalidForEach(path, name, subdomainNameProblems(name, false)));
    errors.push(...validateUid(spec[`${owner}UID`] ?? "", SPEC.child(`${owner}UID`)));
  }
  if (seconds === undefined) {
    return [...errors, required(SPEC.child("maxExpirationSeconds"), "must be set")];
  }
  const most = (isKubernetesSigner(signerName) ? 1 : 91) * 86_400;
  if (seconds < LEAST_SECONDS || seconds > most) {
    const detail = `must be in the range [${LEAST_SECONDS}, ${most}]`;
    errors.push(invalid(SPEC.child("maxExpirationSeconds"), seconds, detail));
  }
  return [...errors, ...validateStub(spec.stubPKCS10Request ?? "")];
}

function validateUid(uid: string, path: FieldPath): FieldError[] {
  if (uid === "") return [invalid(path, uid, "must not be empty")];
  return byteLength(uid) > MAX_UID ? [tooLong(path, MAX_UID)] : [];
}

function validateStub(request: string): FieldError[] {
  if (request === "") {
    const detail =
      "exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set";
    return [omitValue(invalid(SPEC, "", detail))];
  }
  const path = SPEC.child("stubPKCS10Request");
  const bytes = Buffer.from(request, "base64");
  if (bytes.length > MAX_REQUEST) return [tooLong(path, MAX_REQUEST)];
  const found = checkCertificationRequest(bytes);
  if (found === undefined) return [];
  const { value, problem } = found;
  return [
    value === undefined ? omitValue(invalid(path, "", problem)) : invalid(path, value, problem),
  ];
}

function validateStatus(
  { spec, status = {} }: V1PodCertificateRequest,
  old: V1PodCertificateRequest,
  now: Date,
): FieldError[] {
  const errors = [
    ...validateOutcomes(status),
    ...validateConditions(status.conditions, STATUS.child("conditions")),
  ];
  if (errors.length > 0) return errors;
  const before = old.status ?? {};
  const refuse = (detail: string): FieldError[] => [omitValue(invalid(STATUS, "", detail))];
  if (OUTCOMES.some((type) => has(before, type))) {
    if (sameValue(status, before)) return [];
    return refuse("immutable after PodCertificateRequest is issued, denied, or failed");
  }
  if (has(status, "Denied") || has(status, "Failed")) {
    const { conditions: _, ...others } = status;
    if (Object.keys(others).length === 0) return [];
    return refuse(
      "non-condition status fields must be empty when denying or failing the PodCertificateRequest",
    );
  }
  if (has(status, "Issued")) return validateIssuedChain(status, spec, now);
  if (sameValue(status, before)) return [];
  return refuse('status is immutable unless transitioning to "Issued", "Denied", or "Failed"');
}

function has({ conditions = [] }: Status, type: string): boolean {
  return conditions.some((each) => each.type === type && each.status === "True");
}

/**
 * Checks that a PodCertificateRequest has at most one condition that states the outcome (`Issued`,
 * `Denied` or `Failed`), with the status `True`, and no other condition. Returns the field errors.
 */
function validateOutcomes({ conditions = [] }: Status): FieldError[] {
  const errors: FieldError[] = [];
  let known = 0;
  for (const [index, { type = "", status = "" }] of conditions.entries()) {
    // kube-apiserver writes the index as a field of its own.
    const at = STATUS.child("conditions", `[${index}]`);
    if (!OUTCOMES.includes(type)) {
      errors.push(notSupported(at.child("type"), type, OUTCOMES));
      continue;
    }
    if (++known > 1) {
      const detail = 'There may be at most one condition with type "Issued", "Denied", or "Failed"';
      errors.push(invalid(at.child("type"), type, detail));
    }
    if (status !== "True") errors.push(notSupported(at.child("status"), status, ["True"]));
  }
  return errors;
}
