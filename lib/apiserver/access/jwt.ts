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

/** The claims that every token of ours has; times in seconds since 1970. */
export interface Claims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly nbf: number;
  readonly jti?: string;
  readonly [claim: string]: unknown;
}

/** A public key as a JSON Web Key. */
export type JsonWebKey = Readonly<Record<string, string>>;

const encoder = new TextEncoder();

/** The key that signs tokens, and knows its own. */
export class TokenKey {
  /** The algorithm, as a header names it. */
  readonly algorithm: "ES256" | "RS256";
  /** Names the key in headers: the hash of the public half. */
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
   * The key in a PEM text (PKCS #8).
   *
   * @throws {Error} When it is unreadable, or neither ECDSA on P-256 nor RSA.
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

  /** Signs claims. */
  sign(claims: Claims): string {
    const text = `${encode({ alg: this.algorithm, kid: this.id })}.${encode(claims)}`;
    const key = this.algorithm === "ES256"
      ? { key: this.#private, dsaEncoding: "ieee-p1363" as const }
      : this.#private;
    return `${text}.${sign("sha256", encoder.encode(text), key).toString("base64url")}`;
  }

  /** Whether this key signed the token. */
  verifies({ header, signed, signature }: ParsedToken): boolean {
    if (header["alg"] !== this.algorithm) return false;
    const key = this.algorithm === "ES256"
      ? { key: this.#public, dsaEncoding: "ieee-p1363" as const }
      : this.#public;
    return verify("sha256", encoder.encode(signed), key, signature);
  }

  /** The public half, for those who verify by themselves. */
  get jwk(): JsonWebKey {
    const { kty, ...rest } = this.#public.export({ format: "jwk" }) as Record<string, string>;
    return { use: "sig", kty: kty!, kid: this.id, alg: this.algorithm, ...rest };
  }
}

/** A token taken apart; nothing about it is verified. */
export interface ParsedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** What the signature is about. */
  readonly signed: string;
  readonly signature: Uint8Array;
}

/** Takes a token apart; `undefined` when it is none. */
export function parseToken(token: string): ParsedToken | undefined {
  const parts = token.split(".");
  const [header, claims, signature] = parts;
  if (parts.length !== 3) return undefined;
  try {
    return {
      header: decode(header!),
      claims: decode(claims!),
      signed: `${header}.${claims}`,
      signature: fromBase64Url(signature!),
    };
  } catch {
    return undefined; // Any text may stand behind `Bearer`.
  }
}

function encode(value: unknown): string {
  return encoder.encode(JSON.stringify(value)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}

function decode(part: string): Record<string, unknown> {
  const value: unknown = JSON.parse(
    new TextDecoder("utf-8", { fatal: true }).decode(fromBase64Url(part)),
  );
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError();
  return value as Record<string, unknown>;
}

function fromBase64Url(text: string): Uint8Array {
  return Uint8Array.fromBase64(text, { alphabet: "base64url" });
}
