import { createPrivateKey } from "node:crypto";
import {
  CertificateAuthority,
  checkPair,
  generateSigningKey,
  type PemPair,
} from "@xca/apimachinery/pki";

/** The keys and certificates of one server. */
export interface ServerKeys {
  /** The authority of server and clients, as PEM text. */
  readonly ca: string;
  /** What the server shows. */
  readonly serving: PemPair;
  /** The certificate of its administrator. */
  readonly admin: PemPair;
  /** Signs the tokens of service accounts (PKCS #8). */
  readonly signingKey: string;
}

/** Keeps texts by name, where only their owner reads. */
export interface KeyStore {
  /** The text; `undefined` when there is none of that name. */
  read(name: string): string | undefined;
  /** Keeps a text under a name, in place of what was there. */
  write(name: string, text: string): void;
}

const AUTHORITY_DAYS = 3650;
const CERTIFICATE_DAYS = 365;
/** What ends sooner than that is made anew. */
const RENEW_BEFORE_MS = 7 * 86_400_000;

/** Options of {@linkcode openServerKeys}. */
export interface ServerKeysOptions {
  /** The date: from when new certificates are valid, and at which kept ones must be. */
  readonly now: Date;
  /** The names and addresses by which clients reach the server. */
  readonly hosts: readonly string[];
  /** Keeps what is made for the next start. @default {nothing is kept} */
  readonly store?: KeyStore;
}

/**
 * The keys of a server: those that are kept, as far as they are good for what is asked; else new
 * ones. The authority stays, so that kubeconfigs of before hold.
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
 * Keeps keys as files of a folder, which is made when it is missing. Only their owner reads them.
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
      // Never half a file: what stops in between leaves the old one, or none.
      Deno.writeTextFileSync(`${folder}/${name}.new`, text, { mode: 0o600 });
      Deno.renameSync(`${folder}/${name}.new`, `${folder}/${name}`);
    },
  };
}
