import type { ByteSource } from "./http1/byte_source.ts";
import { type Answer, NO_BODY } from "./answer.ts";
import { gunzipped } from "./gunzip.ts";
import { ReceivedHeaders } from "./response_headers.ts";
import type { HttpAnswer } from "./http1/connection.ts";
import { headerList } from "./http1/response_head.ts";

/**
 * Returns the {@linkcode Answer} of an HTTP response, with a gzip body decompressed and without the
 * headers `Content-Encoding` and `Content-Length` of such a body. A body that the status (204, 205,
 * 304) does not allow is cancelled, and empty in the result.
 *
 * @throws {TypeError} When the status is not between 200 and 599, which a `Response` cannot have.
 */
export function answerFrom({ head, body }: HttpAnswer): Answer | Promise<Answer> {
  const { status, reason } = head;
  const whole = body instanceof Uint8Array;
  if (status < 200 || status > 599) {
    const error = new TypeError(`the server answered with the HTTP status ${status}`);
    if (!whole) body.cancel(error);
    throw error;
  }
  const pairs = head.headers;
  const answer = { status, statusText: reason, shares: false };
  if (NO_BODY.has(status)) {
    if (!whole) {
      body.cancel(new Error(`the body of an answer with the status ${status} is not read`));
    }
    return { ...answer, headers: new ReceivedHeaders(pairs), body: new Uint8Array() };
  }
  const isGzip = headerList(head, "content-encoding").join().toLowerCase() === "gzip";
  if (!isGzip) return { ...answer, headers: new ReceivedHeaders(pairs), body };
  const plain = pairs.filter(([name]) => !/^content-(encoding|length)$/i.test(name));
  return decompressed({ ...answer, headers: new ReceivedHeaders(plain) }, body);
}

async function decompressed(
  answer: Omit<Answer, "body">,
  body: HttpAnswer["body"],
): Promise<Answer> {
  const source = body instanceof Uint8Array ? sourceOf(body) : body;
  return { ...answer, body: await gunzipped(source) };
}

/** Returns a whole response body as a byte source. */
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
