import { getLogger } from "@logtape/logtape";
import { type Clock, errorText, type Host, systemHost } from "@xca/apimachinery/base";
import type { ClientConfig, TlsConfig } from "../../config/config.ts";
import type { Material } from "../../config/config_material.ts";
import { refused, shown, unreadable } from "../../config/config_place.ts";
import { checkAuthority, checkClientCertificate } from "../../config/config_tls.ts";
import { Refreshed } from "../../config/refreshed.ts";
import type { Credentials } from "../../credentials/credentials.ts";
import type { ClientCertificate } from "../../credentials/exec_output.ts";

const log = getLogger(["xca", "client", "tls"]);

/**
 * A source of the current TLS settings of a client, which certificate files and credential plugins
 * may change.
 */
export interface TlsSource {
  /**
   * Returns the current TLS settings; the same object until a certificate or key changes.
   *
   * @throws {ConfigError} When a file has no usable certificate or key, and never had, or the
   * credential plugin fails.
   */
  current(): TlsConfig | Promise<TlsConfig>;
  /**
   * Reads the certificate files without waiting for the next scheduled read; reports whether the
   * content of any of them changed since the last read. The first read changes nothing.
   */
  refresh(): Promise<boolean>;
  /**
   * Records a TLS failure that newer certificate files may remedy: the next
   * {@linkcode TlsSource.current} reads the files again.
   */
  suspect(): void;
}

/** Options of {@linkcode createTlsSource}, which reads TLS settings and certificate files. */
export interface TlsSourceOptions {
  /** The clock that measures the age of certificate files. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /**
   * The interface to the operating system that reads the certificate files.
   *
   * @default {systemHost}
   */
  readonly host?: Pick<Host, "readFile"> | undefined;
  /** The credentials of the client, which may include a client certificate. */
  readonly credentials?: Pick<Credentials, "clientCertificate"> | undefined;
}

/**
 * Creates the source of a client configuration's TLS settings, which reads certificate files again
 * once their content is older than a minute, and obtains the client certificate of the credentials,
 * if these have one.
 */
export function createTlsSource(
  { tls = {} }: Pick<ClientConfig, "tls">,
  options: TlsSourceOptions = {},
): TlsSource {
  const { credentials } = options;
  const files = tls.caFile || tls.certFile || tls.keyFile
    ? new TlsFiles(tls, options)
    : new FixedTls(tls);
  return credentials?.clientCertificate
    ? new PluginTls(files, () => credentials.clientCertificate!())
    : files;
}

class FixedTls implements TlsSource {
  readonly #tls: TlsConfig;

  constructor(tls: TlsConfig) {
    this.#tls = tls;
  }

  current(): TlsConfig {
    return this.#tls;
  }

  refresh(): Promise<boolean> {
    return Promise.resolve(false);
  }

  suspect(): void {}
}

/**
 * The source of TLS settings whose certificates are in files that may be replaced. The class keeps
 * the last usable certificates while newer ones are not usable, and logs a warning.
 */
class TlsFiles implements TlsSource {
  readonly #host: Pick<Host, "readFile">;
  readonly #tls: Refreshed<TlsConfig>;

  constructor(tls: TlsConfig, { clock, host = systemHost }: TlsSourceOptions) {
    this.#host = host;
    this.#tls = new Refreshed<TlsConfig>({
      read: (last = tls) => this.#checked(last),
      onKept: (error) =>
        log.warn("Keeping the last certificates: {reason}", { reason: errorText(error) }),
      initial: isUnread(tls) ? undefined : tls,
      clock,
    });
  }

  current(): TlsConfig | Promise<TlsConfig> {
    return this.#tls.current();
  }

  async refresh(): Promise<boolean> {
    const { last } = this.#tls;
    const now = await this.#tls.refresh();
    return last !== undefined && now !== last;
  }

  suspect(): void {
    this.#tls.expire();
  }

  /**
   * Returns `now` with the content of the certificate files, which it reads and checks; returns
   * `now` itself when no file has changed.
   *
   * @throws {ConfigError} When a file cannot be read, or a certificate or key is not usable.
   */
  async #checked(now: TlsConfig): Promise<TlsConfig> {
    const ca = await this.#material("certificate authority file", now.caFile, now.caData);
    const cert = await this.#material("client certificate file", now.certFile, now.certData);
    const key = await this.#material("client key file", now.keyFile, now.keyData);
    if (ca && ca.text !== now.caData) checkAuthority(ca);
    if (cert && !key) {
      throw refused(cert.place, "its private key is missing", "configure keyFile or keyData");
    }
    if (cert && key && (cert.text !== now.certData || key.text !== now.keyData)) {
      await checkClientCertificate(cert, key);
    }
    const isSame = (ca?.text ?? now.caData) === now.caData &&
      (cert?.text ?? now.certData) === now.certData && (key?.text ?? now.keyData) === now.keyData;
    if (isSame) return now;
    return {
      ...now,
      ...(ca ? { caData: ca.text } : {}),
      ...(cert ? { certData: cert.text } : {}),
      ...(key ? { keyData: key.text } : {}),
    };
  }

  async #material(
    what: string,
    path: string | undefined,
    data: string | undefined,
  ): Promise<Material | undefined> {
    if (!path) return data ? { text: data, place: what.replace(" file", "") } : undefined;
    try {
      const text = new TextDecoder().decode(await this.#host.readFile(path));
      return { text, place: `${what} ${shown(path)}` };
    } catch (error) {
      throw unreadable(what, path, error);
    }
  }
}

/** Reports whether a configured certificate or key file has not been read yet. */
function isUnread({ caFile, caData, certFile, certData, keyFile, keyData }: TlsConfig): boolean {
  return Boolean((caFile && !caData) || (certFile && !certData) || (keyFile && !keyData));
}

/**
 * The source of TLS settings that adds the client certificate of a credential plugin to those of
 * another source.
 */
class PluginTls implements TlsSource {
  readonly #below: TlsSource;
  readonly #certificate: () => Promise<ClientCertificate | undefined>;
  #made:
    | { tls: TlsConfig; certificate: ClientCertificate | undefined; both: TlsConfig }
    | undefined;

  constructor(below: TlsSource, certificate: () => Promise<ClientCertificate | undefined>) {
    this.#below = below;
    this.#certificate = certificate;
  }

  async current(): Promise<TlsConfig> {
    const certificate = await this.#certificate();
    const tls = await this.#below.current();
    const made = this.#made;
    if (made && made.tls === tls && sameCertificate(made.certificate, certificate)) {
      return made.both;
    }
    const both = certificate ? { ...tls, ...certificate } : tls;
    this.#made = { tls, certificate, both };
    return both;
  }

  refresh(): Promise<boolean> {
    return this.#below.refresh();
  }

  suspect(): void {
    this.#below.suspect();
  }
}

function sameCertificate(
  one: ClientCertificate | undefined,
  other: ClientCertificate | undefined,
): boolean {
  return one?.certData === other?.certData && one?.keyData === other?.keyData;
}
