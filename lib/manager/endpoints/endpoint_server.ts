import { getLogger } from "@logtape/logtape";
import { type Clock, errorText } from "@xca/apimachinery/base";
import { listenFailure } from "@xca/apimachinery/internal/serving";
import type {
  HttpServer,
  HttpsServer,
  ServerLimits,
  ServingCertificate,
} from "@xca/apimachinery/serving";
import type { Runnable } from "../runnable.ts";
import { type BindAddress, parseBindAddress } from "./bind_address.ts";
import { routed, type Routes } from "./routes.ts";

const logger = getLogger(["xca", "manager", "server"]);

/** The time that requests in progress have to end when the server stops, in milliseconds. */
const STOP_GRACE_MS = 2_000;

/** The remedy for an address on which the server cannot listen, in errors. */
const OTHER_ADDRESS = "choose another bind address, or 0 to turn the server off";

/** The limits of a server with small responses and few clients, such as probes and scrapers. */
const LIMITS: ServerLimits = {
  headerBytes: 32 * 1024,
  bodyBytes: 1024,
  handshakeTimeoutMs: 10_000,
  headerTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  idleTimeoutMs: 90_000,
  silenceTimeoutMs: 60_000,
};

/** Options of {@linkcode EndpointServer}, an HTTP server such as the metrics server. */
export interface EndpointServerOptions {
  /** The name of the server as a runnable, such as `metrics server`. */
  readonly name: string;
  /** The address that the server listens on; see {@linkcode parseBindAddress}. */
  readonly bindAddress: string;
  /**
   * Returns the endpoints of the server for its listening address; called once, when the server is
   * set up, and never for a disabled server.
   */
  readonly routes: (address: BindAddress) => Routes;
  /** The certificate of the server. @default none: the server serves HTTP without TLS */
  readonly certificate?: ServingCertificate | undefined;
  /** A callback that runs before the server listens; its error ends the set-up. @default none */
  readonly check?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /**
   * Starts work that lasts as long as the server runs, such as a measurement, and ends when the
   * result is disposed; not called for a disabled server.
   *
   * @default none
   */
  readonly beside?: (() => Disposable) | undefined;
  /**
   * The limits on the size and the time of requests to the server; each given field replaces its
   * default.
   *
   * @default {32 KiB of headers, 1 KiB of body; ten seconds each for the TLS handshake and the
   * headers, 30 for the request, 60 of silence, 90 between requests; 1000 connections}
   */
  readonly limits?: ServerLimits | undefined;
  /** The clock of the server's time-outs. */
  readonly clock: Clock;
}

/** An HTTP server, such as the metrics server, as a runnable of a manager. */
export interface RunnableServer extends Runnable {
  /**
   * The port that the server listens on; `undefined` before its set-up, and when the server is
   * disabled.
   */
  readonly port: number | undefined;
  /**
   * The URL of the server without a path, such as `https://[::]:8443`; `undefined` before its
   * set-up, and when the server is disabled.
   */
  readonly url: string | undefined;
  /**
   * Loads the certificate of the endpoint server and listens; does nothing for a disabled server.
   *
   * @throws {Error} When the server was set up before or is disposed meanwhile, a check before it
   * listens fails, its certificate cannot be used, or its address cannot be listened on.
   * @throws {unknown} The reason of `signal`.
   */
  setUp(signal: AbortSignal): Promise<void>;
  /** Stops the endpoint server at once, without waiting for requests in progress. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * An HTTP server of endpoints as a runnable. The server listens from its set-up, so that a port in
 * use ends the manager before any runnable has started, until it is stopped or disposed.
 */
export class EndpointServer implements RunnableServer {
  /** The name of the endpoint server as a runnable. */
  readonly name: string;
  /** The runnable group of the endpoint server. */
  readonly group = "servers";
  readonly #options: EndpointServerOptions;
  readonly #address: BindAddress | undefined;
  #server: HttpServer | undefined;
  #stage: "new" | "setUp" | "running" | "stopped" = "new";

  /**
   * Creates an endpoint server that does not listen yet.
   *
   * @throws {TypeError} When the address cannot be parsed.
   */
  constructor(options: EndpointServerOptions) {
    this.#options = options;
    this.name = options.name;
    this.#address = parseBindAddress(options.bindAddress);
  }

