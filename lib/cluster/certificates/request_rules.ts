// Mirrors `apis/certificates/helpers.go, ValidateKubeletServingCSR` and `ValidateKubeletClientCSR`, and
// `controller/certificates/signer/signer.go, validAPIServerClientUsages`.
import type { CertificationRequest } from "@xca/apimachinery/internal/pki";
import { SIGNER } from "./signing_request.ts";

const NODES = "system:nodes";
const NODE_PREFIX = "system:node:";
const SERVING_USAGES = ["digital signature", "key encipherment", "server auth"];
const CLIENT_USAGES = ["client auth", "digital signature", "key encipherment"];
/** The key usage that a certificate request may omit, since only RSA keys need it. */
const RSA_USAGE = "key encipherment";

type Rule = (request: CertificationRequest, usages: readonly string[]) => string | undefined;

/**
 * A record of the validation rules by signer name. A rule is a function that returns the reason why
 * a certificate request is refused, or `undefined`.
 */
const RULES: Readonly<Record<string, Rule>> = {
  [SIGNER.apiserverClient]: (_, usages) => faultOfClientUsages(usages),
  [SIGNER.kubeletClient]: faultOfKubeletClient,
  [SIGNER.kubeletServing]: faultOfKubeletServing,
  [SIGNER.legacyUnknown]: () => undefined,
};

/**
 * Returns the function that validates the certificate requests of a signer; `undefined` for a
 * signer that is not built into Kubernetes.
 */
export function ruleOf(signerName: string): Rule | undefined {
  return Object.hasOwn(RULES, signerName) ? RULES[signerName] : undefined;
}

/**
 * Returns the reason why a certificate request is invalid for a kubelet's client certificate;
 * `undefined` if it is valid.
 */
export function faultOfKubeletClient(
  { commonName, names, organizations }: CertificationRequest,
  usages: readonly string[],
): string | undefined {
  if (!isOfNodes(organizations)) return "subject organization is not system:nodes";
  if (names.dns.length > 0) return "DNS subjectAltNames are not allowed";
  if (names.emails.length > 0) return "Email subjectAltNames are not allowed";
  if (names.ips.length > 0) return "IP subjectAltNames are not allowed";
  if (names.uris.length > 0) return "URI subjectAltNames are not allowed";
  return faultOfCommonName(commonName) ?? faultOfUsages(usages, CLIENT_USAGES);
}

function faultOfKubeletServing(
  { commonName, names, organizations }: CertificationRequest,
  usages: readonly string[],
): string | undefined {
  if (!isOfNodes(organizations)) return "subject organization is not system:nodes";
  if (names.dns.length + names.ips.length === 0) return "DNS or IP subjectAltName is required";
  if (names.emails.length > 0) return "Email subjectAltNames are not allowed";
  if (names.uris.length > 0) return "URI subjectAltNames are not allowed";
  return faultOfUsages(usages, SERVING_USAGES) ?? faultOfCommonName(commonName);
}

function isOfNodes(organizations: readonly string[]): boolean {
  return organizations.length === 1 && organizations[0] === NODES;
}

function faultOfCommonName(commonName: string): string | undefined {
  return commonName.startsWith(NODE_PREFIX)
    ? undefined
    : "subject common name does not begin with system:node:";
}

function faultOfUsages(usages: readonly string[], wanted: readonly string[]): string | undefined {
  const given = new Set(usages);
  const isSet = (all: readonly string[]): boolean =>
    all.length === given.size && all.every((usage) => given.has(usage));
  if (isSet(wanted) || isSet(wanted.filter((usage) => usage !== RSA_USAGE))) return undefined;
  return `usages did not match [${wanted.join(" ")}]`;
}

function faultOfClientUsages(usages: readonly string[]): string | undefined {
  const allowed = ["digital signature", RSA_USAGE, "client auth"];
  const other = usages.find((usage) => !allowed.includes(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes("client auth")
    ? undefined
    : "missing required usage for client certificate: client auth";
}
