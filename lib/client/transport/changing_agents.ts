import { getLogger } from "@logtape/logtape";
import { AgentPair } from "./agent_pair.ts";
import type { TlsConfig } from "../config/config.ts";
import type { Route } from "./route.ts";
import { tlsOptions } from "./tls_options.ts";
import type { TlsSource } from "./tls_source.ts";

const log = getLogger(["xca", "client", "tls"]);

/** A failed handshake for which other certificates may help. */
const DISTRUST = /^(CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERR_TLS|ERR_SSL)/;

/**
 * The connections to a cluster whose TLS material may change while the program runs: new calls then go
 * over new connections, and those of before end with the calls that they carry.
 */
export class ChangingAgents implements Disposable {
  readonly #route: Route;
  readonly #source: TlsSource | undefined;
  #tls: TlsConfig | undefined;
  #agents: AgentPair | undefined;
  #retired: AgentPair[] = [];

  /** Without a source they speak plain HTTP. */
  constructor(route: Route, source: TlsSource | undefined) {
    this.#route = route;
    this.#source = source;
  }

  /** How many sockets are open, idle ones included. */
  get openSockets(): number {
    return this.#all().reduce((sum, agents) => sum + agents.openSockets, 0);
  }

  /** The connections to use now. */
  now(): AgentPair | Promise<AgentPair> {
    if (!this.#source) return this.#agents ??= new AgentPair(this.#route, undefined);
    const tls = this.#source.current();
    return tls instanceof Promise ? tls.then((tls) => this.#with(tls)) : this.#with(tls);
  }

  /** A connection failed: perhaps files have changed of which nobody knows yet. */
  note(error: Error & { readonly code?: unknown }): void {
    if (DISTRUST.test(String(error.code))) this.#source?.suspect();
  }

  /** Closes idle connections. */
  dropIdle(): void {
    this.#agents?.dropIdle();
  }

  /** Reads certificate files at once, and tells whether they changed. */
  async refresh(): Promise<boolean> {
    return await this.#source?.refresh() ?? false;
  }

  #with(tls: TlsConfig): AgentPair {
    if (this.#agents && tls === this.#tls) return this.#agents;
    if (this.#agents) {
      log.info("The certificates changed: new connections are made with the new ones");
      this.#agents.retire();
      this.#retired = [...this.#retired.filter(({ openSockets }) => openSockets > 0), this.#agents];
    }
    this.#tls = tls;
    return this.#agents = new AgentPair(this.#route, tlsOptions(tls));
  }

  #all(): AgentPair[] {
    return this.#agents ? [this.#agents, ...this.#retired] : this.#retired;
  }

  /** Closes all connections, those being made too. */
  [Symbol.dispose](): void {
    this.#route[Symbol.dispose]();
    for (const agents of this.#all()) agents[Symbol.dispose]();
  }
}
