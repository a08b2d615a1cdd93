import type { ContainerScript } from "./container_script.ts";

/** The functions that validate the fields of a container script, by field name. */
const FIELDS: Readonly<Record<keyof ContainerScript, (value: unknown) => boolean>> = {
  pullMs: isDuration,
  image: (value) => value === "present" || value === "missing",
  readyAfterMs: (value) => value === "never" || isDuration(value),
  runMs: isDuration,
  exitCode: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) < 256,
  outOfMemory: (value) => typeof value === "boolean",
  stopMs: isDuration,
  cpu: isUsage,
  memory: isUsage,
  logs: (value) => Array.isArray(value) && value.every(isLogEntry),
};

/**
 * Returns the problem of an invalid container script, as text that follows the name of the
 * container in an error message, such as `.exitCode is 256`; `undefined` for a valid script. A
 * field whose value is `undefined` counts as absent.
 */
export function scriptProblem(script: unknown): string | undefined {
  if (!isRecord(script)) return " must be an object";
  for (const [field, value] of Object.entries(script)) {
    const check = Object.hasOwn(FIELDS, field) ? FIELDS[field as keyof ContainerScript] : undefined;
    if (!check) return `.${field} is unknown; known are ${Object.keys(FIELDS).join(", ")}`;
    if (value !== undefined && !check(value)) {
      const shown = typeof value === "number" ? String(value) : JSON.stringify(value);
      return `.${field} is ${shown ?? typeof value}`;
    }
  }
}

/**
 * Reports whether a value is an object, such as a container script, and neither an array nor a
 * promise.
 */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !(value instanceof Promise);
}

/** Reports whether a value is a valid log entry of a container script. */
function isLogEntry(value: unknown): boolean {
  if (typeof value === "string") return true;
  if (!isRecord(value) || typeof value.text !== "string") return false;
  const { text: _, afterMs = 0, everyMs = 1, stream = "stdout", ...rest } = value;
  return Object.keys(rest).length === 0 && isDuration(afterMs) && isDuration(everyMs) &&
    everyMs !== 0 && (stream === "stdout" || stream === "stderr");
}

/**
 * Reports whether a value is a valid usage of a container script: a quantity, or a list of
 * quantities with times.
 */
function isUsage(value: unknown): boolean {
  if (!Array.isArray(value)) return isUsedQuantity(value);
  return value.every((each) =>
    isRecord(each) && Object.keys(each).length === 2 && isDuration(each.afterMs) &&
    isUsedQuantity(each.value)
  );
}

function isUsedQuantity(value: unknown): boolean {
  return typeof value === "string" && /^\d+(\.\d+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/.test(value);
}

function isDuration(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
