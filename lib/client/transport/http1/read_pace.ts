import { type Clock, systemClock, type Timer } from "@xca/apimachinery/base";

/**
 * The number of reads within {@linkcode FLOOD_MS} from which on a connection counts as flooded by
 * small pieces.
 */
const FLOOD_READS = 4;
/**
 * The interval in which reads are counted to detect a flood of small pieces, in milliseconds; see
 * {@linkcode FLOOD_READS}.
 */
const FLOOD_MS = 2;
/** The shortest time that the bytes of a flooded connection gather before they are read, in ms. */
const MIN_GATHER_MS = 1;
/** The longest such time, which only a heavy flood has; see {@linkcode HEAVY_BYTES_PER_MS}. */
const MAX_GATHER_MS = 8;
/**
 * The part of the time since the beginning of a heavy flood that its bytes gather, so that a body
 * that ends early is delayed by a few percent at most.
 */
const GATHERED_PART = 1 / 16;
/** The rate from which on a flood counts as heavy, in bytes per millisecond. */
const HEAVY_BYTES_PER_MS = 8 * 1024;
/**
 * The size from which a network read counts as limited by the buffer (64 KB, less the overhead of
 * TLS), in bytes: more data is ready and is read at once.
 */
const FULL_READ_BYTES = 48 * 1024;

/** The interface of the connection whose reads a {@linkcode ReadPace} controls. */
export interface PacedReads {
  /** Stops reading from the network connection. */
  pause(): void;
  /** Resumes reading from the network connection. */
  resume(): void;
}

/**
 * The pace of reading a response body: lets its bytes accumulate while they arrive in many small
 * pieces.
 *
 * kube-apiserver flushes each watch event, and the HTTP server of Go writes at most 4 KB at once:
 * 20 000 pods arrive as 40 000 TLS records. Read one by one, each costs a turn of the event loop (a
 * wake, two system calls, decryption, stream events, promises): 20 to 40 us. Read after a
 * millisecond, a dozen arrive together, and the transport of a WatchList of 20 000 pods takes half
 * the CPU (391 ms in place of 801) in the same time. While many bytes keep coming, the pauses grow
 * to eight milliseconds, since each ends with a wake of the event loop; the whole sync then takes
 * 760 ms of CPU in place of 1 057. Single events are read as they arrive.
 */
export class ReadPace implements Disposable {
  readonly #reads: PacedReads;
  readonly #clock: Clock;
  #sinceMs = -Infinity;
  #count = 0;
  /** The bytes since the last pause for small pieces, and the time of that pause. */
  #bytes = 0;
  #pausedMs = -Infinity;
  #heavySinceMs = -Infinity;
  #gathering: Timer | undefined;
  #held = false;

  /**
   * Creates the read pace of a connection. The pace uses the clock of the system unless a test
   * passes another, whatever the clock of the client: bytes that wait for a fake clock would never
   * be read.
   */
  constructor(reads: PacedReads, clock: Clock = systemClock) {
    this.#reads = reads;
    this.#clock = clock;
  }

  /**
   * Records a network read of `bytes` bytes. Pauses reading for one to eight milliseconds when many
   * small reads follow each other very fast.
   */
  note(bytes: number): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#sinceMs > FLOOD_MS) {
      this.#sinceMs = nowMs;
      this.#count = 0;
    }
    this.#bytes += bytes;
    if (++this.#count < FLOOD_READS || bytes >= FULL_READ_BYTES || this.#gathering) return;
    this.#reads.pause();
    this.#gathering = this.#clock.after(this.#gatherMs(nowMs), () => this.#gathered());
  }

  /** Returns the length of a pause for small pieces that begins now, in milliseconds. */
  #gatherMs(nowMs: number): number {
    const heavyBytes = HEAVY_BYTES_PER_MS * (nowMs - this.#pausedMs);
    if (this.#bytes < heavyBytes) this.#heavySinceMs = nowMs;
    this.#pausedMs = nowMs;
    this.#bytes = 0;
    const ms = Math.floor((nowMs - this.#heavySinceMs) * GATHERED_PART);
    return Math.min(Math.max(ms, MIN_GATHER_MS), MAX_GATHER_MS);
  }

  /** Pauses reading until {@linkcode ReadPace.release}, since the reader of the body is slow. */
  hold(): void {
    this.#held = true;
    this.#reads.pause();
  }

  /**
   * Ends a {@linkcode ReadPace.hold}: resumes reading, but not before a pause for small pieces has
   * passed.
   */
  release(): void {
    this.#held = false;
    if (!this.#gathering) this.#reads.resume();
  }

  #gathered(): void {
    this.#gathering = undefined;
    // One more read that is not full suffices to show that the flood continues.
    this.#sinceMs = this.#clock.monotonicMs();
    this.#count = FLOOD_READS - 1;
    if (!this.#held) this.#reads.resume();
  }

  /**
   * Resets the pace of reads at the end of a body or of the connection. Does not resume reading.
   */
  [Symbol.dispose](): void {
    this.#gathering?.[Symbol.dispose]();
    this.#gathering = undefined;
    this.#held = false;
    this.#sinceMs = this.#pausedMs = -Infinity;
  }
}
