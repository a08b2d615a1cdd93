import type { Work } from "@xca/apimachinery/internal/base";

/** More than this is not kept for a reader who does not read, in bytes: its stream ends. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** Frames that wait go out together, up to so many bytes. */
const BATCH_BYTES = 64 * 1024;

/**
 * What a watcher is sent: first what `initial` gives, made when it is read, then what is pushed, which
 * waits for the reader within bounds.
 */
export class FrameStream {
  /** The body of the answer. */
  readonly body: ReadableStream<Uint8Array>;
  readonly #initial: Iterator<Uint8Array | Promise<Uint8Array> | undefined>;
  readonly #onEnd: () => void;
  readonly #work: Work;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #initialDone = false;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** The reader waits for a frame. */
  #idle = false;
  /** No more is taken; what waits is still sent. */
  #ending = false;
  #ended = false;

  /**
   * An `undefined` of `initial` sends nothing. `onEnd` is called once, when nothing
   * more can be sent.
   */
  constructor(
    initial: Iterable<Uint8Array | Promise<Uint8Array> | undefined>,
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

  /** Sends a frame, once those before it are sent. */
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

  /** Ends the stream once all that waits is sent. */
  end(): void {
    this.#ending = true;
    if (this.#idle && !this.#ended) {
      this.#controller.close();
      this.#finish();
    }
  }

  /** Ends the stream now. */
  cut(): void {
    if (this.#ended) return;
    this.#controller.close();
    this.#finish();
  }

  async #pull(): Promise<void> {
    while (!this.#initialDone) {
      if (this.#work.used && !await this.#turn()) return;
      const { done, value } = this.#initial.next();
      if (!done) {
        if (value === undefined) continue;
        const frame = value instanceof Promise ? await value.catch(() => undefined) : value;
        if (frame === undefined) this.cut();
        else if (!this.#ended) this.#controller.enqueue(frame);
        return;
      }
      this.#initialDone = true;
    }
    if (this.#waiting.length > 0) this.#controller.enqueue(this.#batch());
    else if (this.#ending) this.cut();
    else this.#idle = true;
  }

  /** Waits for the turn of this stream; whether it goes on then. */
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
    this.#initial.return?.();
    this.#onEnd();
  }
}