  get port(): number | undefined {
    return this.#server?.port;
  }

  get url(): string | undefined {
    return this.#server?.url;
  }

  async setUp(signal: AbortSignal): Promise<void> {
    if (this.#stage !== "new") throw new Error(`Cannot set up the ${this.name} twice`);
    this.#stage = "setUp";
    if (!this.#address) return;
    signal.throwIfAborted();
    await this.#options.check?.(signal);
    const server = await this.#listen(this.#address, signal);
    if (signal.aborted || this.#isStopped) {
      await server.stop({ graceMs: 0 });
      signal.throwIfAborted();
      throw new Error(`The ${this.name} was disposed while it was set up`);
    }
    this.#server = server;
    logger.info("The {name} listens on {url}", { name: this.name, url: server.url });
  }

  /**
   * Serves requests until the signal is aborted, then lets requests in progress end for at most two
   * seconds. Sets up the server first if that was not done.
   *
   * @throws {Error} When the set-up fails, or the server runs already or was stopped.
   */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#stage === "new") await this.setUp(signal);
    if (this.#stage !== "setUp") {
      throw new Error(
        `Cannot run the ${this.name}: it ${this.#isStopped ? "was stopped" : "runs"}`,
      );
    }
    this.#stage = "running";
    const beside = this.#server && this.#options.beside?.();
    const watching = this.#watchCertificate();
    try {
      await aborted(signal);
    } finally {
      watching?.[Symbol.dispose]();
      beside?.[Symbol.dispose]();
      this.#stage = "stopped";
      await this.#server?.stop({ graceMs: STOP_GRACE_MS });
    }
  }

  /**
   * Returns the reason why clients refuse the certificate of the endpoint server, such as its
   * expiry; `undefined` when they accept it, or the server has none or does not listen.
   */
  check(): string | undefined {
    return this.#server && this.#options.certificate?.problem?.();
  }

  /** Stops the endpoint server at once, without waiting for requests in progress. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stage = "stopped";
    await this.#server?.stop({ graceMs: 0 });
  }

  get #isStopped(): boolean {
    return this.#stage === "stopped";
  }

  async #listen(address: BindAddress, signal: AbortSignal): Promise<HttpServer> {
    const { certificate, clock, limits, routes } = this.#options;
    const options = {
      handler: routed(routes(address)),
      port: address.port,
      limits: { ...LIMITS, ...limits },
      clock,
      onError: (error: unknown) =>
        logger.error("The {name} cannot answer: {reason}", {
          name: this.name,
          reason: errorText(error),
          error,
        }),
    };
    const pair = await certificate?.load(signal);
    // A manager without servers saves the memory of the modules that serve HTTP.
    const { HttpServer, HttpsServer } = await import("@xca/apimachinery/serving");
    const open = (hostname: string): Promise<HttpServer> =>
      pair
        ? HttpsServer.listen({ ...options, hostname, certificate: pair })
        : HttpServer.listen({ ...options, hostname });
    try {
      if (address.hostname !== "") return await open(address.hostname);
      // A machine without IPv6 has no address `::`.
      return await open("::").catch((error) =>
        ["EAFNOSUPPORT", "EADDRNOTAVAIL"].includes(codeOf(error)) ? open("0.0.0.0") : raise(error)
      );
    } catch (error) {
      throw new Error(
        `Cannot serve on ${this.#options.bindAddress}: ${listenFailure(error, OTHER_ADDRESS)}`,
        { cause: error },
      );
    }
  }

  #watchCertificate(): Disposable | undefined {
    const server = this.#server;
    if (!server || !isHttps(server)) return undefined;
    return this.#options.certificate?.watch((pair) => server.replaceCertificate(pair));
  }
}

/** Reports whether an endpoint server has a certificate, and so serves TLS. */
function isHttps(server: HttpServer): server is HttpsServer {
  return "replaceCertificate" in server;
}

/**
 * Returns a promise that resolves when the signal is aborted, or at once if it is aborted already.
 */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function raise(error: unknown): never {
  throw error;
}
