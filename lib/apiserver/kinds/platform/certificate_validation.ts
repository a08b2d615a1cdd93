// Mirrors `certificates/validation/validation.go, validateCertificateSigningRequest`.
import { X509Certificate } from "node:crypto";
import { errorText } from "@xca/apimachinery/base";
import {
  declared,
  duplicate,
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import { goQuote } from "@xca/apimachinery/internal/values";
import type { V1CertificateSigningRequest } from "@xca/apimachinery/kubernetes-types";
import { sameValue } from "../../validation/immutable.ts";
import { readCertificationRequest } from "@xca/apimachinery/internal/pki";
import { validateSignerName } from "./signer_name.ts";

/** The spec of a CertificateSigningRequest. */
export type Request = V1CertificateSigningRequest["spec"];
/** A condition of a CertificateSigningRequest. */
export type Condition = NonNullable<
  NonNullable<V1CertificateSigningRequest["status"]>["conditions"]
>[number];

/** A record of the changes to a CertificateSigningRequest that a subresource allows. */
export interface Allowed {
  /**
   * Sets whether a write may add or change conditions that approve or deny the request.
   *
   * @default {false}
   */
  readonly mayDecide?: boolean;
  /**
   * Sets whether a write may set the certificate in the request's status, if the stored request has
   * none.
   *
   * @default {false}
   */
  readonly mayIssue?: boolean;
}

const SPEC = FieldPath.of("spec");
const CONDITIONS = FieldPath.of("status", "conditions");
const CERTIFICATE = FieldPath.of("status", "certificate");
const LEGACY_SIGNER = "kubernetes.io/legacy-unknown";
const DECISIONS = ["Approved", "Denied"];
const FINAL = [...DECISIONS, "Failed"];
const USAGES = [
  "any",
  "cert sign",
  "client auth",
  "code signing",
  "content commitment",
  "crl sign",
  "data encipherment",
  "decipher only",
  "digital signature",
  "email protection",
  "encipher only",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "key agreement",
  "key encipherment",
  "microsoft sgc",
  "netscape sgc",
  "ocsp signing",
  "s/mime",
  "server auth",
  "signing",
  "timestamping",
];

/**
 * Validates a CertificateSigningRequest (`certificates/validation/validation.go`,
 * `validateCertificateSigningRequest`). Some faults are accepted if `old`, the stored request, has
 * a fault of the same kind, even with another value: unknown usages, duplicate usages, conditions
 * with duplicate types, with an empty type, or with both decisions. An unchanged certificate and an
 * unchanged legacy signer name are accepted too.
 */
export function validateRequest(
  { spec, status }: V1CertificateSigningRequest,
  old: V1CertificateSigningRequest | undefined,
): FieldError[] {
  const { request = "", signerName = "", expirationSeconds: seconds } = spec;
  const errors: FieldError[] = [];
  try {
    readCertificationRequest(request);
  } catch (error) {
    errors.push(invalid(SPEC.child("request"), request, errorText(error)));
  }
  errors.push(...validateUsages(spec.usages ?? [], old?.spec.usages ?? []));
  if (signerName === LEGACY_SIGNER && old?.spec.signerName !== LEGACY_SIGNER) {
    const detail = "the legacy signerName is not allowed via this API version";
    errors.push(invalid(SPEC.child("signerName"), signerName, detail));
  } else errors.push(...validateSignerName(SPEC.child("signerName"), signerName));
  if (seconds !== undefined && seconds < 600) {
    const detail = "may not specify a duration less than 600 seconds (10 minutes)";
    errors.push(invalid(SPEC.child("expirationSeconds"), seconds, detail));
  }
  errors.push(...validateConditions(status?.conditions ?? [], old?.status?.conditions ?? []));
  const { certificate = "" } = status ?? {};
  if (certificate !== (old?.status?.certificate ?? "")) {
    const problem = certificateProblem(certificate);
    if (problem !== undefined) errors.push(invalid(CERTIFICATE, "<certificate data>", problem));
  }
  return errors;
}

function validateUsages(usages: readonly string[], old: readonly string[]): FieldError[] {
  const path = SPEC.child("usages");
  if (usages.length === 0) return [required(path)];
  const hadUnknown = old.some((usage) => !USAGES.includes(usage));
  const hadTwice = new Set(old).size < old.length;
  const unknown = hadUnknown
    ? []
    : usages.flatMap((usage, index) =>
      USAGES.includes(usage) ? [] : [notSupported(path.index(index), usage, USAGES)]
    );
  const twice = hadTwice
    ? []
    : usages.flatMap((usage, index) =>
      usages.indexOf(usage) < index ? [duplicate(path.index(index), usage)] : []
    );
  return [...unknown, ...twice];
}

function validateConditions(
  conditions: readonly Condition[],
  old: readonly Condition[],
): FieldError[] {
  const types = old.map(({ type }) => type);
  const hadBoth = DECISIONS.every((type) => types.includes(type));
  const hadTwice = new Set(types).size < types.length;
  const hadNone = types.includes("");
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { type = "", status = "" }] of conditions.entries()) {
    const at = CONDITIONS.index(index);
    if (type === "" && !hadNone) errors.push(required(at.child("type")));
    const statuses = FINAL.includes(type) ? ["True"] : ["False", "True", "Unknown"];
    if (status === "") errors.push(required(at.child("status")));
    else if (!statuses.includes(status)) {
      errors.push(notSupported(at.child("status"), status, statuses));
    }
    if (seen.has(type) && !hadTwice) errors.push(duplicate(at.child("type"), type));
    seen.add(type);
  }
  if (!hadBoth && DECISIONS.every((type) => seen.has(type))) {
    const both = DECISIONS.map((type) => `conditions[{"type": ${goQuote(type)}}]`);
    const detail = `must specify at most one of: ${both.map((each) => `\`${each}\``).join(", ")}`;
    errors.push(...declared(invalid(CONDITIONS, `{${both.join(", ")}}`, detail)));
  }
  return errors;
}

/**
 * Returns the reason why the issued certificates of a signing request (PEM text in base64) are
 * invalid; `undefined` if they are valid or absent.
 */
function certificateProblem(certificate: string): string | undefined {
  if (certificate === "") return undefined;
  const blocks = [
    ...atob(certificate).matchAll(/-----BEGIN ([^-\n]+)-----\r?\n([\s\S]*?)-----END \1-----/g),
  ];
  for (const [text, type, content] of blocks) {
    if (type !== "CERTIFICATE") {
      return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(type!)}`;
    }
    if (content!.includes(":")) return "no PEM block headers are permitted";
    try {
      new X509Certificate(text);
    } catch {
      return "x509: malformed certificate";
    }
  }
  return blocks.length > 0 ? undefined : "must contain at least one CERTIFICATE PEM block";
}

