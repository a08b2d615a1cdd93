import { type Clock, systemClock } from "../base/clock.ts";
import { type Random, systemRandom } from "../base/random.ts";
import type { UserInfo } from "./machinery/request_context.ts";
import { notImplemented } from "./machinery/status_error.ts";

/** Options of {@linkcode ApiServer.start}. */
export interface ApiServerOptions {
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock;
  /** Where identities come from. @default {systemRandom} */
  readonly random?: Random;
}

/** What is known of the caller beside the request. */
export interface PeerInfo {
  /** The verified client certificate's user. Without it, and without a token, the caller is `user`. */
  readonly user?: UserInfo;
}

/**
 * A Kubernetes API server in this process: a function from `Request` to `Response`.
 */
export class ApiServer implements Disposable {
  readonly #clock: Clock;
  readonly #random: Random;

  private constructor(options: ApiServerOptions) {
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
  }

  /** Starts a server with an empty cluster. */
  static start(options: ApiServerOptions = {}): Promise<ApiServer> {
    return Promise.resolve(new ApiServer(options));
  }

  /** Answers one request. Never rejects: what fails is answered with a `Status`. */
  fetch(_request: Request, _peer?: PeerInfo): Promise<Response> {
    void [this.#clock, this.#random];
    const { status } = notImplemented("anything yet");
    return Promise.resolve(Response.json(status, { status: status.code }));
  }

  /** Ends all watches and timers. */
  [Symbol.dispose](): void {}
}
