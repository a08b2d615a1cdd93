/**
 * Comparison of the keywords of two schemas that restrict a single value: bounds, `multipleOf`,
 * `pattern`, `format` and `enum`.
 *
 * @module
 */
import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { supportedFormat } from "@xca/apimachinery/internal/schema";
import { canonicalJson, jsonEqual } from "@xca/apimachinery/internal/values";
import { found, type Position, refuses } from "./position.ts";
import { dependentRule } from "./sensitive_holders.ts";

const UPPER = ["maxLength", "maxItems", "maxProperties"] as const;
const LOWER = ["minLength", "minItems", "minProperties"] as const;

/**
 * Compares bounds, lengths, `multipleOf`, `pattern`, `format` and `enum` of two schemas, and
 * reports each difference.
 */
export function compareValues(
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  position: Position,
): void {
  for (const name of UPPER) compareBound(name, old[name], now[name], -1, position);
  for (const name of LOWER) {
    compareBound(name, old[name] || undefined, now[name] || undefined, 1, position);
  }
  compareLimit("maximum", old, now, position);
  compareLimit("minimum", old, now, position);
  compareMultiple(old.multipleOf, now.multipleOf, position);
  comparePattern(old.pattern || undefined, now.pattern || undefined, position);
  compareFormat(old, now, position);
  compareEnum(old, now, position);
}

/**
 * Compares a bound of values in two schemas, and reports a difference; `direction` is 1 for bounds
 * whose larger values are stricter, and -1 for bounds whose smaller values are stricter.
 */
function compareBound(
  name: string,
  old: number | undefined,
  now: number | undefined,
  direction: 1 | -1,
  position: Position,
): void {
  if (old === now) return;
  if (now === undefined) return found(position, "safe", "bound-removed", `${name} ${old} is gone`);
  if (old === undefined) {
    return refuses(position, "bound-added", `${name} is ${now}, and was not set before`);
  }
  const change = `${name} changes from ${old} to ${now}`;
  if ((now - old) * direction > 0) return refuses(position, "bound-tightened", change);
  found(position, "safe", "bound-loosened", change);
}

function compareLimit(
  name: "maximum" | "minimum",
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  position: Position,
): void {
  const exclusive = name === "maximum" ? "exclusiveMaximum" : "exclusiveMinimum";
  const [before, after] = [old[name], now[name]];
  if (before !== after || before === undefined) {
    return compareBound(name, before, after, name === "maximum" ? -1 : 1, position);
  }
  if (Boolean(old[exclusive]) === Boolean(now[exclusive])) return;
  if (now[exclusive]) {
    return refuses(position, "bound-tightened", `${name} ${after} is no longer included`);
  }
  found(position, "safe", "bound-loosened", `${name} ${after} is now included`);
}

function compareMultiple(old: number | undefined, now: number | undefined, position: Position) {
  if (old === now) return;
  if (now === undefined) {
    return found(position, "safe", "bound-removed", `multipleOf ${old} is gone`);
  }
  const change = old === undefined
    ? `multipleOf is ${now}, and was not set before`
    : `multipleOf changes from ${old} to ${now}`;
  const divides = old !== undefined && Number.isInteger(old) && Number.isInteger(now) &&
    old % now === 0;
  if (divides) return found(position, "safe", "bound-loosened", change);
  refuses(position, old === undefined ? "bound-added" : "bound-tightened", change);
}

function comparePattern(old: string | undefined, now: string | undefined, position: Position) {
  if (old === now) return;
  if (now === undefined) {
    return found(position, "safe", "pattern-removed", `the pattern ${old} is gone`);
  }
  if (old === undefined) {
    return refuses(position, "pattern-added", `the pattern is ${now}, and was not set before`);
  }
  const change = `the pattern changes from ${old} to ${now}`;
  refuses(position, "pattern-changed", `${change}: texts that matched may not match now`);
}

/**
 * Returns the format of a schema without hyphens; empty for a format that the API server does not
 * check.
 */
function checkedFormat(schema: V1JSONSchemaProps): string {
  const types = schema["x-kubernetes-int-or-string"]
    ? ["integer", "string"]
    : schema.type
    ? [schema.type]
    : [];
  const { format = "" } = schema;
  return supportedFormat(format, types) ? format.replaceAll("-", "") : "";
}

function compareFormat(
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  position: Position,
): void {
  const [before, after] = [checkedFormat(old), checkedFormat(now)];
  if (before === after) {
    if ((old.format ?? "") !== (now.format ?? "")) {
      const reason =
        `the format changes from ${named(old.format)} to ${named(now.format)}, which ` +
        "the API server does not check";
      found(position, "safe", "format-changed", reason);
    }
    return;
  }
  const change = `the format changes from ${named(old.format)} to ${named(now.format)}`;
  const isLooser = after === "" || after === "password" ||
    (before === "int32" && after === "int64") || (before === "float" && after === "double") ||
    // Every integer is a valid `int64`, and every number a valid `double`.
    (after === "int64" && now.type === "integer") || (after === "double" && now.type === "number");
  if (old.type !== now.type && old.type === "integer" && now.type === "number") {
    return found(position, "safe", "format-changed", change);
  }
  if (!isLooser) return refuses(position, "format-changed", change);
  const rule = dependentRule(position, now);
  if (rule === undefined) return found(position, "safe", "format-changed", change);
  refuses(position, "format-changed", `${change}, and ${rule} in another way`);
}

function named(format: string | undefined): string {
  return format ? format : "none";
}

function compareEnum(old: V1JSONSchemaProps, now: V1JSONSchemaProps, position: Position): void {
  const [before, after] = [old.enum ?? [], now.enum ?? []] as unknown[][];
  if (before!.length === 0 && after!.length === 0) return;
  if (after!.length === 0) {
    const reason = "the list of allowed values is gone: clients may meet any value";
    return found(position, "warning", "enum-removed", reason);
  }
  if (before!.length === 0) {
    return refuses(position, "enum-added", `only ${shown(after!)} are allowed, and any value was`);
  }
  const gone = before!.filter((value) => !after!.some((each) => jsonEqual(each, value)));
  const more = after!.filter((value) => !before!.some((each) => jsonEqual(each, value)));
  if (gone.length > 0) {
    refuses(position, "enum-value-removed", `${shown(gone)} ${are(gone)} no longer allowed`);
  }
  if (more.length > 0) {
    const reason =
      `${shown(more)} ${are(more)} allowed now: clients may meet values that they do ` +
      "not know";
    found(position, "warning", "enum-value-added", reason);
  }
}

function shown(values: readonly unknown[]): string {
  return values.map((value) => canonicalJson(value)).join(", ");
}

function are(values: readonly unknown[]): string {
  return values.length === 1 ? "is" : "are";
}
