import type { ByteSource } from "./http1/byte_source.ts";

/**
 * An answer between the network and the client: the web's `Response` without its streams, which cost
 * a process that makes a single call a tenth of its time.
 */
export interface Answer {
  /** The HTTP status, from 200 to 599. */
  readonly status: number;
  /** What follows the status, for people. */
  readonly statusText: string;
  /** The headers. */
  readonly headers: Headers;
  /** The body, decompressed: whole if it came with the head, else as it comes. */
  readonly body: Uint8Array | ByteSource;
  /** Whether a chunk of the body may share its memory with others. */
  readonly shares: boolean;
}

/** The statuses that a `Response` may not have a body with. */
export const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** What each `Response` was made of, and the stream that its body comes by. */
const answers = new WeakMap<Response, { readonly answer: Answer; readonly stream: unknown }>();

/**
 * Makes the web's `Response` of an answer. The body is read as it is asked for (a slow reader slows
 * the server down); cancelling it closes the connection, and a cut one errors.
 */
export function responseOf(answer: Answer): Response {
  const { status, statusText, headers, body } = answer;
  const none = NO_BODY.has(status) || body instanceof Uint8Array && body.length === 0;
  const response = new Response(none ? null : webBody(body), { status, statusText, headers });
  const stream = body instanceof Uint8Array ? undefined : response.body;
  answers.set(response, { answer, stream });
  return response;
}

/**
 * The answer that a `Response` is. One that was made of an answer, and that nobody has begun to read
 * or cloned, gives that back; who takes it leaves the `Response` alone.
 */
export function answerOf(response: Response): Answer {
  const made = answers.get(response);
  const { status, statusText, headers } = response;
  if (made && !response.bodyUsed && isOurs(made.stream, response)) {
    answers.delete(response);
    // A wrapper may have changed them.
    return { ...made.answer, headers };
  }
  const body = response.body ? sourceOf(response.body) : new Uint8Array();
  return { status, statusText, headers, body, shares: true };
}

/** Whether nobody has begun to read or cloned it; a body that came whole may be read any time. */
function isOurs(stream: unknown, response: Response): boolean {
  return stream === undefined || stream === response.body && !response.body?.locked;
}

/** Ends the reading of an answer's body. */
export function discard({ body }: Answer, reason: unknown): void {
  if (!(body instanceof Uint8Array)) body.cancel(reason);
}

function webBody(body: Uint8Array | ByteSource): BodyInit {
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await body.read();
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
    cancel: (reason) => body.cancel(reason ?? new Error("the body was cancelled")),
  }, { highWaterMark: 0 });
}

/** What is read of a stream that somebody else made. */
function sourceOf(body: ReadableStream<Uint8Array>): ByteSource {
  const reader = body.getReader();
  return {
    read: async () => (await reader.read()).value,
    cancel: (reason) => void reader.cancel(reason).catch(() => {}),
  };
}
