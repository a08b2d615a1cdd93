/** Mirrors sigs.k8s.io/controller-runtime/pkg/certwatcher/certwatcher.go, CertWatcher. */
import { getLogger } from "@logtape/logtape";
import { type Clock, errorText, type Host, type Timer } from "@xca/apimachinery/base";
import type { PemPair } from "@xca/apimachinery/pki";
import type { CertificateMetrics } from "../metrics/operator_metrics.ts";

const logger = getLogger(["xca", "manager", "certificate"]);

/** The interval at which certificate files are read again, in milliseconds. */
const READ_INTERVAL_MS = 10_000;
/** The validity of a self-signed certificate, in days; a new one follows after half of the time. */
const SELF_SIGNED_DAYS = 30;

/** The certificate of a server, which changes while the server runs. */
export interface ServingCertificate {
  /** Returns the certificate that the server uses now, and its private key. */
  load(): Promise<PemPair>;
  /** Calls `onChange` with each new certificate, until the result is disposed. */
  watch(onChange: (pair: PemPair) => void): Disposable;
}

/** The paths of the files of a serving certificate. */
export interface CertificateFiles {
  /** The path of the certificate, followed by its intermediates, as PEM text. */
  readonly certFile: string;
  /** The path of the private key, as PEM text. */
  readonly keyFile: string;
}

/** The dependencies of a serving certificate. */
export interface CertificatePorts {
  /** Reads the files of the certificate. */
  readonly host: Pick<Host, "readFile">;
  /** The source of time. */
  readonly clock: Clock;
  /** The provider of the metrics of certificate files. @default none */
  readonly metrics?: CertificateMetrics | undefined;
}

/**
 * Returns the certificate in two files, which are read again every ten seconds. A pair that cannot be
 * used, such as a new certificate whose key is not written yet, is logged and the last one kept.
 */
export function certificateFiles(
  files: CertificateFiles,
  { host, clock, metrics }: CertificatePorts,
): ServingCertificate {
  let last: PemPair | undefined;
  let lastFailure = "";
  const read = async (): Promise<PemPair> => {
    metrics?.read();
    try {
      const pair = {
        cert: await readText(host, files.certFile),
        key: await readText(host, files.keyFile),
      };
      const { checkPair } = await import("@xca/apimachinery/pki");
      const fault = checkPair(pair, { at: clock.now() });
      if (fault) throw new Error(`Cannot use the certificate ${files.certFile}: ${fault}`);
      return pair;
    } catch (error) {
      metrics?.failed();
      throw error;
    }
  };
  return {
    load: async () => last = await read(),
    watch: (onChange) =>
      every(READ_INTERVAL_MS, clock, async () => {
        try {
          const pair = await read();
          lastFailure = "";
          if (pair.cert === last?.cert && pair.key === last.key) return;
          onChange(pair);
          last = pair;
          logger.info("Serving a new certificate of {file}", { file: files.certFile });
        } catch (error) {
          const reason = errorText(error);
          if (reason !== lastFailure) {
            logger.warn("Keeping the last certificate: {reason}", { reason });
          }
          lastFailure = reason;
        }
      }),
  };
}

/**
 * Returns a certificate that an authority in memory signs, for clients that do not verify servers, as
 * kubebuilder's default. It is replaced before it expires.
 */
export function selfSigned(clock: Clock): ServingCertificate {
  const create = async (): Promise<PemPair> => {
    const { CertificateAuthority } = await import("@xca/apimachinery/pki");
    const now = clock.now();
    const validity = { now, days: SELF_SIGNED_DAYS };
    const authority = await CertificateAuthority.create("xca-self-signed", now, validity);
    return await authority.serving("localhost", ["localhost"], ["127.0.0.1", "::1"], validity);
  };
  return {
    load: create,
    watch: (onChange) =>
      every(SELF_SIGNED_DAYS / 2 * 86_400_000, clock, async () => onChange(await create())),
  };
}

/** Runs work at an interval, from the end of one run to the start of the next, until it is disposed. */
function every(intervalMs: number, clock: Clock, work: () => Promise<void>): Disposable {
  let timer: Timer;
  let ended = false;
  const arm = (): void => {
    if (!ended) {
      timer = clock.after(intervalMs, () => void work().catch(failed).finally(arm)).unref();
    }
  };
  arm();
  return {
    [Symbol.dispose]: () => {
      ended = true;
      timer[Symbol.dispose]();
    },
  };
}

function failed(error: unknown): void {
  logger.error("Cannot renew the certificate: {reason}", { reason: errorText(error), error });
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
