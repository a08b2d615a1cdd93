import { noteLoopTurn } from "@xca/apimachinery/internal/base";
import type { ByteSource } from "./http1/byte_source.ts";
import type { ResponseHeaders } from "./response_headers.ts";

/**
 * A function that removes the credentials of a call from a text of the server, for error messages.
 */
export type Hide = (text: string) => string;

/**
 * An HTTP response as the transport passes it to the client. The interface avoids the streams of
 * the class `Response`, which take a tenth of the time of a process that makes a single call.
 */
export interface Answer {
  /** The HTTP status code of the response, from 200 to 599. */
  readonly status: number;
  /** The reason phrase after the HTTP status code of the response. */
  readonly statusText: string;
  /** The headers of the response. */
  readonly headers: ResponseHeaders;
  /**
   * The decompressed body of the response: whole if it arrived with the head, else a source to read
   * from.
   */
  readonly body: Uint8Array | ByteSource;
  /**
   * Reports whether a chunk of the response body may share its memory with other chunks, so that
   * the reader must not release it.
   */
  readonly shares: boolean;
  /**
   * The function that removes the credentials of the call from a text of the response body.
   *
   * @default returns the text unchanged
   */
  readonly hide?: Hide;
}

/** The HTTP status codes with which a `Response` may not have a body. */
export const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Defines the class of a `Response` that keeps the transport's {@linkcode Answer} from which it was
 * created, so that a response that passes through a wrapped {@linkcode Fetch} is read without the
 * streams of `Response`. A clone does not have the {@linkcode Answer}.
 *
 * The class is not defined by the module itself, since the runtime loads `Response` with its streams
 * at the first use, 3 ms of the start of a process, and most processes use none.
 */
function defineAnswerResponse() {
  return class AnswerResponse extends Response {
    readonly #answer: Answer;
    readonly #stream: unknown;
    #isTaken = false;

    constructor(answer: Answer) {
      const { status, statusText, headers, body } = answer;
      const none = NO_BODY.has(status) || body instanceof Uint8Array && body.length === 0;
      super(none ? null : webBody(body), { status, statusText, headers: [...headers] });
      this.#answer = answer;
      this.#stream = body instanceof Uint8Array ? undefined : this.body;
    }

    /**
     * Returns the transport's {@linkcode Answer} of a `Response`, and marks it as taken; `undefined`
     * when the `Response` has none, its body was read or taken before, or the body is a stream that
     * was cloned.
     */
    static take(response: Response): Answer | undefined {
      if (!(#answer in response) || response.#isTaken || response.bodyUsed) return undefined;
      const stream = response.#stream;
      if (stream !== undefined && (stream !== response.body || response.body?.locked)) {
        return undefined;
      }
      response.#isTaken = true;
      // A wrapper may have changed the headers.
      return { ...response.#answer, headers: response.headers };
    }

    /**
     * Returns the function that removes credentials from the body of a `Response`; see {@linkcode
     * Answer.hide}.
     */
    static hideOf(response: Response): Hide {
      return #answer in response && response.#answer.hide || ((text) => text);
    }
  };
}

let answerResponse: ReturnType<typeof defineAnswerResponse> | undefined;

/**
 * Creates a `Response` from the transport's {@linkcode Answer}. The body is read on demand (a slow
 * reader slows the server down); cancelling the body closes the connection, and a read of the body
 * rejects when the connection breaks.
 */
export function responseOf(answer: Answer): Response {
  answerResponse ??= defineAnswerResponse();
  return new answerResponse(answer);
}

/**
 * Returns a `Response` as the transport's {@linkcode Answer}; the caller must not read the response
 * afterwards. For an unread response of {@linkcode responseOf} that was not cloned, the result is
 * the answer it was made from, with the present headers of the response.
 */
export function answerOf(response: Response): Answer {
  const taken = answerResponse?.take(response);
  if (taken) return taken;
  const { status, statusText, headers } = response;
  const body = response.body ? sourceOf(response.body) : new Uint8Array();
  return { status, statusText, headers, body, shares: true };
}

/**
 * Returns the function that removes credentials from the body of a `Response`. For a `Response`
 * that a wrapper created, the function hides nothing.
 */
export function hideOf(response: Response): Hide {
  return answerResponse?.hideOf(response) ?? ((text) => text);
}

/** Cancels the body of an HTTP response, unless the whole body is in memory. */
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

/**
 * Returns a byte source that reads a `ReadableStream`. The source records a read that waits for the
 * event loop (`noteLoopTurn`), as the transport records its own, so that readers can distinguish it
 * from a read of buffered data.
 */
function sourceOf(body: ReadableStream<Uint8Array>): ByteSource {
  const reader = body.getReader();
  return {
    read: async () => {
      const pending = reader.read();
      if (!await settlesAtOnce(pending)) noteLoopTurn();
      return (await pending).value;
    },
    cancel: (reason) => void reader.cancel(reason).catch(() => {}),
  };
}

/**
 * The number of microtasks within which the buffered chunk of a `ReadableStream` arrives. Streams
 * take one to five; `tests/runtime_guesses_test.ts` fails when they take more than half of this.
 */
export const READY_WITHIN = 32;

/**
 * Reports whether a promise settles without a turn of the event loop. Elapsed time would not show
 * it, because a garbage collection takes as long as a wait.
 */
async function settlesAtOnce(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = (): boolean => settled = true;
  promise.then(settle, settle);
  for (let microtasks = 0; microtasks < READY_WITHIN && !settled; microtasks++) await undefined;
  return settled;
}
