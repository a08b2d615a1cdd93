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
  const levels = new Map<object, number>();
  const count = countLevels(value, levels);
  if (count > MOST_LEVELS) throw nestedTooDeep();
  if (count <= LEVELS_AT_ONCE) return styled(value);
  const writer = new YamlWriter(levels);
  writer.write(value, 0, "");
  return writer.text();
}

/** Returns the number of levels of lists and objects in a value, and adds those within to `known`. */
function countLevels(value: unknown, known: Map<object, number>): number {
  if (typeof value !== "object" || value === null) return 0;
  let most = 0;
  for (const each of Object.values(value)) most = Math.max(most, countLevels(each, known));
  known.set(value, most + 1);
  return most + 1;
}

/** A writer of the lines of one YAML document. */
class YamlWriter {
  readonly #levels: ReadonlyMap<object, number>;
  readonly #lines: string[] = [];

  constructor(levels: ReadonlyMap<object, number>) {
    this.#levels = levels;
  }

  text(): string {
    return `${this.#lines.join("\n")}\n`;
  }

  /** Writes a value; `lead` begins its first line, and `indent` spaces begin the others. */
  write(value: unknown, indent: number, lead: string): void {
    if (this.#isShallow(value)) this.#writeAtOnce(value, indent, lead);
    else if (Array.isArray(value)) this.#writeList(value, indent, lead);
    else this.#writeObject(value as Record<string, unknown>, indent, lead);
  }

  #isShallow(value: unknown): boolean {
    return (this.#levels.get(value as object) ?? 0) <= LEVELS_AT_ONCE;
  }

  #writeAtOnce(value: unknown, indent: number, lead: string): void {
    const [first, ...rest] = styled(value).split("\n").slice(0, -1);
    this.#push(lead + first);
    for (const line of rest) this.#push(line === "" ? "" : line === END ? END : pad(indent) + line);
  }

  #push(line: string): void {
    // The end marker of a part is not the end of the document.
    if (this.#lines.at(-1) === END) this.#lines.pop();
    this.#lines.push(line);
  }

  #writeList(list: readonly unknown[], indent: number, lead: string): void {
    for (const [index, item] of list.entries()) {
      const head = index === 0 ? lead : pad(indent);
      if (this.#isShallow(item)) this.#writeAtOnce([item], indent, head);
      else this.write(item, indent + 2, `${head}- `);
    }
  }

  #writeObject(object: Record<string, unknown>, indent: number, lead: string): void {
    let head = lead;
    for (const key of Object.keys(object).sort()) {
      const value = object[key];
      if (value === undefined) continue;
      if (this.#isShallow(value)) this.#writeAtOnce({ [key]: value }, indent, head);
      else this.#writeDeepField(key, value as object, indent, head);
      head = pad(indent);
    }
  }

  #writeDeepField(key: string, value: object, indent: number, head: string): void {
    const name = styled({ [key]: null }).replace(/\n?: null\n$/, "");
    if (name.startsWith("? ")) {
      // Long keys and their values, `: value`, have lines of their own.
      this.#push(head + name);
      this.write(value, indent + 2, `${pad(indent)}: `);
      return;
    }
    this.#push(`${head}${name}:`);
    const below = Array.isArray(value) ? indent : indent + 2;
    this.write(value, below, pad(below));
  }
}

function pad(indent: number): string {
  return " ".repeat(indent);
}

function styled(value: unknown): string {
  return dump(value, STYLE);
}
