/** The records that a replica writes for the judge: true times, by the clock that the server has too. */

/** The start of a write. */
export interface StartRecord {
  readonly kind: "start";
  /** The verb of the audit log. */
  readonly verb: string;
  /** The object as `resource/name`. */
  readonly object: string;
  /** The time at which the gate read the clock to admit the write, in milliseconds. */
  readonly checkedMs: number;
  /** The time at which the request was handed to the connection, in milliseconds. */
  readonly startedMs: number;
}

/** A sample of memory. */
export interface MemoryRecord {
  readonly kind: "memory";
  /** The age of the process, in milliseconds. */
  readonly ageMs: number;
  /** The heap in use after a collection, in bytes. */
  readonly heap: number;
  /** The resident set, in bytes. */
  readonly rss: number;
}

/** The end of a process that was not killed. */
export interface EndRecord {
  readonly kind: "end";
  /** The error that ended it; empty when there was none. */
  readonly error: string;
}

/** One line of a replica's file. */
export type ReplicaRecord = StartRecord | MemoryRecord | EndRecord;

/** Parses the file of a replica; a last line without an end was cut by a kill. */
export function parseRecords(text: string): ReplicaRecord[] {
  return text.slice(0, text.lastIndexOf("\n") + 1).split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as ReplicaRecord);
}
