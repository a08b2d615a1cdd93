import type { Clock, Timer } from "@xca/apimachinery/base";
import type { LogEvent } from "./collection.ts";
import type { RevisionLog } from "./revision_log.ts";

/** So long history is kept at least, in milliseconds, unless it grows too large; at most twice as long. */
const KEEP_MS = 5 * 60_000;
/** So much history is kept at most where nothing else is said, in bytes. */
const HISTORY_BYTES = 512 * 1024 * 1024;
/** What an event takes beside the object that it keeps from being forgotten, in bytes. */
const EVENT_BYTES = 256;
/** In so many steps history grows to its limit; then a step is forgotten with each that is made. */
const STEPS = 128;

/** Where the log was when so much history had been written. */
interface Mark {
  readonly revision: number;
  readonly written: number;
}

/**
 * Forgets history as it grows old, as kube-apiserver has etcd do: every five minutes up to where it was
 * five minutes ago. Sooner where it grows beyond a size, the oldest of it.
 */
export class Compactor implements Disposable {
  readonly #log: RevisionLog;
  readonly #clock: Clock;
  readonly #historyBytes: number;
  readonly #subscription: Disposable;
  /** Where the log was at the last round; in the first one nothing is forgotten. */
  #revision = 0;
  /** How much history was ever written, in bytes. */
  #written = 0;
  /** One a step, oldest first; the first is where history begins. */
  #marks: Mark[];
  #timer: Timer;

  /** @param historyBytes how much history is kept at most, to a hundredth */
  constructor(log: RevisionLog, clock: Clock, historyBytes: number = HISTORY_BYTES) {
    this.#log = log;
    this.#clock = clock;
    this.#historyBytes = historyBytes;
    this.#marks = [{ revision: log.revision, written: 0 }];
    this.#subscription = log.subscribe((event) => this.#note(event));
    this.#timer = this.#plan();
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#timer[Symbol.dispose]();
  }

  #plan(): Timer {
    return this.#clock.after(KEEP_MS, () => {
      this.#log.compact(this.#revision);
      this.#revision = this.#log.revision;
      this.#timer = this.#plan();
    }).unref();
  }

  #note({ revision, type, object, previous }: LogEvent): void {
    this.#written += EVENT_BYTES + (previous?.length ?? 0) +
      (type === "DELETED" ? object.length : 0);
    const last = this.#marks.at(-1)!;
    if (this.#written - last.written < this.#historyBytes / STEPS) return;
    // The log went back to an earlier revision, and history began anew.
    if (revision <= last.revision) this.#marks.length = 0;
    this.#marks.push({ revision, written: this.#written });
    this.#forget();
  }

  #forget(): void {
    const marks = this.#marks;
    const { compactedRevision } = this.#log;
    while (marks.length > 1 && marks[1]!.revision <= compactedRevision) marks.shift();
    if (this.#written - marks[0]!.written <= this.#historyBytes) return;
    const keep = this.#historyBytes * (1 - 1 / STEPS);
    const from = marks.findIndex(({ written }) => this.#written - written <= keep);
    marks.splice(0, from);
    this.#log.compact(marks[0]!.revision);
  }
}
