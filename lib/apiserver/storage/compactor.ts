// Mirrors `storage/etcd3/compact.go, compactor`.
import type { Clock, Timer } from "@xca/apimachinery/base";
import type { LogEvent } from "./collection.ts";
import type { RevisionLog } from "./revision_log.ts";

/**
 * The least age of history that the compactor drops, in milliseconds, unless the history exceeds
 * its size limit; at most twice as much is kept.
 */
const KEEP_MS = 5 * 60_000;
/** The default size limit of the storage's history in bytes. */
const HISTORY_BYTES = 512 * 1024 * 1024;
/** The estimated size of a write in the history without its object, in bytes. */
const EVENT_BYTES = 256;
/**
 * The number of parts into which the size limit of the history is divided; the compactor can cut
 * the history after each part.
 */
const STEPS = 128;

/**
 * A point of the history: a revision of the log, and the estimated bytes of history that had been
 * written up to it since the compactor was created.
 */
interface Mark {
  readonly revision: number;
  readonly written: number;
}

/**
 * A task that compacts the storage's history by age, as kube-apiserver does with etcd: every five
 * minutes up to the revision of five minutes before. Beyond a size limit it drops the oldest
 * history earlier.
 */
export class Compactor implements Disposable {
  readonly #log: RevisionLog;
  readonly #clock: Clock;
  readonly #historyBytes: number;
  readonly #subscription: Disposable;
  readonly #reset: Disposable;
  /**
   * The revision of the log at the compactor's last round; 0 before the first round, also after the
   * log was reset to the revision of a snapshot. The first round therefore compacts nothing.
   */
  #revision = 0;
  /**
   * The estimated size of all history that was written since the compactor was created, in bytes.
   */
  #written = 0;
  /**
   * Points of the history at which the compactor can cut it, oldest first: the beginning of the
   * history, then about one for each of the {@linkcode STEPS} parts of the size limit.
   */
  #marks: Mark[];
  #timer: Timer;

  /**
   * Creates a compactor of a log's history.
   *
   * @param historyBytes The size limit of the history, accurate to one percent
   */
  constructor(log: RevisionLog, clock: Clock, historyBytes: number = HISTORY_BYTES) {
    this.#log = log;
    this.#clock = clock;
    this.#historyBytes = historyBytes;
    this.#marks = [{ revision: log.revision, written: 0 }];
    this.#subscription = log.subscribe((event) => this.#note(event));
    this.#reset = log.onReset(() => void (this.#revision = 0));
    this.#timer = this.#plan();
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#reset[Symbol.dispose]();
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
    // The log was restored to an earlier revision, and its history began anew.
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
