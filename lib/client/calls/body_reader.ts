import { type Clock, errorText, systemClock } from "@xca/apimachinery/base";
import { release } from "@xca/apimachinery/internal/base";
import { IdleDeadline } from "./idle_deadline.ts";
import { SilentPeerError } from "../transport/http1/silent_peer_error.ts";
import { IdleTimeoutError, StreamBrokenError } from "../errors/unreachable_error.ts";
import type { ByteSource } from "../transport/http1/byte_source.ts";
import type { Answer, Hide } from "../transport/answer.ts";

/** An answer whose body is still to be read, with the means to end it. */
export interface OpenCall extends Disposable {
  /** What the server answered. */
  readonly answer: Answer;
  /** Aborted when the call is given up, for whatever reason. */
  readonly signal: AbortSignal;
  /** What is read, for messages: `watch of pods.v1`. */
  readonly what: string;
  /** A text of the server without what proved us, which a careless one may repeat. */
  readonly hide: Hide;
  /** Gives the call up and closes its connection. */
  abort(reason: unknown): void;
  /** Lets go of timers and listeners. Does not close the connection. */
  [Symbol.dispose](): void;
}

/** Options for {@linkcode BodyReader}. */
export interface BodyReaderOptions {
  /** After how many milliseconds without a byte the body is given up. @default none */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * Whether a chunk is good only until the next is asked for: its memory is then used again at once,
   * which a body of many megabytes is well worth.
   *
   * @default {false}
   */
  readonly lends?: boolean | undefined;
  /** The source of time. @default {systemClock} */
  readonly clock?: Clock;
}

/**
 * Reads the body of an answer, chunk by chunk, under an idle deadline and the call's signal.
 * Disposing it closes the connection unless the body was read to its end.
 */
export class BodyReader implements Disposable {
  readonly #call: OpenCall;
  readonly #source: ByteSource | undefined;
  readonly #lends: boolean;
  readonly #idle: IdleDeadline | undefined;
  readonly #onAbort: (() => void) | undefined;
  /** A body that came whole and is still to be handed out. */
  #whole: Uint8Array | undefined;
  /** The chunk that is out on loan. */
  #lent: Uint8Array | undefined;
  #open = true;

  /** Takes the call over: disposing this disposes the call. */
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
    // A pending read of a body that knows nothing of the signal ends by this alone.
    this.#onAbort = () => this.#source?.cancel(call.signal.reason);
    call.signal.addEventListener("abort", this.#onAbort, { once: true });
    if (idleTimeoutMs) {
      this.#idle = new IdleDeadline(
        idleTimeoutMs,
        clock,
        () => call.abort(new IdleTimeoutError(call.what, idleTimeoutMs)),
      );
    }
  }

  /**
   * The next chunk; `undefined` at the end.
   *
   * @throws {IdleTimeoutError} When none came in time.
   * @throws {StreamBrokenError} When the body was cut.
   * @throws {unknown} The reason of the call's signal.
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
   * The rest of the body as text, of at most `maxBytes` bytes; what is beyond is left out, and the
   * connection closed, once `onCut` was told.
   */
  async text(maxBytes: number = Infinity, onCut: () => void = () => {}): Promise<string> {
    if (this.#whole && this.#whole.byteLength <= maxBytes && !this.#call.signal.aborted) {
      const whole = this.#whole;
      this[Symbol.dispose]();
      return new TextDecoder().decode(whole);
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
    this[Symbol.dispose]();
    return text + decoder.decode();
  }

  /** A text of the server as messages may show it, see {@linkcode OpenCall.hide}. */
  hide(text: string): string {
    return this.#call.hide(text);
  }

  #end(): undefined {
    this[Symbol.dispose]();
    return undefined;
  }

  /** Ends the reading. */
  [Symbol.dispose](): void {
    if (!this.#open) return;
    this.#open = false;
    this.#idle?.[Symbol.dispose]();
    if (this.#onAbort) this.#call.signal.removeEventListener("abort", this.#onAbort);
    // Before the call lets go of its signal; a body read to its end takes it for nothing.
    this.#source?.cancel(new Error("the reading ended"));
    this.#call[Symbol.dispose]();
  }
}
