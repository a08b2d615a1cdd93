// Mirrors `certificates/validation/validation.go, validateStubPKCS10Request`.

/**
 * Parses the parts of PKCS #10 certification requests that are validated and signed.
 *
 * @see RFC 2986
 * @module
 */
import { Buffer } from "node:buffer";
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { type DerValue, derValues, TAG } from "./der_reader.ts";
import { type GeneralNames, generalNames } from "./general_names.ts";
import { ATTRIBUTE, attributesOf, encodedName } from "./subject_name.ts";

/** The parsed fields of a PKCS #10 certification request. */
export interface CertificationRequest {
  /**
   * The last common name of the certification request's subject, which becomes the name of a user;
   * empty if the subject has no common name.
   */
  readonly commonName: string;
  /** The organizations of the certification request's subject, which become groups of a user. */
  readonly organizations: readonly string[];
  /** The alternative names of the certification request's subject. */
  readonly names: GeneralNames;
  /** The subject of the certification request, DER-encoded as in a certificate. */
  readonly subject: Uint8Array;
  /** The public key (SubjectPublicKeyInfo) in the certification request, in DER. */
  readonly publicKey: Uint8Array;
}

const HASHES: Readonly<Record<string, string>> = {
  "2a864886f70d01010b": "sha256",
  "2a864886f70d01010c": "sha384",
  "2a864886f70d01010d": "sha512",
  "2a8648ce3d040302": "sha256",
  "2a8648ce3d040303": "sha384",
  "2a8648ce3d040304": "sha512",
};
const ED25519 = "2b6570";
/**
 * The object identifier 1.2.840.113549.1.9.14 (extensionRequest) in DER, without tag and length, in
 * hex.
 */
const EXTENSION_REQUEST = "2a864886f70d01090e";
/** The object identifier 2.5.29.17 (subjectAltName) in DER, without tag and length, in hex. */
const ALTERNATIVE_NAMES = "551d11";

/**
 * Parses a PKCS #10 certification request from base64 of its PEM text, and verifies its signature.
 *
 * @throws {Error} If the request is invalid or not signed by its key; the message is that of
 * kube-apiserver, unless the base64 or the key is malformed.
 */
export function readCertificationRequest(request: string): CertificationRequest {
  const pem = /-----BEGIN ([^-\n]+)-----\r?\n((?:(?!-----BEGIN )[\s\S])*?)-----END \1-----/.exec(
    atob(request),
  );
  if (pem?.[1] !== "CERTIFICATE REQUEST") {
    throw new Error("PEM block type must be CERTIFICATE REQUEST");
  }
  const { signed, subject, key, attributes, id, signature } = partsOf(
    Buffer.from(pem[2]!.replace(/^[^\n]*:[^\n]*$/gm, ""), "base64"),
  );
  checkSignature(signed, key, id, signature);
  return {
    commonName: attributesOf(subject.content, ATTRIBUTE.commonName).at(-1) ?? "",
    organizations: attributesOf(subject.content, ATTRIBUTE.organization),
    names: generalNames(requestedExtension(attributes, ALTERNATIVE_NAMES)),
    subject: encodedName(subject.content),
    publicKey: key.whole,
  };
}

/**
 * The description of a problem of a certification request, and the value to show in the error, if
 * any.
 */
export interface RequestProblem {
  readonly value?: string;
  readonly problem: string;
}

/**
 * Checks the key and the signature of the certification request of a PodCertificateRequest, in DER
 * (`validateStubPKCS10Request`). Returns the first problem; `undefined` when there is none.
 */
export function checkCertificationRequest(bytes: Uint8Array): RequestProblem | undefined {
  let parts: RequestParts;
  let key: KeyObject;
  try {
    parts = partsOf(Buffer.from(bytes));
    key = publicKeyOf(parts.key);
  } catch {
    return { problem: "must be a valid PKCS#10 CSR" };
  }
  const problem = keyProblem(key);
  if (problem) return problem;
  try {
    checkSignature(parts.signed, parts.key, parts.id, parts.signature);
    return undefined;
  } catch {
    return { problem: "invalid signature" };
  }
}