/**
 * Validates an update of a CertificateSigningRequest: the updated object itself, and the changes,
 * which must be `Allowed`. No subresource may remove conditions of the types `Approved`, `Denied`
 * and `Failed`, or replace a certificate.
 */
export function validateRequestChange(
  object: V1CertificateSigningRequest,
  old: V1CertificateSigningRequest,
  { mayDecide = false, mayIssue = false }: Allowed,
): FieldError[] {
  const errors = validateRequest(object, old);
  const pick = ({ status }: V1CertificateSigningRequest, type: string): Condition[] =>
    (status?.conditions ?? []).filter((each) => each.type === type);
  const refuse = (what: string, type: string): void => {
    const detail = `updates may not ${what} a condition of type ${goQuote(type)}`;
    errors.push(forbiddenField(CONDITIONS, detail));
  };
  for (const type of FINAL) {
    if (pick(object, type).length < pick(old, type).length) refuse("remove", type);
  }
  for (const type of mayDecide ? [] : DECISIONS) {
    const [now, before] = [pick(object, type), pick(old, type)];
    if (now.length > before.length) refuse("add", type);
    else if (now.length === before.length && !sameValue(now, before)) refuse("modify", type);
  }
  const [now, before] = [object.status?.certificate ?? "", old.status?.certificate ?? ""];
  if (now !== before && !mayIssue) {
    errors.push(forbiddenField(CERTIFICATE, "updates may not set certificate content"));
  } else if (now !== before && before !== "") {
    const detail = "updates may not modify existing certificate content";
    errors.push(forbiddenField(CERTIFICATE, detail));
  }
  return errors;
}
