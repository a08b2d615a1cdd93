import { createPrivateKey } from "node:crypto";
import {
  CertificateAuthority,
  checkPair,
  generateSigningKey,
  type PemPair,
} from "@xca/apimachinery/pki";

/**
 * The certificates and private keys of one API server, as {@linkcode openServerKeys} returns them.
 */
export interface ServerKeys {
  /**
   * The certificate of the authority that signed the certificates of the server and its clients, as
   * PEM text.
   */
  readonly ca: string;
  /** The private key of the certificate authority, as PEM text (PKCS #8). */
  readonly caKey: string;
  /** The serving certificate of the API server, and its private key. */
  readonly serving: PemPair;
  /** The client certificate of the administrator, and its private key. */
  readonly admin: PemPair;
  /** The private key that signs service account tokens, as PEM text (PKCS #8). */
  readonly signingKey: string;
}

/**
 * A store of certificates and private keys: texts by name, readable by their owner only. {@linkcode
 * keyFolder} stores them as files.
 */
export interface KeyStore {
  /**
   * Returns the certificate or key that is stored under a name, such as `ca.crt`, as PEM text;
   * `undefined` if there is none.
   */
  read(name: string): string | undefined;
  /**
   * Stores a certificate or private key of the API server under a name, replacing an earlier one.
   */
  write(name: string, text: string): void;
}

const AUTHORITY_DAYS = 3650;
const CERTIFICATE_DAYS = 365;
/** The remaining validity below which a certificate is renewed, in milliseconds. */
const RENEW_BEFORE_MS = 7 * 86_400_000;

/**
 * Options of {@linkcode openServerKeys}, which reads or creates the certificates and keys of an API
 * server.
 */
export interface ServerKeysOptions {
  /**
   * The current date: new certificates are valid from five minutes before it, for a year or, of the
   * authority, ten years; stored certificates must be valid a week after it.
   */
  readonly now: Date;
  /**
   * The host names and addresses by which clients reach the API server, which the serving
   * certificate covers.
   */
  readonly hosts: readonly string[];
  /**
   * The store of certificates and keys, read at a start and written when they are renewed.
   *
   * @default {they are not stored}
   */
  readonly store?: KeyStore;
}

/**
 * Returns the certificates and keys of an API server: those of the store that stay valid for a week
 * and cover `hosts`, and new ones, which are then stored, in place of the others. The signing key
 * does not expire. The certificate authority is kept until a week before it expires, so that
 * existing kubeconfigs stay valid.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openServerKeys } from "@xca/apiserver";
 *
 * const { ca, serving } = await openServerKeys({ now: new Date(), hosts: ["localhost"] });
 * assert.notEqual(ca, serving.cert);
 * ```
 */
export async function openServerKeys(options: ServerKeysOptions): Promise<ServerKeys> {
  const { now, hosts, store } = options;
  const at = new Date(now.getTime() + RENEW_BEFORE_MS);
  const kept = (name: string): PemPair | undefined => {
    const cert = store?.read(`${name}.crt`);
    const key = store?.read(`${name}.key`);
    return cert !== undefined && key !== undefined ? { cert, key } : undefined;
  };
  const keep = (name: string, pair: PemPair): PemPair => {
    store?.write(`${name}.key`, pair.key);
    store?.write(`${name}.crt`, pair.cert);
    return pair;
  };
  const pair = kept("ca");
  let authority: CertificateAuthority;
  if (pair && checkPair(pair, { at }) === undefined) {
    authority = CertificateAuthority.load(pair, now);
  } else {
    authority = await CertificateAuthority.create("xca-embedded", now, { days: AUTHORITY_DAYS });
    keep("ca", authority.pair);
  }
  const renewed = async (
    name: string,
    demanded: readonly string[],
    make: () => Promise<PemPair>,
  ): Promise<PemPair> => {
    const old = kept(name);
    const wrong = old && checkPair(old, { at, ca: authority.cert, hosts: demanded });
    return old && wrong === undefined ? old : keep(name, await make());
  };
  const days = CERTIFICATE_DAYS;
  const isAddress = (host: string): boolean => /^[\d.]+$|:/.test(host);
  const names = hosts.filter((host) => !isAddress(host));
  const addresses = hosts.filter(isAddress);
  return {
    ca: authority.cert,
    caKey: authority.pair.key,
    serving: await renewed(
      "serving",
      hosts,
      () => authority.serving("kube-apiserver", names, addresses, { days }),
    ),
    admin: await renewed(
      "admin",
      [],
      () => authority.client("admin", ["system:masters"], { days }),
    ),
    signingKey: await signingKey(store),
  };
}

async function signingKey(store: KeyStore | undefined): Promise<string> {
  const kept = store?.read("service-account.key");
  if (kept !== undefined && isPrivateKey(kept)) return kept;
  const { privateKey } = await generateSigningKey();
  store?.write("service-account.key", privateKey);
  return privateKey;
}

function isPrivateKey(pem: string): boolean {
  try {
    createPrivateKey(pem);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns a key store that keeps certificates and keys as files in a folder; only the owner can
 * read the files. The first write creates the folder if it is missing, then readable by its owner
 * only.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { keyFolder, openServerKeys } from "@xca/apiserver";
 *
 * const folder = await Deno.makeTempDir();
 * const options = { now: new Date(), hosts: ["localhost"], store: keyFolder(`${folder}/pki`) };
 * const first = await openServerKeys(options);
 * assert.deepEqual(await openServerKeys(options), first); // A restart shows the same certificates.
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function keyFolder(folder: string): KeyStore {
  return {
    read(name) {
      try {
        return Deno.readTextFileSync(`${folder}/${name}`);
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return undefined;
        throw error;
      }
    },
    write(name, text) {
      Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
      // The rename is atomic: a crash leaves the old file or none, never half a file.
      Deno.writeTextFileSync(`${folder}/${name}.new`, text, { mode: 0o600 });
      Deno.renameSync(`${folder}/${name}.new`, `${folder}/${name}`);
    },
  };
}
