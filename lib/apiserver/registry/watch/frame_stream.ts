// Mirrors `endpoints/handlers/watch.go, WatchServer`.
import type { Work } from "@xca/apimachinery/internal/base";
import type { SelectedFrame } from "./watch_form.ts";

/**
 * The maximum number of bytes of watch events that are buffered for a client; a client that falls
 * behind further is disconnected.
 */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** The size in bytes from which a chunk of waiting watch events is sent without further events. */
const BATCH_BYTES = 64 * 1024;
/**
 * The maximum number of calls that wait for a client to read the initial events of a watch; a
 * client that lets more wait is disconnected.
 */
const MAX_DEFERRED = 10_000;

/**
 * The response body of a watch: the frames of `initial`, made lazily as they are read, then all
 * frames that are pushed, buffered up to a limit.
 */
export class FrameStream {
  /** The stream with the body of the watch response. */
  readonly body: ReadableStream<Uint8Array>;
  readonly #initial: Iterator<SelectedFrame>;
  readonly #onEnd: () => void;
  readonly #work: Work;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #initialDone = false;
  /** The functions to call when the last frame of the watch's initial events is sent. */
  #deferred: (() => void)[] = [];
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** Reports whether the client waits for a chunk of the watch that is not available yet. */
  #idle = false;
  /** Reports whether the watch accepts no further frames; buffered frames are still sent. */
  #ending = false;
  #ended = false;

  /**
   * Creates the response body of a watch, which sends the frames `initial` first; `undefined`
   * elements send nothing, and an error of the iterator or of a promise ends the body. `onEnd` is
   * called once, when the stream cannot send any more.
   */
  constructor(
    initial: Iterable<SelectedFrame>,
    onEnd: () => void,
    work: Work,
  ) {
    this.#initial = initial[Symbol.iterator]();
    this.#onEnd = onEnd;
    this.#work = work;
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.#pull(),
      cancel: () => this.#finish(),
    }, { highWaterMark: 0 });
  }

  /**
   * Sends a watch frame if the client waits for a chunk, otherwise buffers the frame. Ends the body
   * at once if more than {@linkcode MAX_WAITING_BYTES} are buffered. Does nothing after the end of
   * the watch.
   */
  push(frame: Uint8Array): void {
    if (this.#ending || this.#ended) return;
    if (this.#idle) {
      this.#idle = false;
      this.#controller.enqueue(frame);
      return;
    }
    this.#waiting.push(frame);
    this.#waitingBytes += frame.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES) this.cut();
  }

  /** Ends the watch's body after the initial and the buffered frames; later frames are dropped. */
  end(): void {
    this.#ending = true;
    if (this.#idle && !this.#ended) {
      this.#controller.close();
      this.#finish();
    }
  }

  /**
   * Calls a function once all initial frames of the watch are sent, at once if they have been sent
   * already. The function is never called if the watch ends before. Ends the body at once if more
   * than {@linkcode MAX_DEFERRED} functions wait.
   */
  afterInitial(run: () => void): void {
    if (this.#initialDone) return run();
    if (this.#ended) return;
    this.#deferred.push(run);
    if (this.#deferred.length > MAX_DEFERRED) this.cut();
  }

  /** Ends the watch's body at once and drops the buffered frames. */
  cut(): void {
    if (this.#ended) return;
    this.#controller.close();
    this.#finish();
  }

  async #pull(): Promise<void> {
    while (!this.#initialDone) {
      if (this.#work.used && !await this.#turn()) return;
      try {
        const { done, value } = this.#initial.next();
        const frame = value instanceof Promise ? await value : value;
        if (this.#ended) return;
        if (frame) return this.#controller.enqueue(frame);
        this.#initialDone = done === true;
      } catch {
        return this.cut();
      }
    }
    for (const run of this.#deferred.splice(0)) run();
    if (this.#waiting.length > 0) this.#controller.enqueue(this.#batch());
    else if (this.#ending) this.cut();
    else this.#idle = true;
  }

  /**
   * Waits for the watch's share of the event loop. Reports whether the watch's body is still open
   * afterwards.
   */
  async #turn(): Promise<boolean> {
    try {
      await this.#work.next();
    } catch {
      this.cut();
    }
    return !this.#ended;
  }

  #batch(): Uint8Array {
    let count = 0;
    let length = 0;
    do length += this.#waiting[count++]!.length; while (
      count < this.#waiting.length && length < BATCH_BYTES
    );
    const frames = this.#waiting.splice(0, count);
    this.#waitingBytes -= length;
    if (count === 1) return frames[0]!;
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const frame of frames) {
      bytes.set(frame, at);
      at += frame.length;
    }
    return bytes;
  }

  #finish(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#deferred = [];
    this.#initial.return?.();
    this.#onEnd();
  }
}
