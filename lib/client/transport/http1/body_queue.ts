import type { ByteSource } from "./byte_source.ts";

/** How much memory waits for its reader before the network is left alone, in bytes. */
const HELD_BYTES = 256 * 1024;
/** What a chunk takes beside its bytes, about. */
const CHUNK_COST = 256;

/** What a {@linkcode BodyQueue} asks of where its chunks come from. */
export interface BodyOrigin {
  /** Stop for now: the reader is slow. */
  pause(): void;
  /** Go on. */
  resume(): void;
  /** Nobody reads on, and the end was not there yet. */
  cancel(reason: unknown): void;
}

/** The body of an answer between the network, which pushes, and a reader, who pulls. */
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

  /** Makes an empty one. */
  constructor(origin: BodyOrigin) {
    this.#origin = origin;
  }

  /** Adds a chunk, which belongs to the reader from now on. */
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

  /** The body is whole. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#reader?.resolve(undefined);
    this.#reader = undefined;
    if (this.#chunks.length === 0) this.#settle();
  }

  /** The body will not be whole: the reader gets the reason, after what came before. */
  fail(reason: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = { reason };
    this.#reader?.reject(reason);
    this.#reader = undefined;
    this.#settle();
  }

  /** The next chunk, see {@linkcode ByteSource.read}. */
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

  /** Ends the reading, see {@linkcode ByteSource.cancel}. */
  cancel(reason: unknown): void {
    const wasEnded = this.#ended;
    this.#chunks.length = this.#held = 0;
    this.fail(reason);
    this.#failure ??= { reason };
    this.#settle();
    if (!wasEnded) this.#origin.cancel(reason);
  }

  /** Calls back once everything was read, or nothing more can be. */
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

/** The memory that a chunk holds: more than its bytes, if it was cut out of what came over the wire. */
function costOf({ buffer }: Uint8Array): number {
  return buffer.byteLength + CHUNK_COST;
}
