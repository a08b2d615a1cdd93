import type { Fetch } from "../../lib/client/transport/fetch.ts";

/** One step of a script: an answer, or what makes it or fails. */
export type Step = Response | ((request: Request) => Response | Promise<Response>);

/** A network that answers by a script, and keeps what it was asked. */
export interface ScriptedFetch {
  /** The network. */
  readonly fetch: Fetch;
  /** The requests, in order. */
  readonly requests: { method: string; url: URL; headers: Headers; body: string }[];
}

/**
 * Creates a fetch function that takes one step of the script per request, and fails at the end of
 * the script.
 */
export function scriptedFetch(...script: Step[]): ScriptedFetch {
  const requests: ScriptedFetch["requests"] = [];
  const fetch: Fetch = async (request) => {
    const { method, url, headers } = request;
    requests.push({ method, url: new URL(url), headers, body: await request.clone().text() });
    const step = script.shift();
    if (step === undefined) throw new Error(`the script has no answer to ${method} ${url}`);
    return typeof step === "function" ? await step(request) : step;
  };
  return { fetch, requests };
}

/** A refusal with a `Status`. */
export function refusal(
  code: number,
  { reason, retryAfter, metadata }: {
    reason?: string;
    retryAfter?: number;
    metadata?: Record<string, unknown>;
  } = {},
): Response {
  const status = {
    apiVersion: "v1",
    kind: "Status",
    metadata,
    status: "Failure",
    code,
    reason,
    message: `refused with ${code}`,
  };
  const headers: Record<string, string> = retryAfter === undefined
    ? {}
    : { "Retry-After": String(retryAfter) };
  return Response.json(status, { status: code, headers });
}

/** A body that sends the chunks given and then neither ends nor breaks. */
export function stalled(...chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
    },
  });
}

/** A promise that never settles. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
