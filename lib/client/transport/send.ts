import { type Answer, answerOf } from "./answer.ts";
import type { Fetch } from "./fetch.ts";
import type { HeaderPair } from "./http1/header_pair.ts";
import { requestWithPairs } from "./header_pairs.ts";

/** A request of the client, before it is the web's `Request`. */
export interface Outgoing {
  /** The HTTP method. */
  readonly method: string;
  /** The whole URL. */
  readonly url: string;
  /** The headers; one may come twice. */
  readonly headers: readonly HeaderPair[];
  /** The body. */
  readonly body: string | Uint8Array | undefined;
  /** Gives the call up. */
  readonly signal: AbortSignal;
}

/** The network, without the web's classes in between. */
export type Send = (request: Outgoing) => Promise<Answer>;

/** Networks that can do without the web's classes. */
const sends = new WeakMap<Fetch, Send>();

/** Says of a network that it can be had without the web's classes too. */
export function withSend(fetch: Fetch, send: Send): Fetch {
  sends.set(fetch, send);
  return fetch;
}

/**
 * A network as the client calls it: without the web's `Request` and `Response` where the network can
 * do without them, which saves a process that makes a single call a tenth of its time; by them where
 * somebody wraps it or brings their own.
 */
export function sendBy(fetch: Fetch): Send {
  return sends.get(fetch) ?? (async ({ url, body, ...request }) =>
    answerOf(
      await fetch(requestWithPairs(url, {
        ...request,
        ...(body === undefined ? {} : { body: body as BodyInit }),
        redirect: "manual",
      })),
    ));
}
