/**
 * Certificates: an authority that signs, pairs of certificate and key, what is wrong with one. They
 * are written here, in a page of DER, since loading a library for it takes longer than all else that
 * a server does until it is ready; reading and cryptography are the runtime's.
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
