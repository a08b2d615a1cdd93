/**
 * Internals of `@xca/apimachinery/pki` for the other packages of this repository. Not public API:
 * no compatibility is promised.
 *
 * @module
 */
export { freshSigningKey, kubeconfigKey } from "./key_pair.ts";
export { alternativeNames, isSignedBy } from "./check_pair.ts";
export { certificatesIn } from "./pem_blocks.ts";
export { type JsonWebKey, parseToken, TokenKey } from "./json_web_token.ts";
export {
  LEGACY_CLAIMS,
  LEGACY_ISSUER,
  type LegacyClaims,
  signLegacyToken,
} from "./legacy_token.ts";
