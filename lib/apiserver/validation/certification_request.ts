// Mirrors `certificates/validation/validation.go, validateStubPKCS10Request`.

/**
 * Parses the parts of PKCS #10 certification requests that are validated.
 *
 * @see RFC 2986 @module
 */
import { Buffer } from "node:buffer";
import { createPublicKey, type KeyObject, verify } from "node:crypto";

/** A PKCS #10 certification request, as far as it is validated. */
export interface CertificationRequest {
  /** The organizations of the request's subject, which become groups of a user. */
  readonly organizations: readonly string[];
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
/** The object identifier 2.5.4.10 (organizationName) in DER, in hex. */
const ORGANIZATION = "55040a";

/**
 * Parses a PKCS #10 certification request from PEM text in base64, and verifies its signature.
 *
 * @throws {Error} If it is invalid or not signed by its key; the message is that of kube-apiserver.
 */
export function readCertificationRequest(request: string): CertificationRequest {
  const pem = /-----BEGIN ([^-\n]+)-----\r?\n([\s\S]*?)-----END \1-----/.exec(atob(request));
  if (pem?.[1] !== "CERTIFICATE REQUEST") {
    throw new Error("PEM block type must be CERTIFICATE REQUEST");
  }
  const { signed, subject, key, id, signature } = partsOf(
    Buffer.from(pem[2]!.replace(/^[^\n]*:[^\n]*$/gm, ""), "base64"),
  );
  checkSignature(signed, key, id, signature);
  return { organizations: organizationsOf(subject) };
}

/** A problem of a certification request, and the value to show in the error, if any. */
export interface RequestProblem {
  readonly value?: string;
  readonly problem: string;
}

/**
 * Checks the certification request of a PodCertificateRequest, in DER
 * (`validateStubPKCS10Request`): its key and its signature.
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
 * Returns the public key (DER) that a certification request (DER) asks a certificate for. @throws
 * {Error} When the bytes are no certification request.
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
  readonly subject: Element;
  readonly key: Element;
  readonly id: Element;
  readonly signature: Element;
}

function partsOf(bytes: Buffer): RequestParts {
  const whole = elements(bytes)[0];
  const parts = whole?.tag === SEQUENCE ? elements(whole.content) : [];
  const [info, algorithm, signature] = parts;
  if (parts.length !== 3 || info!.tag !== SEQUENCE || signature!.tag !== BIT_STRING) {
    throw new Error("asn1: structure error: tags don't match");
  }
  const [, subject, key] = elements(info!.content);
  const [id] = elements(algorithm!.content);
  if (!subject || !key || !id) throw new Error("asn1: structure error: sequence truncated");
  return { signed: info!.whole, subject, key, id, signature: signature! };
}

function publicKeyOf(key: Element): KeyObject {
  return createPublicKey({ key: key.whole, format: "der", type: "spki" });
}

function checkSignature(signed: Buffer, key: Element, id: Element, signature: Element): void {
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

function organizationsOf(subject: Element): string[] {
  const sets = elements(subject.content);
  const attributes = sets.flatMap((set) => elements(set.content)).map(({ content }) =>
    elements(content)
  );
  return attributes
    .filter(([id]) => id!.content.toString("hex") === ORGANIZATION)
    .map(([, value]) => value!.content.toString("utf8"));
}

const SEQUENCE = 0x30;
const BIT_STRING = 0x03;

interface Element {
  readonly tag: number;
  readonly content: Buffer;
  /** The DER value with its tag and length. */
  readonly whole: Buffer;
}

/**
 * Returns the consecutive DER values of a buffer.
 *
 * @throws {Error} If the last one is incomplete.
 */
function elements(bytes: Buffer): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < bytes.length;) {
    let length = bytes[at + 1]!;
    let start = at + 2;
    if (length > 0x80) {
      const digits = length - 0x80;
      if (digits > 4 || start + digits > bytes.length) throw truncated();
      length = bytes.readUIntBE(start, digits);
      start += digits;
    }
    const end = start + length;
    if (!(end <= bytes.length)) throw truncated();
    found.push({
      tag: bytes[at]!,
      content: bytes.subarray(start, end),
      whole: bytes.subarray(at, end),
    });
    at = end;
  }
  return found;
}

function truncated(): Error {
  return new Error("asn1: syntax error: data truncated");
}
