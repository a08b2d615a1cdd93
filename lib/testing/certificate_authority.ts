import type * as X509 from "@peculiar/x509";

/** A certificate and its private key (PKCS #8), both as PEM text. */
export interface PemPair {
  /** The certificate. */
  readonly cert: string;
  /** The private key. */
  readonly key: string;
}

/** A kind of key: RSA of 2048 bits, ECDSA on a curve, or Ed25519. */
export type KeyKind = "RSA" | "P-256" | "P-384" | "Ed25519";

const SIGNING = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const RSA = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength: 2048,
  publicExponent: Uint8Array.of(1, 0, 1),
};
const DAY_MS = 86_400_000;
/** Clocks of two machines may differ a little. */
const LEEWAY_MS = 300_000;

/**
 * A certificate authority for tests: it lives in memory and signs for a day. Keys are ECDSA P-256
 * where nothing else is asked for. The X.509 library is loaded at the first {@linkcode CertificateAuthority.create}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { CertificateAuthority } from "@xca/operator/testing";
 *
 * const authority = await CertificateAuthority.create("test-ca", new Date());
 * const { cert, key } = await authority.serving("localhost", ["localhost"], ["127.0.0.1"]);
 * assert.match(cert, /BEGIN CERTIFICATE/);
 * assert.match(key, /BEGIN PRIVATE KEY/);
 * ```
 */
export class CertificateAuthority {
  /** The authority's own certificate, as PEM text. */
  readonly cert: string;
  readonly #x509: typeof X509;
  readonly #root: X509.X509Certificate;
  readonly #key: CryptoKey;
  readonly #now: Date;

  private constructor(
    x509: typeof X509,
    root: X509.X509Certificate,
    key: CryptoKey,
    now: Date,
  ) {
    this.#x509 = x509;
    this.#root = root;
    this.#key = key;
    this.#now = now;
    this.cert = root.toString("pem");
  }

  /** Makes an authority named `commonName`, valid from `now` for a day. */
  static async create(commonName: string, now: Date): Promise<CertificateAuthority> {
    await import("reflect-metadata");
    const x509 = await import("@peculiar/x509");
    const keys = await generateKeys();
    const root = await x509.X509CertificateGenerator.createSelfSigned({
      name: subjectOf(x509, commonName),
      keys,
      ...validity(now),
      signingAlgorithm: SIGNING,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    return new CertificateAuthority(x509, root, keys.privateKey, now);
  }

  /** A serving certificate for the given DNS names and IP addresses, valid for a day from `now`. */
  serving(
    commonName: string,
    dns: readonly string[],
    ips: readonly string[],
    now: Date = this.#now,
  ): Promise<PemPair> {
    const names: X509.JsonGeneralName[] = [
      ...dns.map((value) => ({ type: "dns" as const, value })),
      ...ips.map((value) => ({ type: "ip" as const, value })),
    ];
    return this.#sign(subjectOf(this.#x509, commonName), "serverAuth", [
      new this.#x509.SubjectAlternativeNameExtension(names),
    ], { now });
  }

  /** A client certificate: Kubernetes reads the common name as user, organizations as groups. */
  client(
    user: string,
    groups: readonly string[],
    key: KeyKind = "P-256",
  ): Promise<PemPair> {
    return this.#sign(subjectOf(this.#x509, user, groups), "clientAuth", [], { kind: key });
  }

  async #sign(
    subject: X509.Name,
    usage: "serverAuth" | "clientAuth",
    extensions: X509.Extension[],
    { kind = "P-256", now = this.#now }: { readonly kind?: KeyKind; readonly now?: Date } = {},
  ): Promise<PemPair> {
    const x509 = this.#x509;
    const keys = await generateKeys(kind);
    const cert = await x509.X509CertificateGenerator.create({
      subject,
      issuer: this.#root.subjectName,
      publicKey: keys.publicKey,
      signingKey: this.#key,
      signingAlgorithm: SIGNING,
      ...validity(now),
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage[usage]]),
        await x509.AuthorityKeyIdentifierExtension.create(this.#root),
        ...extensions,
      ],
    });
    const key = await exportPem("pkcs8", "PRIVATE KEY", keys.privateKey);
    return { cert: cert.toString("pem"), key };
  }
}

/** A signing key without a certificate, both halves as PEM text. */
export interface SigningKey {
  /** The private key (PKCS #8). */
  readonly privateKey: string;
  /** The public key (SubjectPublicKeyInfo). */
  readonly publicKey: string;
}

/** Makes a fresh signing key (ECDSA P-256), as service account tokens need one. */
export async function generateSigningKey(): Promise<SigningKey> {
  const keys = await generateKeys();
  return {
    privateKey: await exportPem("pkcs8", "PRIVATE KEY", keys.privateKey),
    publicKey: await exportPem("spki", "PUBLIC KEY", keys.publicKey),
  };
}

/** Explicitly typed values: the library would read quotes and hashes in plain ones as syntax. */
function subjectOf(
  x509: typeof X509,
  commonName: string,
  organizations: readonly string[] = [],
): X509.Name {
  return new x509.Name([
    { CN: [{ utf8String: commonName }] },
    ...organizations.map((name) => ({ O: [{ utf8String: name }] })),
  ]);
}

async function generateKeys(kind: KeyKind = "P-256"): Promise<CryptoKeyPair> {
  const algorithm = kind === "RSA" ? RSA : kind === "Ed25519" ? kind : {
    ...SIGNING,
    namedCurve: kind,
  };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  return keys as CryptoKeyPair;
}

function validity(now: Date): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(now.getTime() - LEEWAY_MS),
    notAfter: new Date(now.getTime() + DAY_MS),
  };
}

async function exportPem(
  format: "pkcs8" | "spki",
  label: string,
  key: CryptoKey,
): Promise<string> {
  const der = new Uint8Array(await crypto.subtle.exportKey(format, key));
  const lines = der.toBase64().match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
