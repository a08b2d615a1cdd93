// Mirrors `core/validation/validation.go, validateProjectionSources`.
import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import { invalidForEach, validateLabelSelector } from "@xca/apimachinery/internal/validation";
import { trustBundleNameProblems } from "../../platform/cluster_trust_bundle.ts";
import { isKubernetesSigner, validateSignerName } from "../../platform/signer_name.ts";
import { validateUserAnnotations } from "../../platform/user_annotations.ts";
import { internalForm } from "../common/internal_form.ts";
import { localPathProblems } from "../common/paths.ts";
import type { Volume } from "../common/pod_types.ts";

type Source = NonNullable<NonNullable<Volume["projected"]>["sources"]>[number];
type TrustBundle = NonNullable<Source["clusterTrustBundle"]>;
type Certificate = NonNullable<Source["podCertificate"]>;

const KEY_TYPES = ["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];
const DAY_SECONDS = 86_400;

/**
 * A function that records the path of a projected file, and returns a list: with an error if
 * another file of the volume has the path already, otherwise empty.
 */
export type ClaimPath = (file: string) => FieldError[];

/**
 * Validates the projection of a ClusterTrustBundle into a volume (`core/validation/validation.go`,
 * `validateProjectionSources`).
 */
export function validateTrustBundle(
  bundle: TrustBundle | undefined,
  path: FieldPath,
  claim: ClaimPath,
): FieldError[] {
  if (!bundle) return [];
  const file = bundle.path ?? "";
  return [
    ...validateBundleSource(bundle, path),
    ...file === "" ? [required(path.child("path"))] : [],
    ...invalidForEach(path.child("path"), file, localPathProblems(file)),
    ...claim(file),
  ];
}

function validateBundleSource(bundle: TrustBundle, path: FieldPath): FieldError[] {
  const { name, signerName, labelSelector } = bundle;
  if (name !== undefined && signerName !== undefined) {
    const shown = internalForm("ClusterTrustBundleProjection", bundle);
    return [invalid(path, shown, "only one of name and signerName may be used")];
  }
  if (name !== undefined) {
    const at = path.child("name");
    const errors = name === "" ? [required(at, "must be a valid object name")] : [];
    const signer = name.includes(":") ? name.slice(0, name.lastIndexOf(":")) : "";
    for (const problem of trustBundleNameProblems(name, signer.replaceAll(":", "/"))) {
      errors.push(invalid(at, name, `not a valid clustertrustbundlename: ${problem}`));
    }
    if (!labelSelector) return errors;
    const detail = "labelSelector must be unset if name is specified";
    return [...errors, invalid(path.child("labelSelector"), labelSelector, detail)];
  }
  if (signerName === undefined) {
    return [required(path, "either name or signerName must be specified")];
  }
  const at = path.child("signerName");
  return [
    ...signerName === "" ? [required(at, "must be a valid signer name")] : [],
    ...validateSignerName(at, signerName),
    ...validateLabelSelector(labelSelector, path.child("labelSelector")),
  ];
}

/** Validates the projection of a pod certificate into a volume. */
export function validatePodCertificate(
  certificate: Certificate | undefined,
  path: FieldPath,
  claim: ClaimPath,
): FieldError[] {
  if (!certificate) return [];
  const { signerName = "", keyType = "", userAnnotations, maxExpirationSeconds } = certificate;
  const errors = validateSignerName(path.child("signerName"), signerName);
  if (userAnnotations) {
    errors.push(...validateUserAnnotations(userAnnotations, path.child("userAnnotations")));
  }
  if (!KEY_TYPES.includes(keyType)) {
    errors.push(notSupported(path.child("keyType"), keyType, KEY_TYPES));
  }
  if (maxExpirationSeconds !== undefined) {
    const at = path.child("maxExpirationSeconds");
    errors.push(...validateSeconds(maxExpirationSeconds, signerName, at));
  }
  const fields = ["credentialBundlePath", "keyPath", "certificateChainPath"] as const;
  for (const field of fields) {
    const file = certificate[field];
    if (!file) continue;
    errors.push(
      ...invalidForEach(path.child(field), file, localPathProblems(file)),
      ...claim(file),
    );
  }
  if (fields.some((field) => certificate[field])) return errors;
  const detail = "specify at least one of credentialBundlePath, keyPath, and certificateChainPath";
  return [...errors, required(path, detail)];
}

function validateSeconds(seconds: number, signerName: string, path: FieldPath): FieldError[] {
  const most = (isKubernetesSigner(signerName) ? 1 : 91) * DAY_SECONDS;
  const prefix = "if provided, maxExpirationSeconds must be";
  return [
    ...seconds < 3600 ? [invalid(path, seconds, `${prefix} >= 3600`)] : [],
    ...seconds > most ? [invalid(path, seconds, `${prefix} <= ${most}`)] : [],
  ];
}
