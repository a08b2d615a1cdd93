/**
 * JSON Web Tokens in the compact form, signed with ECDSA P-256 (ES256) or RSA (RS256).
 *
 * @see RFC 7515, RFC 7518, RFC 7519
 * @module
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";

/** The claims of a service account token as a JSON Web Token; times in seconds since 1970. */
export interface Claims {
  readonly iss: string;
  readonly sub: string;
  readonly aud?: readonly string[];
  readonly exp?: number;
  readonly iat?: number;
  readonly nbf?: number;
  readonly jti?: string;
  readonly [claim: string]: unknown;
}

/** A public key as a JSON Web Key. */
export type JsonWebKey = Readonly<Record<string, string>>;

const encoder = new TextEncoder();

/**
 * A private key that signs JSON Web Tokens and verifies its own signatures. The key determines the
 * algorithm; the algorithm in a token's header is only compared with it.
 */
export class TokenKey {
  /** The signature algorithm of the key, as the headers of its tokens name it. */
  readonly algorithm: "ES256" | "RS256";
  /**
   * The identifier of the key in token headers (`kid`): the SHA-256 hash of the public key
   * (SubjectPublicKeyInfo in DER), in base64url.
   */
  readonly id: string;
  readonly #private: KeyObject;
  readonly #public: KeyObject;

  private constructor(key: KeyObject, algorithm: "ES256" | "RS256") {
    this.#private = key;
    this.#public = createPublicKey(key);
    this.algorithm = algorithm;
    const spki = this.#public.export({ type: "spki", format: "der" });
    this.id = createHash("sha256").update(spki).digest("base64url");
  }

  /**
   * Reads a private key from PEM text, such as PKCS #8.
   *
   * @throws {Error} When the text is unreadable, or the key is neither ECDSA on P-256 nor RSA.
   */
  static fromPem(pem: string): TokenKey {
    const key = createPrivateKey(pem);
    const { asymmetricKeyType, asymmetricKeyDetails } = key;
    if (asymmetricKeyType === "rsa") return new TokenKey(key, "RS256");
    if (asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1") {
      return new TokenKey(key, "ES256");
    }
    throw new Error("Cannot sign tokens with this key: it is neither ECDSA on P-256 nor RSA");
  }

  /** Returns a signed JSON Web Token with the claims. */
  sign(claims: Claims): string {
    const text = `${encode({ alg: this.algorithm, kid: this.id })}.${encode(claims)}`;
    const key = this.algorithm === "ES256"
      ? { key: this.#private, dsaEncoding: "ieee-p1363" as const }
      : this.#private;
    return `${text}.${sign("sha256", encoder.encode(text), key).toString("base64url")}`;
  }

  /**
   * Reports whether this key signed a parsed JSON Web Token. Checks the signature and the
   * algorithm, not the `kid` or the claims.
   */
  verifies({ header, signed, signature }: ParsedToken): boolean {
    if (header["alg"] !== this.algorithm) return false;
    const key = this.algorithm === "ES256"
      ? { key: this.#public, dsaEncoding: "ieee-p1363" as const }
      : this.#public;
    return verify("sha256", encoder.encode(signed), key, signature);
  }

  /** The public key of this key as a JSON Web Key, for programs that verify tokens themselves. */
  get jwk(): JsonWebKey {
    const { kty, ...rest } = this.#public.export({ format: "jwk" }) as Record<string, string>;
    return { use: "sig", kty: kty!, kid: this.id, alg: this.algorithm, ...rest };
  }
}

/** The decoded segments of a JSON Web Token, none of them verified. */
export interface ParsedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The text of the JSON Web Token that the signature covers. */
  readonly signed: string;
  readonly signature: Uint8Array;
}

/**
 * Parses a JSON Web Token without verifying it, as go-jose does (`jose.ParseSigned`): base64
 * without padding, in which unused bits and white space are ignored (in the claims, only line
 * breaks). The text that the signature must cover is encoded from the decoded bytes; it is not the
 * text that was sent.
 *
 * @returns `undefined` when the text is not a token.
 */
export function parseToken(token: string): ParsedToken | undefined {
  const parts = token.split(".");
  if (parts.length !== 3) return undefined;
  try {
    const [header, claims, signature] = parts.map(fromBase64Url);
    // kube-apiserver reads the claims a first time before it removes white space
    // (`hasCorrectIssuer`).
    if (/[\t\f ]/.test(parts[1]!)) return undefined;
    return {
      header: decode(header!),
      claims: decode(claims!),
      signed: `${toBase64Url(header!)}.${toBase64Url(claims!)}`,
      signature: signature!,
    };
  } catch {
    return undefined; // The HTTP header may carry any text, such as the token of a static user.
  }
}

function encode(value: unknown): string {
  return toBase64Url(encoder.encode(JSON.stringify(value)));
}

function decode(part: Uint8Array): Record<string, unknown> {
  const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(part));
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError();
  return value as Record<string, unknown>;
}

function toBase64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

function fromBase64Url(text: string): Uint8Array {
  if (text.includes("=")) throw new SyntaxError("base64 of a token has no padding");
  return Uint8Array.fromBase64(text, { alphabet: "base64url" });
}
