import type { ByteSource } from "../calls/byte_source.ts";
import { responseWithBytes, responseWithSource } from "../calls/whole_body.ts";
import { gunzipped } from "./gunzip.ts";
import type { HttpAnswer } from "./http1/connection.ts";
import { headerList } from "./http1/response_head.ts";

/** The statuses that a `Response` may not have a body with. */
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Makes the web's `Response` of an answer, decompressed when it is gzip. The body is read as it is
 * asked for (a slow reader slows the server down); cancelling it closes the connection, and a cut one
 * errors.
 *
 * @throws {TypeError} When a `Response` cannot have that status.
 */
export async function webResponse({ head, body }: HttpAnswer): Promise<Response> {
  const { status } = head;
  const whole = body instanceof Uint8Array;
  if (status < 200 || status > 599) {
    const error = new TypeError(`the server answered with the HTTP status ${status}`);
    if (!whole) body.cancel(error);
    throw error;
  }
  const headers = head.headers as [string, string][];
  if (NO_BODY.has(status)) {
    if (!whole) body.cancel(new Error(`nobody reads a body with the status ${status}`));
    return new Response(null, { status, headers });
  }
  if (headerList(head, "content-encoding").join().toLowerCase() === "gzip") {
    const plain = headers.filter(([name]) => !/^content-(encoding|length)$/i.test(name));
    const source = whole ? sourceOf(body) : body;
    return responseWithSource(await gunzipped(source), { status, headers: plain });
  }
  return whole
    ? responseWithBytes(body, { status, headers })
    : responseWithSource(body, { status, headers });
}

/** A body that came whole, to be read as others are. */
function sourceOf(bytes: Uint8Array): ByteSource {
  let left: Uint8Array | undefined = bytes.length > 0 ? bytes : undefined;
  return {
    read: () => {
      const chunk = left;
      left = undefined;
      return Promise.resolve(chunk);
    },
    cancel: () => void (left = undefined),
  };
}
