/**
 * Certificates: an authority that signs them, keys, and checks of a certificate with its key.
 * Certificates are encoded without a library, since loading one takes longer than the rest of a
 * server's start. The runtime decodes them and does the cryptography.
 *
 * @module
 */
export {
  CertificateAuthority,
  type CertificateAuthorityOptions,
  type SignOptions,
} from "./certificate_authority.ts";
export {
  type CertificateFacts,
  checkPair,
  type PairDemands,
  parseCertificate,
} from "./check_pair.ts";
export { generateSigningKey, type KeyKind, type SigningKey } from "./key_pair.ts";
export type { PemPair } from "./pem.ts";
