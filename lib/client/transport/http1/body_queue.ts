import type { ByteSource } from "./byte_source.ts";

/**
 * The memory of unread body chunks at which the connection is paused, in bytes; reading resumes
 * below half of this.
 */
const HELD_BYTES = 256 * 1024;
/** The approximate memory overhead of a body chunk, in bytes. */
const CHUNK_COST = 256;

/** The interface of the network connection whose reads a {@linkcode BodyQueue} controls. */
export interface BodyOrigin {
  /** Pauses reading from the connection, since the reader of the body is slow. */
  pause(): void;
  /** Resumes reading from the connection, since the body's reader has caught up. */
  resume(): void;
  /** Ends the connection before the end of the body, since the reader has cancelled. */
  cancel(reason: unknown): void;
}

/**
 * The queue of an HTTP response body between the connection, which pushes, and a reader, which
 * pulls.
 */
export class BodyQueue implements ByteSource {
  readonly #origin: BodyOrigin;
  readonly #chunks: Uint8Array[] = [];
  #held = 0;
  #paused = false;
  #ended = false;
  #failure: { readonly reason: unknown } | undefined;
  #reader: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  #settled = false;
  #onSettled: (() => void) | undefined;

  constructor(origin: BodyOrigin) {
    this.#origin = origin;
  }

  /**
   * Passes a chunk to the waiting reader, or adds it to the body queue, and pauses the connection
   * when the queue is full. The chunk belongs to the reader from now on. Ignores an empty chunk,
   * and every chunk after the end of the body.
   */
  push(chunk: Uint8Array): void {
    if (chunk.length === 0 || this.#ended) return;
    const reader = this.#reader;
    if (reader) {
      this.#reader = undefined;
      reader.resolve(chunk);
      return;
    }
    this.#chunks.push(chunk);
    this.#held += costOf(chunk);
    if (this.#held < HELD_BYTES || this.#paused) return;
    this.#paused = true;
    this.#origin.pause();
  }

  /** Marks the queued body as complete, unless it has ended already. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#reader?.resolve(undefined);
    this.#reader = undefined;
    if (this.#chunks.length === 0) this.#settle();
  }

  /**
   * Ends the queued body with an error, which the reader receives after the chunks before it. Has
   * no effect on a body that has ended already.
   */
  fail(reason: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = { reason };
    this.#reader?.reject(reason);
    this.#reader = undefined;
    this.#settle();
  }

  /**
   * Returns the next chunk of the body; `undefined` at the end. Rejects with the reason of a
   * failure or cancellation. See {@linkcode ByteSource.read}.
   */
  read(): Promise<Uint8Array | undefined> {
    const chunk = this.#chunks.shift();
    if (chunk) {
      this.#held -= costOf(chunk);
      if (this.#ended && this.#chunks.length === 0) this.#settle();
      if (this.#paused && this.#held < HELD_BYTES / 2) this.#resume();
      return Promise.resolve(chunk);
    }
    if (this.#failure) return Promise.reject(this.#failure.reason);
    if (this.#ended) return Promise.resolve(undefined);
    this.#reader = Promise.withResolvers();
    return this.#reader.promise;
  }

  /**
   * Drops the unread chunks, after which reads reject with the reason, and cancels the connection
   * unless the body has ended. See {@linkcode ByteSource.cancel}.
   */
  cancel(reason: unknown): void {
    const wasEnded = this.#ended;
    this.#chunks.length = this.#held = 0;
    this.fail(reason);
    this.#failure ??= { reason };
    this.#settle();
    if (!wasEnded) this.#origin.cancel(reason);
  }

  /**
   * Calls a function once the whole body was read, or the body failed or was cancelled; at once if
   * that has happened. Replaces the function of an earlier call.
   */
  whenSettled(callback: () => void): void {
    if (this.#settled) callback();
    else this.#onSettled = callback;
  }

  #settle(): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#onSettled?.();
  }

  #resume(): void {
    this.#paused = false;
    if (!this.#ended) this.#origin.resume();
  }
}

/**
 * Returns the memory that a body chunk takes, in bytes, with its overhead: more than its length if
 * it is a view of a larger buffer.
 */
function costOf({ buffer }: Uint8Array): number {
  return buffer.byteLength + CHUNK_COST;
}