/**
 * Returns the public key (DER) that a certification request (DER) asks a certificate for. The
 * signature is not verified.
 *
 * @throws {Error} When the bytes are not a certification request.
 */
export function requestedKey(bytes: Uint8Array): Uint8Array {
  return partsOf(Buffer.from(bytes)).key.whole;
}

const CURVES: Readonly<Record<string, string>> = {
  "prime256v1": "P-256",
  "secp384r1": "P-384",
  "secp521r1": "P-521",
};

function keyProblem(key: KeyObject): RequestProblem | undefined {
  const {
    asymmetricKeyType: type,
    asymmetricKeyDetails: { namedCurve = "", modulusLength = 0 } = {},
  } = key;
  if (type === "ed25519") return undefined;
  if (type === "ec") {
    if (CURVES[namedCurve]) return undefined;
    const problem = "elliptic public keys must use curve P256, P384, or P521";
    return { value: `curve ${namedCurve}`, problem };
  }
  if (type === "rsa") {
    if (modulusLength === 3072 || modulusLength === 4096) return undefined;
    const problem = "RSA keys must have modulus size 3072 or 4096";
    return { value: `${modulusLength}-bit modulus`, problem };
  }
  return { problem: "unknown public key type; supported types are Ed25519, ECDSA, and RSA" };
}

interface RequestParts {
  readonly signed: Buffer;
  readonly subject: DerValue;
  readonly key: DerValue;
  /** The attributes of the certification request, such as the requested extensions. */
  readonly attributes: DerValue | undefined;
  readonly id: DerValue;
  readonly signature: DerValue;
}

function partsOf(bytes: Buffer): RequestParts {
  const whole = derValues(bytes)[0];
  const parts = whole?.tag === TAG.sequence ? derValues(whole.content) : [];
  const [info, algorithm, signature] = parts;
  if (parts.length !== 3 || info!.tag !== TAG.sequence || signature!.tag !== TAG.bitString) {
    throw new Error("asn1: structure error: tags don't match");
  }
  const [, subject, key, attributes] = derValues(info!.content);
  const [id] = derValues(algorithm!.content);
  if (!subject || !key || !id) throw new Error("asn1: structure error: sequence truncated");
  return { signed: info!.whole, subject, key, attributes, id, signature: signature! };
}

function publicKeyOf(key: DerValue): KeyObject {
  return createPublicKey({ key: key.whole, format: "der", type: "spki" });
}

function checkSignature(signed: Buffer, key: DerValue, id: DerValue, signature: DerValue): void {
  const name = id.content.toString("hex");
  const hash = HASHES[name];
  if (hash === undefined && name !== ED25519) {
    throw new Error("x509: cannot verify signature: algorithm unimplemented");
  }
  const publicKey = publicKeyOf(key);
  // The first byte of a bit string is the number of unused bits at its end.
  if (verify(hash ?? null, signed, publicKey, signature.content.subarray(1))) return;
  const { asymmetricKeyType: type } = publicKey;
  if (type === "rsa") throw new Error("crypto/rsa: verification error");
  throw new Error(`x509: ${type === "ec" ? "ECDSA" : "Ed25519"} verification failure`);
}

/**
 * Returns the content of a requested extension, by the identifier of the extension in hex;
 * `undefined` when the request does not ask for the extension.
 */
function requestedExtension(attributes: DerValue | undefined, id: string): Buffer | undefined {
  const sets = derValues(attributes?.content ?? Buffer.alloc(0)).map(({ content }) =>
    derValues(content)
  ).filter(([own]) => own?.content.toString("hex") === EXTENSION_REQUEST);
  const extensions = sets.flatMap(([, set]) => set ? derValues(set.content) : [])
    .flatMap(({ content }) => derValues(content)).map(({ content }) => derValues(content));
  // The last value of an extension is its content; a flag whether it is critical may precede it.
  return extensions.find(([own]) => own?.content.toString("hex") === id)?.at(-1)?.content;
}
