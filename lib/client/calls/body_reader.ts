import { type Clock, errorText, systemClock } from "@xca/apimachinery/base";
import { release } from "@xca/apimachinery/internal/base";
import { IdleDeadline } from "./idle_deadline.ts";
import { SilentPeerError } from "../transport/http1/silent_peer_error.ts";
import { IdleTimeoutError, StreamBrokenError } from "../errors/unreachable_error.ts";
import type { CallSignal } from "../transport/http1/call_abort.ts";
import type { ByteSource } from "../transport/http1/byte_source.ts";
import type { Answer, Hide } from "../transport/answer.ts";

/** The decoder of bodies that were received as a whole; it keeps no state between them. */
const wholeDecoder = new TextDecoder();

/**
 * A call whose response headers have arrived: the response with its body unread, and the functions
 * that end the call. {@linkcode BodyReader} reads the body.
 */
export interface OpenCall extends Disposable {
  /** The HTTP response of the server to the call. */
  readonly answer: Answer;
  /** The signal of the call, which aborts when the call ends early, for any reason. */
  readonly signal: CallSignal;
  /** The name of the call's response for error messages: `watch of pods.v1`. */
  readonly what: string;
  /**
   * The function that removes the call's credentials from a text of the server, which may repeat
   * the request.
   */
  readonly hide: Hide;
  /** Aborts the call and closes its connection. */
  abort(reason: unknown): void;
  /** Releases the timers and listeners of the call. Does not close its connection. */
  [Symbol.dispose](): void;
}

/** Options of the class {@linkcode BodyReader}, which reads the body of a response in chunks. */
export interface BodyReaderOptions {
  /**
   * The longest wait for a chunk of the response body, in milliseconds; 0 is no limit.
   *
   * @default no limit
   */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * Sets whether the reader only lends chunks to the caller: it releases the memory of a chunk when
   * it reads the next chunk, rather than leaving that to the garbage collector. Ignored when chunks
   * of the response may share memory ({@linkcode Answer.shares}).
   *
   * @default {false}
   */
  readonly lends?: boolean | undefined;
  /** The clock that measures the wait for a chunk. @default {systemClock} */
  readonly clock?: Clock;
}

/**
 * A reader of an HTTP response body by chunks, under an idle deadline and the signal of the call.
 * Disposing the reader closes the connection unless the body was read to its end.
 */
export class BodyReader implements Disposable {
  readonly #call: OpenCall;
  readonly #source: ByteSource | undefined;
  readonly #lends: boolean;
  readonly #idle: IdleDeadline | undefined;
  readonly #onAbort: (() => void) | undefined;
  /**
   * A response body that was received completely and that the reader has not returned yet;
   * `undefined` for a stream, and after the return.
   */
  #whole: Uint8Array | undefined;
  /**
   * The chunk of the response body that was lent to the caller last and is not released yet;
   * `undefined` when there is none.
   */
  #lent: Uint8Array | undefined;
  #open = true;
  #textBytes = 0;

  /** Creates a reader of a call's response body. Disposing the reader disposes the call. */
  constructor(call: OpenCall, options: BodyReaderOptions = {}) {
    const { idleTimeoutMs, clock = systemClock } = options;
    this.#call = call;
    const { body, shares } = call.answer;
    this.#lends = !shares && (options.lends ?? false);
    if (body instanceof Uint8Array) {
      this.#whole = body;
      return;
    }
    this.#source = body;
    // When the call is aborted, ends a pending read of a source that does not observe the signal.
    const onAbort = (): void => this.#source?.cancel(call.signal.reason);
    call.signal.addEventListener("abort", onAbort, { once: true });
    this.#onAbort = onAbort;
    if (idleTimeoutMs) {
      this.#idle = new IdleDeadline(
        idleTimeoutMs,
        clock,
        () => call.abort(new IdleTimeoutError(call.what, idleTimeoutMs)),
      );
    }
  }

  /**
   * Returns the next chunk of the response body; `undefined` at the end, and once the reader was
   * disposed. One call at a time. Disposes the reader at the end and on an error. With {@linkcode
   * BodyReaderOptions.lends}, a chunk is valid until the next call.
   *
   * @throws {IdleTimeoutError} When no chunk arrived within `idleTimeoutMs`, or the connection
   * found that the server no longer responds at all.
   * @throws {StreamBrokenError} When the connection broke.
   * @throws {unknown} The reason of the signal, when the call was aborted.
   */
  async read(): Promise<Uint8Array | undefined> {
    const { signal } = this.#call;
    try {
      signal.throwIfAborted();
      if (!this.#open) return this.#end();
      const whole = this.#whole;
      this.#whole = undefined;
      if (whole && whole.byteLength > 0) return whole;
      if (!this.#source) return this.#end();
      if (this.#lent) release(this.#lent);
      this.#lent = undefined;
      this.#idle?.begin();
      const chunk = await this.#source.read();
      this.#idle?.end();
      signal.throwIfAborted();
      if (this.#lends) this.#lent = chunk;
      return chunk ?? this.#end();
    } catch (error) {
      this[Symbol.dispose]();
      if (signal.aborted) throw signal.reason;
      if (error instanceof SilentPeerError) {
        throw new IdleTimeoutError(this.#call.what, Math.round(error.silentMs), { cause: error });
      }
      throw new StreamBrokenError(this.#call.what, errorText(error), { cause: error });
    }
  }

  /**
   * Returns the rest of the response body, decoded as UTF-8, at most `maxBytes` bytes. When the
   * body is longer, calls `onCut` and closes the connection. Disposes the reader in either case.
   * Rejects as {@linkcode BodyReader.read} does: with an IdleTimeoutError, a StreamBrokenError or
   * the reason of the signal.
   */
  async text(maxBytes: number = Infinity, onCut: () => void = () => {}): Promise<string> {
    if (this.#whole && this.#whole.byteLength <= maxBytes && !this.#call.signal.aborted) {
      const whole = this.#whole;
      this.#textBytes = whole.byteLength;
      this[Symbol.dispose]();
      return wholeDecoder.decode(whole);
    }
    const decoder = new TextDecoder();
    let text = "";
    let bytes = 0;
    for (let chunk = await this.read(); chunk; chunk = await this.read()) {
      text += decoder.decode(chunk.subarray(0, maxBytes - bytes), { stream: true });
      bytes += chunk.byteLength;
      if (bytes > maxBytes) {
        onCut();
        break;
      }
    }
    this.#textBytes = bytes;
    this[Symbol.dispose]();
    return text + decoder.decode();
  }

  /**
   * The number of decompressed bytes of the response body that {@linkcode BodyReader.text} read,
   * all bytes of the chunk that exceeds its `maxBytes` included; 0 until the method has ended
   * successfully.
   */
  get textBytes(): number {
    return this.#textBytes;
  }

  /** Returns a text without the credentials of the call; see {@linkcode OpenCall.hide}. */
  hide(text: string): string {
    return this.#call.hide(text);
  }

  #end(): undefined {
    this[Symbol.dispose]();
    return undefined;
  }

  /** Cancels the rest of the response body and disposes the call. */
  [Symbol.dispose](): void {
    if (!this.#open) return;
    this.#open = false;
    this.#idle?.[Symbol.dispose]();
    if (this.#onAbort) this.#call.signal.removeEventListener("abort", this.#onAbort);
    // Cancels the source before the call releases its signal. A source that was read to its end
    // ignores the cancellation.
    this.#source?.cancel(new Error("the reading ended"));
    this.#call[Symbol.dispose]();
  }
}
