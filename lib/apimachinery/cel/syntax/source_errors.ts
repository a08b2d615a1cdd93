// Mirrors `common/errors.go, Errors`.

/** An error at a position of a CEL expression. */
export interface SourceError {
  /**
   * The zero-based position of the error in the CEL expression, in code points; -1 for an error
   * without a position.
   */
  readonly offset: number;
  readonly message: string;
}

/** The errors that one check of a CEL expression found. */
export interface FoundErrors {
  /**
   * The errors that the check found in the CEL expression and that are shown; those beyond the
   * first 100 errors of the expression are only counted.
   */
  readonly shown: readonly SourceError[];
  readonly count: number;
}

const MAX_ERRORS = 100;
const MAX_SNIPPET_BYTES = 16384;

/**
 * A collector of the errors in one CEL expression, which formats them with their source lines. The
 * first 100 errors are shown, the others only counted.
 */
export class SourceErrors {
  readonly #source: string;
  readonly #errors: SourceError[] = [];
  #count = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** The number of errors of the CEL expression, including those that are too many to be shown. */
  get count(): number {
    return this.#count;
  }

  add(offset: number, message: string): void {
    this.#count++;
    if (this.#errors.length < MAX_ERRORS) this.#errors.push({ offset, message });
  }

  /**
   * Runs a check of a CEL expression; returns the errors that it added, or `undefined` for none.
   */
  during(check: () => void): FoundErrors | undefined {
    const { length } = this.#errors;
    const before = this.#count;
    check();
    if (this.#count === before) return undefined;
    return { shown: this.#errors.slice(length), count: this.#count - before };
  }

  /**
   * Adds the errors of a syntax node of the CEL expression again, for `times` further positions of
   * the node in the tree.
   */
  repeat({ shown, count }: FoundErrors, times = 1): void {
    this.#count += count * times;
    for (let i = 0; i < times && this.#errors.length < MAX_ERRORS && shown.length > 0; i++) {
      this.#errors.push(...shown.slice(0, MAX_ERRORS - this.#errors.length));
    }
  }

  /**
   * Formats the errors of the CEL expression in the order of their positions, each with its source
   * line and a mark below the position. A last line states the number of errors that are only
   * counted.
   */
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
