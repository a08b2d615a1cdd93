import { configure, type LogRecord, reset } from "@logtape/logtape";

/**
 * Collects the log records of the library until it is disposed. Only one can exist at a time, since
 * logging is configured per process.
 */
export class CollectedLog implements AsyncDisposable {
  /** The records, in order. */
  readonly records: LogRecord[] = [];

  private constructor() {}

  /** Starts to collect records of the library at level `info` and above. */
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

  /** Returns the messages of one level. */
  messages(level: LogRecord["level"]): string[] {
    return this.records.filter((record) => record.level === level)
      .map(({ message }) => message.map(String).join(""));
  }

  /** Stops collecting. */
  async [Symbol.asyncDispose](): Promise<void> {
    await reset();
  }
}
