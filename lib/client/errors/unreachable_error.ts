/**
 * There is no talking to the server: no such host, connection refused, certificate not trusted, no
 * answer in time. The message says which server and why, and what to try next; `cause` has the rest.
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
  /** The error's name, the same for every instance. */
  override readonly name = "UnreachableError";
  /** The server's URL, without user information. */
  readonly server: string;
  /** Whether the request surely never reached the server, so that sending it again does no harm. */
  readonly neverSent: boolean;
  /** Whether it may pass by itself; a certificate of somebody else does not. */
  readonly mayPass: boolean;

  /** Makes the error. */
  constructor(
    message: string,
    init: ErrorOptions & {
      /** The server's URL, without user information. */
      readonly server: string;
      /** Whether the request surely never reached the server. @default {false} */
      readonly neverSent?: boolean;
      /** Whether it may pass by itself. @default {true} */
      readonly mayPass?: boolean;
    },
  ) {
    super(message, { cause: init.cause });
    this.server = init.server;
    this.neverSent = init.neverSent ?? false;
    this.mayPass = init.mayPass ?? true;
  }
}

/**
 * The peer was silent for longer than the deadline: of a watch, or of the body of an answer.
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
  /** The error's name, the same for every instance. */
  override readonly name = "IdleTimeoutError";
  /** The time without a byte, in milliseconds. */
  readonly idleTimeoutMs: number;

  /** Makes the error of `what`, as `watch of pods.v1`. */
  constructor(what: string, idleTimeoutMs: number, options?: ErrorOptions) {
    super(`Cannot go on with the ${what}: no byte came for ${idleTimeoutMs} ms`, options);
    this.idleTimeoutMs = idleTimeoutMs;
  }
}

/**
 * The body of an answer was cut before its end; `cause` tells by what.
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
  /** The error's name, the same for every instance. */
  override readonly name = "StreamBrokenError";

  /** Makes the error of `what`, as `watch of pods.v1`. */
  constructor(what: string, reason: string, options?: ErrorOptions) {
    super(`Cannot read the ${what} to its end: ${reason}`, options);
  }
}
