/**
 * Formats JSON values as Go prints them in messages.
 *
 * @module
 */
import { sortedEntries } from "./go_order.ts";
import { goNumber, goQuote } from "./go_text.ts";

/** Formats a JSON value like Go's `%v`: `map[a:1 b:[x y]]`. */
export function goValue(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goValue).join(" ")}]`;
  if (typeof value === "object") {
    const fields = sortedEntries(value as Record<string, unknown>).map(([name, inner]) =>
      `${name}:${goValue(inner)}`
    );
    return `map[${fields.join(" ")}]`;
  }
  return typeof value === "number" ? goNumber(value) : String(value);
}

/** Formats a JSON value like Go's `%#v`: `map[string]interface {}{"a":1}`. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return "interface {}(nil)";
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (typeof value === "object") {
    const fields = sortedEntries(value as Record<string, unknown>)
      .map(([name, inner]) => `${goQuote(name)}:${goSyntax(inner)}`);
    return `map[string]interface {}{${fields.join(", ")}}`;
  }
  if (typeof value === "string") return goQuote(value);
  return typeof value === "number" ? goNumber(value) : String(value);
}

/**
 * Returns the name of the Go type of a JSON value like Go's `%T`, such as
 * `map[string]interface {}`.
 */
export function goType(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  switch (typeof value) {
    case "object":
      return "map[string]interface {}";
    case "number":
      return Number.isInteger(value) ? "int64" : "float64";
    case "boolean":
      return "bool";
    default:
      return "string";
  }
}
