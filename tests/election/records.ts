/** The records that a replica writes for the judge: true times, by the clock that the server has too. */

/** The record of a replica's start of a write. */
export interface StartRecord {
  readonly kind: "start";
  /** The verb of the started write, as in the audit log. */
  readonly verb: string;
  /** The object of the started write, as `resource/name`. */
  readonly object: string;
  /** The time at which the gate read the clock to admit the write, in milliseconds. */
  readonly checkedMs: number;
  /** The time at which the request was handed to the connection, in milliseconds. */
  readonly startedMs: number;
}

/** The record of a sample of a replica's memory. */
export interface MemoryRecord {
  readonly kind: "memory";
  /** The age of the replica's process at the sample, in milliseconds. */
  readonly ageMs: number;
  /** The heap and external memory in use by the replica after a collection, in bytes. */
  readonly heap: number;
  /** The resident set size of the replica's process, in bytes. */
  readonly rss: number;
}

/** The record of the end of a replica's process that was not killed. */
export interface EndRecord {
  readonly kind: "end";
  /** The error that ended the replica's process; empty when there was none. */
  readonly error: string;
}

/** One line of the file in which a replica records its work. */
export type ReplicaRecord = StartRecord | MemoryRecord | EndRecord;

/** Parses a replica's file of records, except a last line that a kill has cut. */
export function parseRecords(text: string): ReplicaRecord[] {
  return text.slice(0, text.lastIndexOf("\n") + 1).split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as ReplicaRecord);
}
