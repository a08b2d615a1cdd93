import { type Clock, systemClock, type Timer } from "@xca/apimachinery/base";

/** The number of reads within {@linkcode FLOOD_MS} that counts as a flood. */
const FLOOD_READS = 4;
/** See {@linkcode FLOOD_READS}, in milliseconds. */
const FLOOD_MS = 2;
/** The time that the bytes of a flood gather before they are read, in milliseconds. */
const GATHER_MS = 1;
/**
 * A read that brings so much was cut off by the size of the buffer (64 KB, less what TLS takes): more
 * lies ready, and is read at once. In bytes.
 */
const FULL_READ_BYTES = 48 * 1024;

/** The reads that a {@linkcode ReadPace} controls. */
export interface PacedReads {
  /** Stops reading from the network. */
  pause(): void;
  /** Reads on. */
  resume(): void;
}

/**
 * Lets the bytes of a body gather while they flood in small pieces.
 *
 * kube-apiserver flushes each watch event by itself, and Go's HTTP server writes at most 4 KB at
 * once: 20 000 pods come as 40 000 TLS records. Read one by one, each costs a turn of the event loop
 * (a wake, two system calls, decryption, stream events, promises): 20 to 40 us. Read after a
 * millisecond, a dozen come together. The transport of a WatchList of 20 000 pods takes half the CPU
 * (801 ms before, 391 since) in the same time. Events that come one by one are read as they come.
 */
export class ReadPace implements Disposable {
  readonly #reads: PacedReads;
  readonly #clock: Clock;
  #sinceMs = -Infinity;
  #count = 0;
  #gathering: Timer | undefined;
  #held = false;

  /**
   * Makes a pace. The machine's clock counts unless a test gives another, whatever the clock of the
   * client is: what waits for a clock that stands still would never be read.
   */
  constructor(reads: PacedReads, clock: Clock = systemClock) {
    this.#reads = reads;
    this.#clock = clock;
  }

  /** Notes a read of so many bytes; in a flood, the next one waits. */
  note(bytes: number): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#sinceMs > FLOOD_MS) {
      this.#sinceMs = nowMs;
      this.#count = 0;
    }
    if (++this.#count < FLOOD_READS || bytes >= FULL_READ_BYTES || this.#gathering) return;
    this.#reads.pause();
    this.#gathering = this.#clock.after(GATHER_MS, () => this.#gathered());
  }

  /** Stops reading until {@linkcode ReadPace.release}: who reads the body is slow. */
  hold(): void {
    this.#held = true;
    this.#reads.pause();
  }

  /** Reads on: the consumer of the body is ready for more. */
  release(): void {
    this.#held = false;
    if (!this.#gathering) this.#reads.resume();
  }

  #gathered(): void {
    this.#gathering = undefined;
    // The next read that is not full is enough to show that the flood goes on.
    this.#sinceMs = this.#clock.monotonicMs();
    this.#count = FLOOD_READS - 1;
    if (!this.#held) this.#reads.resume();
  }

  /** Forgets everything: a body has ended, or the connection. Does not resume. */
  [Symbol.dispose](): void {
    this.#gathering?.[Symbol.dispose]();
    this.#gathering = undefined;
    this.#held = false;
    this.#sinceMs = -Infinity;
  }
}
