/** The log records that a test collects. */
import { configure, type LogRecord, reset } from "@logtape/logtape";

export interface Records extends AsyncDisposable {
  /** Returns the collected log records of a level, one line each. */
  text(level: LogRecord["level"]): string;
}

/** Collects log records until the result is disposed. */
export async function records(): Promise<Records> {
  const seen: LogRecord[] = [];
  await configure({
    reset: true,
    sinks: { memory: (record) => void seen.push(record) },
    loggers: [
      { category: ["xca"], lowestLevel: "debug", sinks: ["memory"] },
      { category: ["logtape", "meta"], lowestLevel: "error", sinks: ["memory"] },
    ],
  });
  return {
    text: (level) =>
      seen.filter((each) => each.level === level).map(({ message }) => message.join("")).join("\n"),
    [Symbol.asyncDispose]: () => reset(),
  };
}
