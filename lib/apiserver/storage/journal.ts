import { errorText } from "@xca/apimachinery/base";
import type { StoredObject } from "./arena.ts";
import type { LogEvent } from "./collection.ts";
import { type DataFile, type FilePort, systemFiles } from "./file_port.ts";
import { KeptWrites } from "./kept_writes.ts";
import { DataFileError, FrameWriter, laterRelease, type Operation, readFrames } from "./frame.ts";
import type { RevisionLog } from "./revision_log.ts";
import type { WriteFeed } from "./write_feed.ts";

const FORMAT = 1;
/** The approximate size of each frame of a rewritten data file, in bytes. */
const SNAPSHOT_FRAME_BYTES = 1024 * 1024;
/**
 * The allowance of the data file's growth in bytes: the file is rewritten when it exceeds twice the
 * size of the storage's current and historic objects by more than this.
 */
const SLACK_BYTES = 16 * 1024 * 1024;
/**
 * The number of revisions that are skipped after a crash. Watchers are not notified of a write
 * before the disk confirms it; but a disk may lose confirmed data, and a revision must never be
 * used for two different states.
 */
const REVISION_GAP = 1_000_000;

/**
 * A journal that persists a {@linkcode RevisionLog} in a data file. Every write is appended; one
 * sync of the disk serves all writes that arrived during the previous one. Writes that {@linkcode
 * Journal.durable} has waited for, or that {@linkcode Journal.kept} has reported, survive a crash
 * of the process and a power failure at any moment.
 */
export class Journal implements Disposable {
  readonly #path: string;
  readonly #files: FilePort;
  readonly #log: RevisionLog;
  readonly #lock: Disposable;
  readonly #writer = new FrameWriter();
  readonly #subscription: Disposable;
  readonly #kept: KeptWrites;
  readonly #failed = new AbortController();
  #file: DataFile;
  #fileBytes: number;
  /**
   * The flush of the data file to disk that is in progress, `undefined` if there is none; writes
   * after its start need the next flush. After a failure the rejected promise of the flush remains,
   * and {@linkcode Journal.durable} no longer reads it.
   */
  #flush: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /**
   * Reports whether a flush of the data file to disk is scheduled, for writes that no caller
   * awaits.
   */
  #planned = false;
  #closing = false;
  #failure: DataFileError | undefined;

  private constructor(
    path: string,
    files: FilePort,
    log: RevisionLog,
    lock: Disposable,
    file: DataFile,
    fileBytes: number,
  ) {
    this.#path = path;
    this.#files = files;
    this.#log = log;
    this.#lock = lock;
    this.#file = file;
    this.#fileBytes = fileBytes;
    this.#kept = new KeptWrites(log);
    this.#subscription = log.subscribe((event) => this.#note(event));
  }

  /**
   * Loads a data file into an empty revision log, and persists the log in it from now on. Creates
   * the file if it is missing.
   *
   * @throws {DataFileError} If the file cannot be opened or written, is not a data file, is
   * damaged, was written by a later release, or is in use by another server, also of this process.
   */
  static async open(
    path: string,
    log: RevisionLog,
    files: FilePort = systemFiles,
  ): Promise<Journal> {
    const lock = await attempt(path, () => files.lock(`${path}.lock`));
    if (!lock) {
      throw new DataFileError(`Cannot open the data file ${path}: another process has it open`);
    }
    let file: DataFile | undefined;
    try {
      const opened = file = await attempt(path, () => files.open(path));
      const { operations, end } = readFrames(await attempt(path, () => opened.readAll()), path);
      load(log, operations, path);
      await attempt(path, () => opened.truncate(end));
      const journal = new Journal(path, files, log, lock, file, end);
      if (end === 0) journal.#writer.add({ type: "header", format: FORMAT });
      // From here on the file counts as not closed.
      const { revision } = log;
      journal.#writer.add({ type: "revision", revision, clean: false });
      await journal.durable();
      return journal;
    } catch (error) {
      file?.[Symbol.dispose]();
      lock[Symbol.dispose]();
      throw error;
    }
  }

  /** The feed of the writes that are on disk, in the order of their revisions. */
  get kept(): WriteFeed {
    return this.#kept;
  }

  /**
   * The signal that is aborted once the disk failed; listeners of {@linkcode Journal.kept} are not
   * notified of any later write.
   */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /**
   * Throws an error if the journal can no longer persist writes. The server calls this function
   * before each request, so that no client sees a write that is not persisted.
   *
   * @throws {DataFileError} After the disk failed.
   */
  checkWorking(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Waits until everything written to the log so far is on disk. Rejects after the disk failed. */
  durable(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (!this.#flush) return this.#writer.isEmpty ? Promise.resolve() : this.#begin();
    if (this.#writer.isEmpty) return this.#flush;
    return this.#next ??= this.#flush.then(() => {
      this.#next = undefined;
      return this.#begin();
    });
  }

  /**
   * Writes all pending operations to the data file, then closes and unlocks it. Rejects if the disk
   * failed. Further calls do nothing and do not wait for the first.
   */
  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    this.#subscription[Symbol.dispose]();
    try {
      this.#writer.add({ type: "revision", revision: this.#log.revision, clean: true });
      await this.durable();
    } finally {
      this.#file[Symbol.dispose]();
      this.#lock[Symbol.dispose]();
    }
  }

