/**
 * The elements of a field path in `managedFields`: `f:<name>`, `k:<keys as JSON>`, `v:<value as
 * JSON>`, `i:<index>`. The text is canonical, so that equal elements have equal texts
 * (`fieldpath/serialize-pe.go`).
 *
 * Mirrors `fieldpath/serialize-pe.go, DeserializePathElement`.
 *
 * @module
 */
import { compareTexts, goJson, goQuote } from "@xca/apimachinery/internal/values";

/** Returns the path element of an object's field, such as `f:spec`. */
export function fieldElement(name: string): string {
  return `f:${name}`;
}

/**
 * Returns the path element of an item of an associative list, such as `k:{"name":"a"}`; the order
 * of `keys` does not matter.
 */
export function keyElement(keys: readonly (readonly [string, unknown])[]): string {
  if (keys.length === 1) return `k:{${keyText(keys[0]!)}}`;
  const sorted = [...keys].sort(([a], [b]) => compareTexts(a, b));
  return `k:{${sorted.map(keyText).join(",")}}`;
}

/**
 * Encodes one field of a list item's key as a member of a JSON object, such as `"name":"a"`. As in
 * kube-apiserver, the name of the field is not escaped for HTML, but its value is.
 */
function keyText([name, value]: readonly [string, unknown]): string {
  return `${isPlain(name) ? `"${name}"` : JSON.stringify(name)}:${valueText(value)}`;
}

/** Encodes the value in a path element as JSON, with a shortcut for texts that need no escapes. */
function valueText(value: unknown): string {
  if (typeof value === "string" && isPlain(value)) return `"${value}"`;
  return goJson(value);
}

function isPlain(text: string): boolean {
  return /^[\w./: -]*$/.test(text);
}

/** Returns the path element of an item of a set, such as `v:"x"`. */
export function valueElement(value: unknown): string {
  return `v:${valueText(value)}`;
}

/**
 * Converts a path element of `managedFields` as sent by a client (such as `k:{"name":"x"}`) to its
 * canonical text. Returns `undefined` for an element with an unknown prefix; the caller skips it.
 *
 * @throws {SyntaxError} If the element is invalid.
 */
export function parseElement(text: string): string | undefined {
  if (text.length < 2) throw new SyntaxError("key must be 2 characters long:");
  if (text[1] !== ":") throw new SyntaxError(`missing colon: ${text}`);
  const rest = text.slice(2);
  switch (text[0]) {
    case "f":
      return text;
    case "v":
      return valueElement(JSON.parse(rest));
    case "k": {
      const keys = JSON.parse(rest);
      if (keys === null || typeof keys !== "object" || Array.isArray(keys)) {
        throw new SyntaxError("expect { or n");
      }
      return keyElement(Object.entries(keys));
    }
    case "i":
      if (!/^[+-]?[0-9]+$/.test(rest)) {
        throw new SyntaxError(`strconv.Atoi: parsing ${goQuote(rest)}: invalid syntax`);
      }
      return `i:${Number(rest)}`;
    default:
      return undefined;
  }
}

const RANKS: Readonly<Record<string, number>> = { f: 0, k: 1, v: 2, i: 3 };

/** A path element parsed for comparison, the result of {@linkcode readElement}. */
export interface ReadElement {
  readonly text: string;
  /**
   * The content of the path element: the decoded keys of an item, as entries, or its value;
   * `undefined` for a field or an index.
   */
  readonly content: unknown;
}

/** Parses a path element once for many comparisons. */
export function readElement(text: string): ReadElement {
  switch (text[0]) {
    case "k":
      return { text, content: Object.entries(JSON.parse(text.slice(2))) };
    case "v":
      return { text, content: JSON.parse(text.slice(2)) };
    default:
      return { text, content: undefined };
  }
}

/**
 * Compares path elements for sorting: fields come before keys, keys before values, values before
 * indices; elements of one kind are compared by content.
 */
export function compareElements(a: string, b: string): number {
  return a === b ? 0 : compareRead(readElement(a), readElement(b));
}

/** Compares parsed path elements like {@linkcode compareElements}. */
export function compareRead(left: ReadElement, right: ReadElement): number {
  const [a, b] = [left.text, right.text];
  if (a === b) return 0;
  const kind = a[0]!;
  if (kind !== b[0]) return RANKS[kind]! - RANKS[b[0]!]!;
  if (kind === "f") return compareTexts(a, b);
  if (kind === "i") return Number(a.slice(2)) - Number(b.slice(2));
  return kind === "v"
    ? compareValues(left.content, right.content)
    : compareKeys(left.content as Keys, right.content as Keys);
}

type Keys = readonly (readonly [name: string, value: unknown])[];

function compareKeys(left: Keys, right: Keys): number {
  for (let i = 0; i < left.length || i < right.length; i++) {
    if (i >= left.length) return -1;
    if (i >= right.length) return 1;
    const [leftName, leftValue] = left[i]!;
    const [rightName, rightValue] = right[i]!;
    if (leftName !== rightName) return compareTexts(leftName, rightName);
    const order = compareValues(leftValue, rightValue);
    if (order !== 0) return order;
  }
  return 0;
}

const TYPES = ["number", "string", "boolean", "list", "map", "null"];

function typeRank(value: unknown): number {
  if (value === null || value === undefined) return TYPES.indexOf("null");
  if (Array.isArray(value)) return TYPES.indexOf("list");
  return typeof value === "object" ? TYPES.indexOf("map") : TYPES.indexOf(typeof value);
}

/**
 * Compares the values in path elements by type (number, text, boolean, list, map, null) and then by
 * content, lists and maps by their JSON.
 */
function compareValues(a: unknown, b: unknown): number {
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  const rank = typeRank(a);
  const other = typeRank(b);
  if (rank !== other) return rank - other;
  switch (TYPES[rank]) {
    case "number":
    case "boolean":
      return Number(a) - Number(b);
    case "null":
      return 0;
    default:
      return compareTexts(goJson(a), goJson(b));
  }
}

/** Formats a path element as error messages show it: `.spec`, `[name="a"]`, `[="x"]`, `[0]`. */
export function showElement(element: string): string {
  const rest = element.slice(2);
  switch (element[0]) {
    case "f":
      return `.${rest}`;
    case "k":
      return `[${
        Object.entries(JSON.parse(rest)).map(([name, value]) => `${name}=${showValue(value)}`)
          .join(",")
      }]`;
    case "v":
      return `[=${showValue(JSON.parse(rest))}]`;
    default:
      return `[${rest}]`;
  }
}

function showValue(value: unknown): string {
  if (typeof value === "string") return goQuote(value);
  if (value === null) return "null";
  if (Array.isArray(value)) return `[${value.map(showValue).join(",")}]`;
  if (typeof value === "object") {
    return Object.entries(value).map(([name, inner]) => `${name}=${showValue(inner)}`).join("");
  }
  return String(value);
}

/** Formats a field path as error messages show it: `.spec.containers[name="a"].image`. */
export function showPath(path: readonly string[]): string {
  return path.map(showElement).join("");
}
