import type { Clock, Timer } from "../../base/clock.ts";
import type { RevisionLog } from "./revision_log.ts";

/** So long history is kept at least, in milliseconds; at most twice as long. */
const KEEP_MS = 5 * 60_000;

/** Forgets history as it grows old, as kube-apiserver has etcd do: every five minutes up to where it was five minutes ago. */
export class Compactor implements Disposable {
  readonly #log: RevisionLog;
  readonly #clock: Clock;
  /** Where the log was at the last round; in the first one nothing is forgotten. */
  #revision = 0;
  #timer: Timer;

  constructor(log: RevisionLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
    this.#timer = this.#plan();
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }

  #plan(): Timer {
    return this.#clock.after(KEEP_MS, () => {
      this.#log.compact(this.#revision);
      this.#revision = this.#log.revision;
      this.#timer = this.#plan();
    }).unref();
  }
}
