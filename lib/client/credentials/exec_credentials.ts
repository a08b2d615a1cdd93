import { getLogger } from "@logtape/logtape";
import { type Clock, systemClock, systemHost } from "@xca/apimachinery/base";
import type { CredentialHeaders, Credentials } from "./credentials.ts";
import type { ClusterInfo } from "./exec_info.ts";
import type { ClientCertificate, PluginCredential } from "./exec_output.ts";
import { ExecPlugin, type PluginHost } from "./exec_plugin.ts";
import type { ExecConfig } from "../config/plugin_config.ts";

/**
 * The time for which a credential is used that had already expired when the credential plugin
 * printed it, in milliseconds.
 */
const STALE_MS = 5_000;

const log = getLogger(["xca", "client", "credentials"]);

/** The credential in use as a credential plugin printed it, with the HTTP headers that carry it. */
interface Held {
  readonly credential: PluginCredential;
  readonly headers: CredentialHeaders;
  /** Reports whether the credential had already expired when the credential plugin printed it. */
  readonly stale: boolean;
  /**
   * The time on the monotonic clock at which the credential plugin printed the credential, in
   * milliseconds.
   */
  readonly gotMs: number;
}

/**
 * Options of the class {@linkcode ExecCredentials}, the credentials that a credential plugin
 * prints.
 */
export interface ExecCredentialsParts {
  /** The configuration of the credential plugin. */
  readonly exec: ExecConfig;
  /**
   * The cluster that the credential is for, whose address and TLS settings may be passed to the
   * plugin.
   */
  readonly cluster: ClusterInfo;
  /** The headers that are sent in addition to the token of the credential plugin. */
  readonly fixed: CredentialHeaders;
  /**
   * The clock that measures the expiry of the credential from the plugin.
   *
   * @default {systemClock}
   */
  readonly clock?: Clock | undefined;
  /** The functions of the operating system that run the credential plugin. @default {systemHost} */
  readonly host?: PluginHost | undefined;
}

/**
 * The credentials of a kubeconfig user with a credential plugin (`exec`). The class runs the plugin
 * on first use, when its credential expires, and when the server refuses the credential. Concurrent
 * calls share one run; a failed run is not cached, so that the next call runs the plugin again.
 */
export class ExecCredentials implements Credentials {
  readonly #plugin: ExecPlugin;
  readonly #fixed: CredentialHeaders;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  #held: Held | undefined;
  #running: Promise<Held> | undefined;

  constructor(parts: ExecCredentialsParts) {
    const { exec, cluster, fixed, clock = systemClock, host = systemHost } = parts;
    this.#plugin = new ExecPlugin(exec, cluster, { host, clock });
    this.#fixed = fixed;
    this.#clock = clock;
  }

  async headers(): Promise<CredentialHeaders> {
    return (await this.#current()).headers;
  }

  async clientCertificate(): Promise<ClientCertificate | undefined> {
    return (await this.#current()).credential.certificate;
  }

  async onUnauthorized(sent: CredentialHeaders): Promise<boolean> {
    const refused = this.#held;
    if (refused && sent !== refused.headers) return true;
    const held = await this.#run();
    if (!refused || !sameSecret(held.credential, refused.credential)) return true;
    if (held.stale) {
      throw this.#plugin.error(
        `the server refused its credential, which expired at ${expiryText(held.credential)}`,
        "log in again with the plugin's own command, and compare this machine's clock",
      );
    }
    return false;
  }

  /** Kills the credential plugin if it is running; later calls that need a run reject. */
  [Symbol.dispose](): void {
    this.#closing.abort(this.#plugin.error("the client is closed", "use another"));
  }

  #current(): Held | Promise<Held> {
    const held = this.#held;
    return held && this.#usable(held) ? held : this.#run();
  }

  #usable({ credential: { expires }, stale, gotMs }: Held): boolean {
    if (stale) return this.#clock.monotonicMs() - gotMs < STALE_MS;
    return !expires || this.#clock.now().getTime() <= expires.getTime();
  }

  #run(): Promise<Held> {
    this.#running ??= this.#runOnce().finally(() => this.#running = undefined);
    return this.#running;
  }

  async #runOnce(): Promise<Held> {
    const credential = await this.#plugin.run(this.#closing.signal);
    const { expires, token } = credential;
    const stale = expires !== undefined && expires.getTime() < this.#clock.now().getTime();
    if (stale) {
      log.warn("The credential plugin gave a credential that expired already, at {expires}", {
        expires: expiryText(credential),
      });
    }
    const bearer: CredentialHeaders = token ? [["Authorization", `Bearer ${token}`]] : [];
    const gotMs = this.#clock.monotonicMs();
    return this.#held = { credential, headers: [...bearer, ...this.#fixed], stale, gotMs };
  }
}

function expiryText({ expires }: PluginCredential): string {
  return expires?.toISOString() ?? "";
}

function sameSecret(one: PluginCredential, other: PluginCredential): boolean {
  return one.token === other.token &&
    one.certificate?.certData === other.certificate?.certData &&
    one.certificate?.keyData === other.certificate?.keyData;
}
