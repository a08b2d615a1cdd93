// Mirrors sigs.k8s.io/controller-runtime/pkg/certwatcher/certwatcher.go, CertWatcher.
import { errorText } from "../../base/errors/error_text.ts";
import { type Host, systemHost } from "../../base/host.ts";
import type { Clock } from "../../base/time/clock.ts";
import { delay } from "../../base/time/delay.ts";
import type {
  CertificateOffer,
  CertificateSource,
  OfferedCertificate,
} from "./certificate_source.ts";

/** The interval at which certificate files are read again, in milliseconds. */
const READ_INTERVAL_MS = 10_000;

/**
 * The number of reads after which certificate and key files that change during each read are used
 * as they are.
 */
const READ_TRIES = 3;

/** The paths of the files of a serving certificate. */
export interface CertificateFiles {
  /** The path of the file with the certificate, followed by its intermediates, as PEM text. */
  readonly certFile: string;
  /** The path of the file with the private key, as PEM text. */
  readonly keyFile: string;
  /**
   * The path of the file with the certificate authorities by which clients verify the certificate,
   * as PEM text. A file that does not exist, or is empty, counts as none: not every issuer of
   * cert-manager writes `ca.crt`.
   *
   * @default {none: the signature of the certificate is not checked}
   */
  readonly caFile?: string | undefined;
}

/** Options of {@linkcode certificateFiles}, which reads a certificate and its key from files. */
export interface CertificateFilesOptions {
  /**
   * The host names and IP addresses by which clients reach the server; the server refuses a
   * certificate that is not valid for all of them. @default {any names}
   */
  readonly hosts?: readonly string[] | undefined;
  /** The file system that the certificate is read from. @default {systemHost} */
  readonly host?: Pick<Host, "readFile"> | undefined;
}

/**
 * Returns a certificate source that reads a certificate and its key from files. The files are read
 * again every ten seconds, by their paths, so that the exchange of a symbolic link is detected like
 * any other change (kubelet's `..data` in the volume of a Secret).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { certificateFiles } from "@xca/apimachinery/serving";
 *
 * const source = certificateFiles({ certFile: "/certs/tls.crt", keyFile: "/certs/tls.key" });
 * assert.equal(source.name, "/certs/tls.crt");
 * ```
 */
export function certificateFiles(
  files: CertificateFiles,
  { host = systemHost, hosts }: CertificateFilesOptions = {},
): CertificateSource {
  return {
    name: files.certFile,
    hosts,
    advice: `replace it; openssl x509 -noout -text -in ${files.certFile} shows it`,
    offers: (signal, clock) => readAgain(files, { host, signal, clock }),
  };
}

async function* readAgain(
  files: CertificateFiles,
  { host, signal, clock }: {
    readonly host: Pick<Host, "readFile">;
    readonly signal: AbortSignal;
    readonly clock: Clock;
  },
): AsyncGenerator<CertificateOffer> {
  while (!signal.aborted) {
    yield await readFiles(files, host).catch((problem: unknown) => ({ problem }));
    await delay(READ_INTERVAL_MS, { clock, signal }).catch(() => {});
  }
}

/**
 * Returns the texts of the files of a certificate. When the file of the certificate changes
 * meanwhile, all files are read again, so that they come from one version of a volume; after
 * {@linkcode READ_TRIES} reads they are returned in any case.
 *
 * @throws {Error} When a file cannot be read; the file of the authorities may be missing.
 */
async function readFiles(
  files: CertificateFiles,
  host: Pick<Host, "readFile">,
): Promise<OfferedCertificate> {
  for (let tries = 1;; tries++) {
    const cert = await readText(host, files.certFile);
    const key = await readText(host, files.keyFile);
    const ca = files.caFile === undefined ? undefined : await readOptional(host, files.caFile);
    if (tries >= READ_TRIES || await readText(host, files.certFile) === cert) {
      return { pair: { cert, key }, ca: ca || undefined };
    }
  }
}

async function readOptional(
  host: Pick<Host, "readFile">,
  path: string,
): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await host.readFile(path)).trim();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new Error(`Cannot read ${path}: ${errorText(error)}`, { cause: error });
  }
}

async function readText(host: Pick<Host, "readFile">, path: string): Promise<string> {
  try {
    return new TextDecoder().decode(await host.readFile(path));
  } catch (error) {
    throw new Error(
      `Cannot read ${path}: ${errorText(error)}; mount the secret of the certificate there`,
      { cause: error },
    );
  }
}
