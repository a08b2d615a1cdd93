import { configure, getConfig, type LogRecord, reset } from "@logtape/logtape";
import { errorText } from "./error_text.ts";
import { writeToStandardError } from "../standard_error.ts";

/** Options of {@linkcode startLogging}, which writes log records. */
export interface LoggingOptions {
  /**
   * The level of detail of the log: 0 for records from the level `info` on, every greater number
   * for records from the level `debug` on.
   *
   * @default {0}
   */
  readonly verbosity?: number;
  /**
   * Sets whether only warnings and errors are logged; without effect at a verbosity above 0. For a
   * command whose output is data.
   *
   * @default {false}
   */
  readonly quiet?: boolean;
  /** The format of a log record: one line of text or one JSON object. @default {"text"} */
  readonly format?: "text" | "json";
  /**
   * A callback that receives each log line with its line end.
   *
   * @default {writes the line to standard error}
   */
  readonly write?: (line: string) => void;
}

/**
 * Configures LogTape to write the library's log records, one per line, to standard error or to
 * `write`, until the returned object is disposed. Without this function or LogTape's own
 * `configure()`, a program sees no log records.
 *
 * The former configuration of LogTape is replaced, and restored by the disposal. A program that
 * configures LogTape itself configures the category `xca` instead.
 *
 * @throws {RangeError} When the verbosity is not a number of at least 0, or the format unknown.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { getLogger } from "@logtape/logtape";
 * import { startLogging } from "@xca/apimachinery/base";
 *
 * const lines: string[] = [];
 * await using _logging = await startLogging({ write: (line) => lines.push(line) });
 * getLogger(["xca", "example"]).info("{count} pods", { count: 3 });
 * assert.match(lines[0]!, /^I\d{4} .* xca\.example\] 3 pods\n$/);
 * ```
 */
export async function startLogging(options: LoggingOptions = {}): Promise<AsyncDisposable> {
  const { verbosity = 0, quiet = false, format = "text", write = writeToStandardError } = options;
  if (format !== "text" && format !== "json") {
    throw new RangeError(`Cannot log in format ${format}: it must be "text" or "json"`);
  }
  if (!(typeof verbosity === "number" && verbosity >= 0)) {
    throw new RangeError(`Cannot log at verbosity ${verbosity}: it must be a number of at least 0`);
  }
  const line = format === "json" ? jsonLine : textLine;
  const lowestLevel = verbosity > 0 ? "debug" : quiet ? "warning" : "info";
  const before = getConfig();
  await configure({
    reset: true,
    sinks: { lines: (record) => write(line(record)) },
    loggers: [
      { category: "xca", lowestLevel, sinks: ["lines"] },
      { category: ["logtape", "meta"], lowestLevel: "error", sinks: ["lines"] },
    ],
  });
  return {
    [Symbol.asyncDispose]: () => before === null ? reset() : configure({ ...before, reset: true }),
  };
}

/**
 * Formats a log record as a line with one JSON object: its properties, then `level`, `ts`, `logger`
 * and `msg`, the keys that controller-runtime writes. A property with the name of one of these is
 * left out.
 */
export function jsonLine(record: LogRecord): string {
  const own = {
    level: record.level,
    ts: new Date(record.timestamp).toISOString(),
    logger: record.category.join("."),
    msg: messageOf(record),
  };
  const fields = Object.entries(record.properties)
    .filter(([name]) => !Object.hasOwn(own, name))
    .map(([name, value]) => `${JSON.stringify(name)}:${jsonOf(value)},`);
  return `{${fields.join("")}${JSON.stringify(own).slice(1)}\n`;
}

/**
 * Formats a log record as text like klog: `I1121 00:42:27.997 xca.controller] message key="value"`,
 * with month, day and time in UTC. A property whose value the message shows is left out.
 */
export function textLine(record: LogRecord): string {
  const level = record.level === "warning" ? "W" : record.level.charAt(0).toUpperCase();
  const [, month, day, time] = /^\d+-(\d\d)-(\d\d)T(.*)Z$/.exec(
    new Date(record.timestamp).toISOString(),
  )!;
  const fields = Object.entries(record.properties)
    .filter(([name, value]) => !isShown(record, name, value))
    .map(([name, value]) => ` ${name}=${jsonOf(value)}`)
    .join("");
  return `${level}${month}${day} ${time} ${record.category.join(".")}] ${
    messageOf(record)
  }${fields}\n`;
}

/**
 * Reports whether the message of a log record already shows a property's value in full. Only
 * numbers, booleans, errors, and texts without control characters count as shown.
 */
function isShown(record: LogRecord, name: string, value: unknown): boolean {
  if (!record.rawMessage.includes(`{${name}}`) || !record.message.includes(value)) return false;
  // deno-lint-ignore no-control-regex
  if (typeof value === "string") return !/[\x00-\x1f\x7f]/.test(value);
  return ["number", "bigint", "boolean"].includes(typeof value) || isError(value);
}

function messageOf(record: LogRecord): string {
  return record.message
    .map((part, index) => index % 2 === 0 || typeof part === "string" ? part : shown(part))
    .join("");
}

/**
 * Formats a value for the message of a log record: an object as JSON, an error as its message,
 * another value as text.
 */
function shown(value: unknown): string {
  if (value === null || value === undefined) return `${value}`;
  return typeof value === "object" && !isError(value) ? jsonOf(value) : errorText(value);
}

/**
 * Formats the value of a log record's property as JSON, an error as its message. A value that has
 * no JSON, such as a cyclic object, becomes a text, so that the record is written with any value.
 */
function jsonOf(value: unknown): string {
  if (isError(value)) return JSON.stringify(errorText(value));
  try {
    return JSON.stringify(value) ?? JSON.stringify(String(value));
  } catch {
    return JSON.stringify(errorText(value));
  }
}

function isError(value: unknown): boolean {
  try {
    return value instanceof Error;
  } catch {
    return false;
  }
}
