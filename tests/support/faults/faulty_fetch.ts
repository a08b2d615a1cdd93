/**
 * Faults between a client and its network: each function takes a fetch function and returns one
 * that damages some of the responses.
 *
 * @module
 */
import type { Random } from "../../../lib/apimachinery/base/time/random.ts";
import type { Fetch } from "../../../lib/client/transport/fetch.ts";

/** Reports whether a request is a watch. */
export function isWatch(request: Request): boolean {
  return new URL(request.url).searchParams.has("watch");
}

/** Reports whether a request is a discovery of the resources of a group and version. */
export function isDiscovery(request: Request): boolean {
  return /^\/(api|apis\/[^/]+)\/[^/]+$/.test(new URL(request.url).pathname);
}

/** Reports whether a request writes a status. */
export function isStatusWrite(request: Request): boolean {
  return request.method === "PUT" && new URL(request.url).pathname.endsWith("/status");
}

/**
 * Passes the bodies of responses in random pieces of 1 to 7 bytes, so that every character is cut.
 */
export function crumbled(fetch: Fetch, random: Random): Fetch {
  return (request) =>
    throughBody(fetch(request), (chunk, controller) => {
      for (let at = 0; at < chunk.length;) {
        const end = at + 1 + Math.floor(random.next() * 7);
        controller.enqueue(chunk.slice(at, end));
        at = end;
      }
    });
}

/**
 * Makes text invalid UTF-8: the last byte of each occurrence of `marker` becomes 0xff. The lengths
 * stay the same, so that only the text is damaged. `on` is asked at each byte whether to.
 */
export function corrupted(fetch: Fetch, marker: string, on: () => boolean): Fetch {
  const bytes = new TextEncoder().encode(marker);
  return (request) => {
    let matched = 0;
    return throughBody(fetch(request), (chunk, controller) => {
      const copy = chunk.slice();
      for (const [at, byte] of chunk.entries()) {
        matched = byte === bytes[matched] ? matched + 1 : byte === bytes[0] ? 1 : 0;
        if (matched < bytes.length) continue;
        matched = 0;
        if (on()) copy[at] = 0xff;
      }
      controller.enqueue(copy);
    });
  };
}

/** Transforms the body of a response, chunk by chunk. */
export async function throughBody(
  answer: Promise<Response>,
  transform: (
    chunk: Uint8Array<ArrayBuffer>,
    controller: TransformStreamDefaultController<Uint8Array<ArrayBuffer>>,
  ) => void | Promise<void>,
): Promise<Response> {
  const response = await answer;
  const { status, statusText, headers, body } = response;
  if (!body) return response;
  const through = body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({ transform }),
  );
  return new Response(through, { status, statusText, headers });
}

/** Returns an error response in a server's form. */
export function refusal(
  code: number,
  { reason, message, headers = {} }: {
    readonly reason: string;
    readonly message: string;
    readonly headers?: Record<string, string>;
  },
): Response {
  const status = { apiVersion: "v1", kind: "Status", status: "Failure", code, reason, message };
  return Response.json(status, { status: code, headers });
}
