/**
 * Evaluates the JSONPath of a custom resource's printer columns: fields, indexes, slices,
 * wildcards, recursive descent and filters. A path is parsed once and interpreted. Mirrors
 * `util/jsonpath/jsonpath.go, JSONPath`.
 *
 * @module
 */

/** One step of a JSONPath: a function that returns all values which it finds below a value. */
type Step = (value: unknown) => unknown[];

/** A parsed JSONPath. */
export interface JsonPath {
  /**
   * Returns all values that the JSONPath finds in an object, in order; none if a part of the path
   * is missing.
   */
  find(root: unknown): unknown[];
}

/**
 * Parses a JSONPath that begins with a dot, as `.spec.list[?(@.name=="a")].value`.
 *
 * @throws {SyntaxError} If the path is invalid.
 */
export function parseJsonPath(text: string): JsonPath {
  const steps = new PathParser(text).steps();
  return {
    find: (root) => steps.reduce<unknown[]>((values, step) => values.flatMap(step), [root]),
  };
}

class PathParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  steps(): Step[] {
    const steps: Step[] = [];
    while (this.#at < this.#text.length) {
      const rest = this.#text.slice(this.#at);
      if (rest.startsWith("..")) {
        this.#at += 1;
        steps.push(descend);
        if (this.#text[this.#at + 1] === "[") this.#at += 1;
      } else if (rest.startsWith(".[")) this.#at += 1;
      else if (rest.startsWith(".")) steps.push(...this.#field());
      else if (rest.startsWith("[")) steps.push(this.#brackets());
      else this.#fail();
    }
    return steps;
  }

  #field(): Step[] {
    const [whole, name] = /^\.((?:\\.|[^.[\]\\{}\s])*)/.exec(this.#text.slice(this.#at))!;
    this.#at += whole.length;
    if (name === "") return [];
    return [name === "*" ? children : fieldStep(name!.replace(/\\(.)/g, "$1"))];
  }

  #brackets(): Step {
    const end = this.#closing();
    const inner = this.#text.slice(this.#at + 1, end).trim();
    this.#at = end + 1;
    if (inner === "*") return children;
    if (/^'(?:[^'\\]|\\.)*'$|^"(?:[^"\\]|\\.)*"$/.test(inner)) return fieldStep(unquote(inner));
    const filter = /^\?\(\s*([^]*?)\s*\)$/.exec(inner);
    if (filter) return filterStep(filter[1]!);
    const slice = /^(-?\d*)(?:(:)(-?\d*)(?::(\d*))?)?$/.exec(inner);
    if (slice && inner !== "") return positionStep(slice);
    if (/^(-?\d+|'[^']*')(\s*,\s*(-?\d+|'[^']*'))+$/.test(inner)) {
      const steps = inner.split(",").map((each) => new PathParser(`[${each.trim()}]`).#brackets());
      return (value) => steps.flatMap((step) => step(value));
    }
    this.#fail();
  }

  /**
   * Returns the position of the closing bracket in the JSONPath text, outside of quotes and inner
   * brackets.
   */
  #closing(): number {
    let depth = 0;
    for (let at = this.#at; at < this.#text.length; at++) {
      const character = this.#text[at];
      if (character === "'" || character === '"') {
        at = this.#text.indexOf(character, at + 1);
        if (at < 0) break;
      } else if (character === "[") depth++;
      else if (character === "]" && --depth === 0) return at;
    }
    this.#fail();
  }

  #fail(): never {
    throw new SyntaxError(`unrecognized path ${this.#text}`);
  }
}

function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, "$1");
}

function fieldStep(name: string): Step {
  return (value) =>
    value !== null && typeof value === "object" && !Array.isArray(value) &&
      Object.hasOwn(value, name)
      ? [(value as Record<string, unknown>)[name]]
      : [];
}

/** Returns the items of a list, or the member values of an object in the order of their names. */
function children(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([, inner]) => inner);
}

function descend(value: unknown): unknown[] {
  return [value, ...children(value).flatMap(descend)];
}

function positionStep([, from, colon, to, by]: RegExpExecArray): Step {
  return (value) => {
    if (!Array.isArray(value)) return [];
    if (colon === undefined) {
      const item = value.at(Number(from));
      return item === undefined ? [] : [item];
    }
    const start = from === "" ? 0 : Number(from);
    const end = to === "" ? value.length : Number(to);
    const step = by === undefined || by === "" ? 1 : Number(by);
    return step === 0 ? [] : value.slice(start, end).filter((_, index) => index % step === 0);
  };
}

type Operand = (item: unknown) => unknown[];

function filterStep(text: string): Step {
  const match = /^([^]+?)\s*(==|!=|<=|>=|<|>)\s*([^]+)$/.exec(text);
  const left = operand(match ? match[1]! : text);
  const right = match ? operand(match[3]!) : undefined;
  const operator = match?.[2];
  return (value) =>
    children(value).filter((item) => {
      const found = left(item);
      if (found.length === 0) return false;
      if (!right) return true;
      const others = right(item);
      return others.length > 0 && compare(found[0], operator!, others[0]);
    });
}

function operand(text: string): Operand {
  if (/^(['"])[^]*\1$/.test(text)) return () => [unquote(text)];
  if (text === "true" || text === "false") return () => [text === "true"];
  if (/^-?\d+(\.\d+)?$/.test(text)) return () => [Number(text)];
  if (!text.startsWith("@")) throw new SyntaxError(`unrecognized filter ${text}`);
  const steps = new PathParser(text.slice(1)).steps();
  return (item) => steps.reduce<unknown[]>((values, step) => values.flatMap(step), [item]);
}

function compare(left: unknown, operator: string, right: unknown): boolean {
  if (typeof left !== typeof right) return false;
  switch (operator) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left! < right!;
    case "<=":
      return left! <= right!;
    case ">":
      return left! > right!;
    default:
      return left! >= right!;
  }
}
