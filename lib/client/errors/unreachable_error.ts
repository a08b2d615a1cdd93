import { markClass } from "@xca/apimachinery/internal/base";

/**
 * The error of a server that cannot be reached: unknown host, refused connection, untrusted
 * certificate, no response in time. The message names the server, the reason and the next step;
 * `cause` has the details.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, UnreachableError } from "@xca/operator/client";
 * import { Namespace } from "@xca/operator/meta";
 *
 * const fetch = () => {
 *   const server = "https://example.invalid";
 *   return Promise.reject(new UnreachableError("no such host", { server, mayPass: false }));
 * };
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * await assert.rejects(client.get(Namespace, "default"), UnreachableError);
 * ```
 */
export class UnreachableError extends Error {
  /** The name of this error class, `UnreachableError`. */
  override readonly name = "UnreachableError";
  /** The URL of the unreachable server, without user information. */
  readonly server: string;
  /**
   * Reports whether the request certainly never reached the server, so that a retry is safe; false
   * when that is unknown.
   */
  readonly neverSent: boolean;
  /**
   * Reports whether the connection failure may be temporary; false, for example, for an untrusted
   * certificate.
   */
  readonly mayPass: boolean;

  /** Creates the error of a server that cannot be reached. */
  constructor(
    message: string,
    init: ErrorOptions & {
      /** The URL of the unreachable server, without user information. */
      readonly server: string;
      /** Sets {@linkcode UnreachableError.neverSent}. @default {false} */
      readonly neverSent?: boolean;
      /** Sets {@linkcode UnreachableError.mayPass}. @default {true} */
      readonly mayPass?: boolean;
    },
  ) {
    super(message, { cause: init.cause });
    this.server = init.server;
    this.neverSent = init.neverSent ?? false;
    this.mayPass = init.mayPass ?? true;
  }

  static {
    markClass(this, Symbol.for("@xca/operator/UnreachableError"));
  }
}

/**
 * The error of a server that sent nothing for longer than the deadline, in a watch or in the body
 * of a response.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { IdleTimeoutError } from "@xca/operator/client";
 *
 * const error = new IdleTimeoutError("watch of pods.v1", 30_000);
 * assert.equal(error.message, "Cannot go on with the watch of pods.v1: no byte came for 30000 ms");
 * ```
 */
export class IdleTimeoutError extends Error {
  /** The name of this error class, `IdleTimeoutError`. */
  override readonly name = "IdleTimeoutError";
  /** The time without a byte from the server, in milliseconds. */
  readonly idleTimeoutMs: number;

  /** Creates the error of an idle stream; `what` is its name, such as `watch of pods.v1`. */
  constructor(what: string, idleTimeoutMs: number, options?: ErrorOptions) {
    super(`Cannot go on with the ${what}: no byte came for ${idleTimeoutMs} ms`, options);
    this.idleTimeoutMs = idleTimeoutMs;
  }

  static {
    markClass(this, Symbol.for("@xca/operator/IdleTimeoutError"));
  }
}

/**
 * The error of a response body that ended early because its connection broke; `cause` has the
 * reason.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, podLogs, StreamBrokenError } from "@xca/operator/client";
 *
 * const body = () => new ReadableStream({ pull: (stream) => stream.error(new Error("reset")) });
 * const fetch = () => Promise.resolve(new Response(body()));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const log = await podLogs(client, "default/web-0");
 * await assert.rejects(new Response(log).text(), StreamBrokenError);
 * ```
 */
export class StreamBrokenError extends Error {
  /** The name of this error class, `StreamBrokenError`. */
  override readonly name = "StreamBrokenError";

  /** Creates the error of a broken stream; `what` is its name, such as `watch of pods.v1`. */
  constructor(what: string, reason: string, options?: ErrorOptions) {
    super(`Cannot read the ${what} to its end: ${reason}`, options);
  }

  static {
    markClass(this, Symbol.for("@xca/operator/StreamBrokenError"));
  }
}
