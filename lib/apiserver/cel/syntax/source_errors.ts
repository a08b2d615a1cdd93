/** One error at a place in an expression. */
export interface SourceError {
  /** In code points; -1 for no place. */
  readonly offset: number;
  readonly message: string;
}

const MAX_ERRORS = 100;
const MAX_SNIPPET_BYTES = 16384;

/** The errors of one expression, and how they are shown. */
export class SourceErrors {
  readonly #source: string;
  readonly #errors: SourceError[] = [];
  #count = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** How many there are, even those too many to be shown. */
  get count(): number {
    return this.#count;
  }

  add(offset: number, message: string): void {
    this.#count++;
    if (this.#count <= MAX_ERRORS) this.#errors.push({ offset, message });
  }

  /** All of them by place, each with its line and a mark below it. */
  toString(): string {
    const lines = this.#source.split("\n").map((line) => [...line]);
    const shown = this.#errors
      .map(({ offset, message }) => ({ ...locate(lines, offset), message }))
      .sort((a, b) => a.line - b.line || a.column - b.column)
      .map((error) => show(lines, error));
    if (this.#count > MAX_ERRORS) {
      shown.push(`${this.#count - MAX_ERRORS} more errors were truncated`);
    }
    return shown.join("\n");
  }
}

function locate(
  lines: readonly (readonly string[])[],
  offset: number,
): { line: number; column: number } {
  if (offset < 0) return { line: -1, column: -1 };
  let rest = offset;
  for (const [index, line] of lines.entries()) {
    if (rest <= line.length) return { line: index + 1, column: rest };
    rest -= line.length + 1;
  }
  return { line: lines.length, column: lines.at(-1)!.length };
}

function show(
  lines: readonly (readonly string[])[],
  { line, column, message }: { line: number; column: number; message: string },
): string {
  const text = `ERROR: <input>:${line}:${column + 1}: ${message}`;
  const characters = lines[line - 1];
  if (!characters) return text;
  const snippet = characters.join("").replaceAll("\t", " ");
  if (new TextEncoder().encode(snippet).length > MAX_SNIPPET_BYTES) return text;
  const before = characters.slice(0, column).map((each) => each > "\x7f" ? "\uff0e" : ".").join("");
  const mark = (characters[column] ?? "") > "\x7f" ? "\uff3e" : "^";
  return `${text}\n | ${snippet}\n | ${before}${mark}`;
}
