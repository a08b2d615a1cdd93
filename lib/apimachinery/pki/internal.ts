/**
 * Internals of `@xca/apimachinery/pki` for the other packages of this repository. Not public API:
 * no compatibility is promised.
 *
 * @module
 */
export { freshSigningKey, kubeconfigKey } from "./key_pair.ts";
export { alternativeNames, isSignedBy } from "./check_pair.ts";
export {
  type CertificationRequest,
  checkCertificationRequest,
  readCertificationRequest,
  requestedKey,
  type RequestProblem,
} from "./certification_request.ts";
export { type GeneralNames } from "./general_names.ts";
export { issueCertificate, type IssueOptions } from "./issued_certificate.ts";
export { certificatesIn } from "./pem_blocks.ts";
export { type JsonWebKey, parseToken, TokenKey } from "./json_web_token.ts";
export {
  LEGACY_CLAIMS,
  LEGACY_ISSUER,
  type LegacyClaims,
  signLegacyToken,
} from "./legacy_token.ts";
