// Mirrors `runtime/serializer/json/json.go, Serializer.doEncode`.
import { nestedTooDeep } from "@xca/apimachinery/internal/errors";
import { dump } from "js-yaml";

/**
 * The number of levels that js-yaml writes at once. js-yaml copies the text of a value for each
 * level around the value, so that its time grows by the cube of the levels.
 */
const LEVELS_AT_ONCE = 32;

/**
 * The greatest number of levels of a YAML document; the size of a document grows by the square of
 * this number.
 */
const MOST_LEVELS = 2000;

/** The style of kube-apiserver, as options of js-yaml. */
export const STYLE = {
  sortKeys: true,
  quoteStyle: "double",
  lineWidth: -1,
  noRefs: true,
  seqNoIndent: true,
} as const;

/** The line after a document that ends with the empty lines of a block scalar. */
const END = "...";

/**
 * Writes a JSON value as YAML, with sorted keys and in the style of kube-apiserver.
 *
 * @throws {StatusError} 400 for a value of more than 2000 levels.
 */
export function writeYaml(value: unknown): string {
  const levels = levelsOf(value);
  const count = levels.get(value as object) ?? 0;
  if (count > MOST_LEVELS) throw nestedTooDeep();
  if (count <= LEVELS_AT_ONCE) return styled(value);
  return new YamlWriter(levels).write(value);
}

/**
 * Returns the number of levels of lists and objects in a value and in each list and object within.
 * Does not call itself: the depth of a value must not exhaust the stack.
 */
function levelsOf(value: unknown): ReadonlyMap<object, number> {
  const outerFirst: object[] = [];
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== "object" || next === null) continue;
    outerFirst.push(next);
    for (const each of Object.values(next)) pending.push(each);
  }
  const levels = new Map<object, number>();
  for (const each of outerFirst.reverse()) {
    let most = 0;
    for (const inner of Object.values(each)) most = Math.max(most, levels.get(inner) ?? 0);
    levels.set(each, most + 1);
  }
  return levels;
}

/** A value of a YAML document that is not written yet. */
interface Part {
  readonly value: unknown;
  /** The text before the first line of the value. */
  readonly lead: string;
  /** The number of spaces before the other lines. */
  readonly indent: number;
}

/**
 * A writer of one YAML document. Keeps the parts of deep values in a list, since a call for each
 * level would exhaust the stack.
 */
class YamlWriter {
  readonly #levels: ReadonlyMap<object, number>;
  readonly #lines: string[] = [];

  constructor(levels: ReadonlyMap<object, number>) {
    this.#levels = levels;
  }

  /** Returns the document of a value. */
  write(value: unknown): string {
    const pending: (Part | string)[] = [{ value, lead: "", indent: 0 }];
    while (pending.length > 0) {
      const part = pending.pop()!;
      if (typeof part === "string") this.#push(part);
      else if (this.#isShallow(part.value)) this.#writeAtOnce(part);
      else for (const each of [...this.#partsOf(part)].reverse()) pending.push(each);
    }
    return `${this.#lines.join("\n")}\n`;
  }

  #isShallow(value: unknown): boolean {
    return (this.#levels.get(value as object) ?? 0) <= LEVELS_AT_ONCE;
  }

  #writeAtOnce({ value, lead, indent }: Part): void {
    const [first, ...rest] = styled(value).split("\n").slice(0, -1);
    this.#push(lead + first);
    for (const line of rest) this.#push(line === "" ? "" : line === END ? END : pad(indent) + line);
  }

  #push(line: string): void {
    // The end marker of a part is not the end of the document.
    if (this.#lines.at(-1) === END) this.#lines.pop();
    this.#lines.push(line);
  }

  /** Returns the lines and the parts of a list or object, in their order. */
  #partsOf({ value, lead, indent }: Part): Iterable<Part | string> {
    return Array.isArray(value)
      ? this.#partsOfList(value, indent, lead)
      : this.#partsOfObject(value as Record<string, unknown>, indent, lead);
  }

  *#partsOfList(list: readonly unknown[], indent: number, lead: string): Iterable<Part> {
    for (const [index, item] of list.entries()) {
      const head = index === 0 ? lead : pad(indent);
      if (this.#isShallow(item)) yield { value: [item], lead: head, indent };
      else yield { value: item, lead: `${head}- `, indent: indent + 2 };
    }
  }

  *#partsOfObject(
    object: Record<string, unknown>,
    indent: number,
    lead: string,
  ): Iterable<Part | string> {
    let head = lead;
    for (const key of Object.keys(object).sort()) {
      const value = object[key];
      if (value === undefined) continue;
      if (this.#isShallow(value)) yield { value: { [key]: value }, lead: head, indent };
      else yield* partsOfDeepField(key, value as object, indent, head);
      head = pad(indent);
    }
  }
}

/** Returns the lines and the value of a field whose value is deep. */
function* partsOfDeepField(
  key: string,
  value: object,
  indent: number,
  head: string,
): Iterable<Part | string> {
  const name = styled({ [key]: null }).replace(/\n?: null\n$/, "");
  if (name.startsWith("? ")) {
    // Long keys and their values, `: value`, have lines of their own.
    yield head + name;
    yield { value, lead: `${pad(indent)}: `, indent: indent + 2 };
    return;
  }
  yield `${head}${name}:`;
  const below = Array.isArray(value) ? indent : indent + 2;
  yield { value, lead: pad(below), indent: below };
}

function pad(indent: number): string {
  return " ".repeat(indent);
}

function styled(value: unknown): string {
  return dump(value, STYLE);
}
