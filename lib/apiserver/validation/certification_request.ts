/**
 * Parses the parts of PKCS #10 certification requests that are validated.
 *
 * @see RFC 2986 @module
 */
import { Buffer } from "node:buffer";
import { createPublicKey, verify } from "node:crypto";

/** A certification request. */
export interface CertificationRequest {
  /** The organizations of the subject: the groups of a user. */
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
/** The object identifier 2.5.4.10. */
const ORGANIZATION = "55040a";

/**
 * Parses a request from PEM text in base64, and verifies its signature.
 *
 * @throws {Error} If it is invalid or not signed by its key; the message is that of kube-apiserver.
 */
export function readCertificationRequest(request: string): CertificationRequest {
  const pem = /-----BEGIN ([^-\n]+)-----\r?\n([\s\S]*?)-----END \1-----/.exec(atob(request));
  if (pem?.[1] !== "CERTIFICATE REQUEST") {
    throw new Error("PEM block type must be CERTIFICATE REQUEST");
  }
  const bytes = Buffer.from(pem[2]!.replace(/^[^\n]*:[^\n]*$/gm, ""), "base64");
  const whole = elements(bytes)[0];
  const parts = whole?.tag === SEQUENCE ? elements(whole.content) : [];
  const [info, algorithm, signature] = parts;
  if (parts.length !== 3 || info!.tag !== SEQUENCE || signature!.tag !== BIT_STRING) {
    throw new Error("asn1: structure error: tags don't match");
  }
  const [, subject, key] = elements(info!.content);
  checkSignature(info!.whole, key!, elements(algorithm!.content)[0]!, signature!);
  return { organizations: organizationsOf(subject!) };
}

function checkSignature(signed: Buffer, key: Element, id: Element, signature: Element): void {
  const name = id.content.toString("hex");
  const hash = HASHES[name];
  if (hash === undefined && name !== ED25519) {
    throw new Error("x509: cannot verify signature: algorithm unimplemented");
  }
  const publicKey = createPublicKey({ key: key.whole, format: "der", type: "spki" });
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
  /** The value with its tag and length. */
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
