import {
  createPrivateKey,
  generateKeyPair,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";

/** The kind of a cryptographic key: RSA of 2048 bits, ECDSA on a curve, or Ed25519. */
export type KeyKind = "RSA" | "P-256" | "P-384" | "Ed25519";

/** A private key and its public key. */
export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Generates a private key and its public key; by default ECDSA on P-256. */
export function generateKeys(kind: KeyKind = "P-256"): Promise<KeyPair> {
  const { promise, resolve, reject } = Promise.withResolvers<KeyPair>();
  const done = (error: Error | null, publicKey: KeyObject, privateKey: KeyObject): void =>
    error ? reject(error) : resolve({ publicKey, privateKey });
  if (kind === "RSA") generateKeyPair("rsa", { modulusLength: 2048 }, done);
  else if (kind === "Ed25519") generateKeyPair("ed25519", {}, done);
  else generateKeyPair("ec", { namedCurve: kind }, done);
  return promise;
}

/** Returns a private key as PEM text (PKCS #8). */
export function privatePem(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }) as string;
}

/**
 * Returns a private key in the form that most clients read from a kubeconfig: an EC key as SEC1
 * (`EC PRIVATE KEY`), another key unchanged. Clients such as fabric8 (`CertUtils`) infer the kind
 * of key from the label of its PEM text, and read an EC key in PKCS #8 as an RSA key.
 *
 * @throws {Error} When the text is not a private key.
 */
export function kubeconfigKey(pem: string): string {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== "ec") return pem;
  return key.export({ type: "sec1", format: "pem" }) as string;
}

/** A signing key without a certificate: private and public key as PEM text. */
export interface SigningKey {
  /** The private key (PKCS #8), as PEM text. */
  readonly privateKey: string;
  /** The public key (SubjectPublicKeyInfo), as PEM text. */
  readonly publicKey: string;
}

/**
 * Generates a signing key (ECDSA P-256), such as that of service account tokens.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { generateSigningKey } from "@xca/apimachinery/pki";
 *
 * const { privateKey, publicKey } = await generateSigningKey();
 * assert.match(privateKey, /BEGIN PRIVATE KEY/);
 * assert.match(publicKey, /BEGIN PUBLIC KEY/);
 * ```
 */
export async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeys();
  return {
    privateKey: privatePem(privateKey),
    publicKey: publicKey.export({ type: "spki", format: "pem" }) as string,
  };
}

/**
 * Generates a signing key synchronously and returns its private key (ECDSA P-256, PKCS #8 as PEM
 * text).
 */
export function freshSigningKey(): string {
  return privatePem(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);
}
