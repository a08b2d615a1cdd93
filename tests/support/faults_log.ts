import { configure, type LogRecord, reset } from "@logtape/logtape";

/** Collects what the library logs, until disposed. One at a time: logging belongs to the process. */
export class CollectedLog implements AsyncDisposable {
  /** The records, in order. */
  readonly records: LogRecord[] = [];

  private constructor() {}

  /** Begins to collect records of the library, from `info` up. */
  static async start(): Promise<CollectedLog> {
    const log = new CollectedLog();
    await configure({
      sinks: { records: (record) => void log.records.push(record) },
      loggers: [
        { category: ["xca"], lowestLevel: "info", sinks: ["records"] },
        { category: ["logtape", "meta"], lowestLevel: "error" },
      ],
    });
    return log;
  }

  /** The messages of one level. */
  messages(level: LogRecord["level"]): string[] {
    return this.records.filter((record) => record.level === level)
      .map(({ message }) => message.map(String).join(""));
  }

  /** Stops collecting. */
  async [Symbol.asyncDispose](): Promise<void> {
    await reset();
  }
}
