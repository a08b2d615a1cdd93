import { beforeAbort } from "@xca/apimachinery/internal/base";
import { type Answer, answerOf, discard } from "./answer.ts";
import { abortSignalOf, type CallSignal } from "./http1/call_abort.ts";
import type { Fetch } from "./fetch.ts";
import { requestWithPairs } from "./header_pairs.ts";
import type { HeaderPair } from "./http1/header_pair.ts";
import { checkHead } from "./http1/request_head.ts";

/**
 * An HTTP request of the client to the transport, without the `Request` class: the argument of
 * {@linkcode Send}.
 */
export interface Outgoing {
  /** The HTTP method of the outgoing request. */
  readonly method: string;
  /** The URL of the outgoing request. */
  readonly url: string;
  /** The headers of the outgoing request; a name may occur several times. */
  readonly headers: readonly HeaderPair[];
  /** The body of the outgoing request; `undefined` without a body. */
  readonly body: string | Uint8Array | undefined;
  /** The signal that aborts the outgoing request. */
  readonly signal: CallSignal;
  /**
   * The callback that throws when the request may not be written now; the transport calls it in
   * each step that writes a part of the request.
   *
   * @default every request is admitted
   */
  readonly admit?: (() => void) | undefined;
}

/**
 * The function by which the client sends a request to the network, without `Request` and
 * `Response`, which take a tenth of the time of a process that makes a single call. The promise
 * rejects with the reason of the request's signal when that aborts before the head of the response
 * has arrived.
 */
export type Send = (request: Outgoing) => Promise<Answer>;

/**
 * Returns the send function of a client whose network is a {@linkcode Fetch}. It calls {@linkcode
 * Outgoing.admit} once, before the {@linkcode Fetch}, and rejects with a RequestHeadError for a
 * head that cannot be sent. Redirects are not followed.
 */
export function sendBy(fetch: Fetch): Send {
  return async ({ url, body, admit, ...request }) => {
    checkHead(request);
    const whole = requestWithPairs(url, {
      ...request,
      signal: abortSignalOf(request.signal),
      ...(body === undefined ? {} : { body: body as BodyInit }),
      redirect: "manual",
    });
    admit?.();
    const answer = fetch(whole).then(answerOf);
    return await beforeAbort(answer, request.signal, discard);
  };
}