  /** Starts to close the data file. A failure is not reported. */
  [Symbol.dispose](): void {
    this.close().catch(() => {});
  }

  #note(event: LogEvent): void {
    const { type, collection, key, revision, object } = event;
    this.#writer.add(
      type === "DELETED"
        ? { type: "delete", revision, collection, key }
        : { type: "put", revision, collection, key, bytes: object.bytes() },
    );
    this.#kept.hold(event);
    this.#plan();
  }

  #plan(): void {
    if (this.#planned) return;
    this.#planned = true;
    queueMicrotask(() => {
      this.#planned = false;
      // `durable` keeps the failure for later callers.
      this.durable().catch(() => {});
    });
  }

  #begin(): Promise<void> {
    const flush = this.#write().then(() => {
      if (this.#flush === flush) this.#flush = undefined;
    }, (error) => {
      this.#failure = new DataFileError(
        `Cannot write the data file ${this.#path}: ${
          errorText(error)
        }. Nothing can be written to ` +
          "the cluster until the server is restarted",
        { cause: error },
      );
      this.#failed.abort(this.#failure);
      throw this.#failure;
    });
    return this.#flush = flush;
  }

  async #write(): Promise<void> {
    const frame = this.#writer.take();
    const clean = this.#closing; // The frame ends with the record of a clean end.
    const held = this.#kept.size;
    if (this.#fileBytes + frame.length > 2 * this.#log.liveBytes + SLACK_BYTES) {
      await this.#rewrite(clean);
    } else {
      await this.#file.append(frame);
      await this.#file.sync();
      this.#fileBytes += frame.length;
    }
    this.#kept.release(held);
  }

  /** Rewrites the data file: writes the current state to a new file, which replaces the old one. */
  async #rewrite(clean: boolean): Promise<void> {
    const { revision } = this.#log;
    const objects = [...this.#log.objects()];
    const path = `${this.#path}.new`;
    const file = await this.#files.open(path, true);
    try {
      const length = await writeState(file, { revision, clean, objects });
      await file.sync();
      await this.#files.replace(path, this.#path);
      this.#file[Symbol.dispose]();
      this.#file = file;
      this.#fileBytes = length;
    } catch (error) {
      file[Symbol.dispose]();
      throw error;
    }
  }
}

async function writeState(
  file: DataFile,
  { revision, clean, objects }: {
    readonly revision: number;
    readonly clean: boolean;
    readonly objects: readonly (readonly [collection: string, object: StoredObject])[];
  },
): Promise<number> {
  const writer = new FrameWriter();
  let written = 0;
  const flush = async (): Promise<void> => {
    const frame = writer.take();
    await file.append(frame);
    written += frame.length;
  };
  writer.add({ type: "header", format: FORMAT });
  for (const [collection, object] of objects) {
    const { key, revision } = object;
    writer.add({ type: "put", revision, collection, key, bytes: object.bytes() });
    if (writer.length > SNAPSHOT_FRAME_BYTES) await flush();
  }
  writer.add({ type: "revision", revision, clean });
  await flush();
  return written;
}

/**
 * Calls the function `open`, a step of the opening of a data file, and converts its errors.
 *
 * @throws {DataFileError} With the system's error as its cause.
 */
async function attempt<T>(path: string, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    const what = `Cannot open the data file ${JSON.stringify(path)}`;
    const next = "give the path of a file in an existing folder with write permission";
    throw new DataFileError(`${what}: ${(cause as Error).message}; ${next}`, { cause });
  }
}

/**
 * Loads the state that results from a data file's operations into an empty revision log; skips
 * {@linkcode REVISION_GAP} revisions if the file was not closed properly. Throws a {@linkcode
 * DataFileError} for a format of a later release.
 */
function load(log: RevisionLog, operations: readonly Operation[], path: string): void {
  const state = new Map<string, Extract<Operation, { type: "put" }>>();
  let revision = 1;
  let clean = true;
  for (const operation of operations) {
    if (operation.type === "header") {
      if (operation.format > FORMAT) {
        throw laterRelease(path);
      }
      continue;
    }
    revision = Math.max(revision, operation.revision);
    clean = operation.type === "revision" && operation.clean;
    if (operation.type === "revision") continue;
    const key = `${operation.collection} ${operation.key}`;
    if (operation.type === "put") state.set(key, operation);
    else state.delete(key);
  }
  log.load([...state.values()], clean ? revision : revision + REVISION_GAP);
}
