import { type Clock, delay } from "@xca/apimachinery/base";
import type { Fetch } from "../../client/transport/fetch.ts";
import { checkNumber } from "../check_number.ts";

/** The dependencies of a {@linkcode Fault}, a simulated failure of requests. */
export interface FaultTools {
  /** The clock that measures the delays of the fault. */
  readonly clock: Clock;
}

/**
 * A fault: a function that handles a request in place of `next`, the fetch function to the server,
 * which the fault may call; for {@linkcode withFault}.
 */
export type Fault = (request: Request, next: Fetch, tools: FaultTools) => Promise<Response>;

/**
 * Returns a fault that delays a call on its way to the server by `ms` milliseconds. A call that is
 * aborted meanwhile rejects with the reason and never reaches the server.
 *
 * @throws {RangeError} When `ms` is not a number of at least 0.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { delayCall, withFault } from "@xca/operator/testing";
 *
 * const slow = withFault(delayCall(1), () => Promise.resolve(new Response("late")));
 * assert.equal(await (await slow.fetch(new Request("https://server/"))).text(), "late");
 * ```
 */
export function delayCall(ms: number): Fault {
  checkNumber("delayCall: the delay in milliseconds", ms, { least: 0, whole: false });
  return async (request, next, { clock }) => {
    await delay(ms, { clock, signal: request.signal });
    return await next(request);
  };
}

/**
 * Returns a fault that makes a call fail as if its connection were lost: before the request reaches
 * the server, or with `after` once the server has handled it, so that its response is lost. The
 * call rejects with a `TypeError` in both cases.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { dropCall, withFault } from "@xca/operator/testing";
 *
 * let reached = 0;
 * const server = () => Promise.resolve(new Response(String(++reached)));
 * const lost = withFault(dropCall("after"), server);
 * await assert.rejects(lost.fetch(new Request("https://server/")), TypeError);
 * assert.equal(reached, 1);
 * ```
 */
export function dropCall(when: "before" | "after" = "before"): Fault {
  return async (request, next) => {
    if (when === "after") await (await next(request)).body?.cancel();
    throw new TypeError(`Connection lost ${when} the call, by a fault`);
  };
}

/**
 * Returns a fault that breaks the body of the response with a `TypeError` after a number of bytes;
 * a shorter body passes, one of just that length does not. Status and headers, except
 * `content-length`, are kept.
 *
 * @throws {RangeError} When the number of bytes is not a whole number of at least 0.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { cutAnswer, withFault } from "@xca/operator/testing";
 *
 * const broken = withFault(cutAnswer(2), () => Promise.resolve(new Response("whole")));
 * const answer = await broken.fetch(new Request("https://server/"));
 * await assert.rejects(answer.text(), TypeError);
 * ```
 */
export function cutAnswer(afterBytes: number): Fault {
  checkNumber("cutAnswer: the number of bytes", afterBytes, { least: 0 });
  return async (request, next) => {
    const answer = await next(request);
    if (answer.body === null) return answer;
    let left = afterBytes;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (chunk.length < left) {
          left -= chunk.length;
          return controller.enqueue(chunk);
        }
        if (left > 0) controller.enqueue(chunk.subarray(0, left));
        controller.error(
          new TypeError(`Connection lost after ${afterBytes} bytes, by a fault`),
        );
      },
    });
    const headers = new Headers(answer.headers);
    headers.delete("content-length");
    return new Response(answer.body.pipeThrough(cut), { status: answer.status, headers });
  };
}

/** The fields of the `Status` that the fault {@linkcode answerStatus} responds with. */
export interface FaultStatus {
  /** The HTTP status code of the simulated failure, 400 to 599. */
  readonly code: number;
  /** The reason of the simulated failure's `Status`, such as `Conflict`. @default none */
  readonly reason?: string;
  /** The message of the simulated failure's `Status` for users. @default {"a fault of a test"} */
  readonly message?: string;
  /**
   * The delay before a retry in whole seconds, sent in the `Status` and as `Retry-After`.
   *
   * @default none
   */
  readonly retryAfterSeconds?: number;
}

/**
 * Returns a fault that responds with a `Status` of failure; the call does not reach the server.
 *
 * @throws {RangeError} When the code is not a whole number from 400 to 599, or the delay before a
 * retry not a whole number of at least 0.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConfigMap } from "@xca/operator/meta";
 * import { answerStatus, ApiServer, clientOf, withFault } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * const conflict = answerStatus({ code: 409, reason: "Conflict", message: "the object has been modified" });
 * using client = clientOf(server, {
 *   through: (fetch) => withFault(conflict, fetch, { when: { verb: "create" }, times: 1 }).fetch,
 * });
 * const object = { metadata: { name: "a" } };
 * await assert.rejects(client.create(ConfigMap, object), /the object has been modified/);
 * await client.create(ConfigMap, object);
 * ```
 */
export function answerStatus(status: FaultStatus): Fault {
  const { code, reason, message = "a fault of a test", retryAfterSeconds } = status;
  checkNumber("answerStatus: code", code, { least: 400, most: 599 });
  if (retryAfterSeconds !== undefined) {
    checkNumber("answerStatus: retryAfterSeconds", retryAfterSeconds, { least: 0 });
  }
  const body = JSON.stringify({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    ...(reason !== undefined && { reason }),
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
    code,
  });
  const headers = {
    "Content-Type": "application/json",
    ...(retryAfterSeconds !== undefined && { "Retry-After": String(retryAfterSeconds) }),
  };
  return () => Promise.resolve(new Response(body, { status: code, headers }));
}
