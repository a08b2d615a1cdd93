import { getLogger } from "@logtape/logtape";
import type { Clock } from "@xca/apimachinery/base";
import type { TlsConfig } from "../../config/config.ts";
import { Connections } from "./connections.ts";
import type { Route } from "./route.ts";
import { type TlsOptions, tlsOptions } from "./tls_options.ts";
import type { TlsSource } from "./tls_source.ts";

const log = getLogger(["xca", "client", "tls"]);

/** The pattern of the codes of TLS handshake failures that newer certificate files may remedy. */
const DISTRUST = /^(CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERR_TLS|ERR_SSL)/;

/**
 * The connections to a cluster whose TLS material may change while the program runs. After a
 * change, new calls use new connections, and old connections close after their current calls.
 */
export class ChangingConnections implements Disposable {
  readonly #route: Route;
  readonly #source: TlsSource | undefined;
  readonly #clock: Clock;
  #tls: TlsConfig | undefined;
  #current: Connections | undefined;
  #retired: Connections[] = [];

  constructor(
    route: Route,
    { source, clock }: { readonly source: TlsSource | undefined; readonly clock: Clock },
  ) {
    this.#route = route;
    this.#source = source;
    this.#clock = clock;
  }

  /** The number of sockets to the cluster, including idle ones and those being opened. */
  get openSockets(): number {
    return this.#all().reduce((sum, each) => sum + each.openSockets, 0);
  }

  /**
   * Returns the connections with the cluster's current TLS material, and retires those with older
   * material; rejects with a ConfigError as {@linkcode TlsSource.current} does.
   */
  now(): Connections | Promise<Connections> {
    if (!this.#source) return this.#current ??= this.#made(undefined);
    const tls = this.#source.current();
    return tls instanceof Promise ? tls.then((tls) => this.#with(tls)) : this.#with(tls);
  }

  /**
   * Makes the next call read the certificate files again if the error of a failed connection to the
   * cluster is a TLS error that newer files may remedy. Ignores other errors.
   */
  note(error: Error & { readonly code?: unknown }): void {
    if (DISTRUST.test(String(error.code))) this.#source?.suspect();
  }

  /** Closes the idle connections with the current TLS material to the cluster. */
  dropIdle(): void {
    this.#current?.http.dropIdle();
  }

  /**
   * Reads the certificate files without waiting for the next scheduled read; reports whether the
   * content of any of them changed since the last read. The change applies to the next {@linkcode
   * ChangingConnections.now}.
   */
  async refresh(): Promise<boolean> {
    return await this.#source?.refresh() ?? false;
  }

  #with(tls: TlsConfig): Connections {
    if (this.#current && tls === this.#tls) return this.#current;
    if (this.#current) {
      log.info("The certificates changed: new connections are made with the new ones");
      this.#current.http.retire();
      this.#retired = [
        ...this.#retired.filter(({ openSockets }) => openSockets > 0),
        this.#current,
      ];
    }
    this.#tls = tls;
    return this.#current = this.#made(tlsOptions(tls));
  }

  #made(tls: TlsOptions | undefined): Connections {
    return new Connections(this.#route, { tls, clock: this.#clock });
  }

  #all(): Connections[] {
    return this.#current ? [this.#current, ...this.#retired] : this.#retired;
  }

  /** Closes all connections to the cluster, including those being opened. */
  [Symbol.dispose](): void {
    this.#route[Symbol.dispose]();
    for (const each of this.#all()) each[Symbol.dispose]();
  }
}
