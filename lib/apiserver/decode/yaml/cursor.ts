// Mirrors `go.yaml.in/yaml/v2/scannerc.go, skip`.

/** The error for invalid YAML; the message begins with `yaml: `, as that of kube-apiserver. */
export class YamlError extends Error {}

/** Reports whether a character is a line break of YAML 1.1, or the NUL at the end of the text. */
export function isBreakOrEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0 || code === 0x85 ||
    code === 0x2028 || code === 0x2029;
}

/** Reports whether a character is a line break of YAML 1.1. */
export function isBreak(code: number): boolean {
  return code !== 0 && isBreakOrEnd(code);
}

/** Reports whether a character is a space or a tab. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** Reports whether a character is a space, a tab, a line break, or the end of the text. */
export function isBlankOrEnd(code: number): boolean {
  return isBlank(code) || isBreakOrEnd(code);
}

/** Reports whether a character may be in the name of a YAML anchor, a directive or a tag handle. */
export function isWord(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) || code === 0x5f || code === 0x2d;
}

/**
 * A position in a YAML text that its methods move forward, with its line and column, both from 0;
 * columns count UTF-16 code units.
 */
export class Cursor {
  readonly text: string;
  at = 0;
  line = 0;
  #lineStart = 0;

  /**
   * Creates a cursor at the beginning of a YAML text.
   *
   * @param text The text with NULs at its end, so that characters ahead are read without a check.
   */
  constructor(text: string) {
    this.text = text;
  }

  get column(): number {
    return this.at - this.#lineStart;
  }

  /**
   * Returns the code unit of the YAML text at the cursor, or at a distance ahead of it (in code
   * units); `NaN` past the end.
   */
  peek(ahead = 0): number {
    return this.text.charCodeAt(this.at + ahead);
  }

  /**
   * Reports whether a YAML document separator (`---`) or the end of a document (`...`) is at the
   * cursor: at the start of a line, and followed by white space or the end of the text.
   */
  atDocumentIndicator(): boolean {
    if (this.column !== 0) return false;
    const first = this.peek();
    return (first === 0x2d || first === 0x2e) && this.peek(1) === first &&
      this.peek(2) === first && isBlankOrEnd(this.peek(3));
  }

  /**
   * Moves the cursor in the YAML text past the line break at the cursor, and returns the break as
   * values contain it: itself for U+2028 and U+2029, otherwise `\n`.
   */
  readBreak(): string {
    const code = this.peek();
    this.at += code === 0x0d && this.peek(1) === 0x0a ? 2 : 1;
    this.line++;
    this.#lineStart = this.at;
    return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : "\n";
  }

  /** Moves the cursor in the YAML text past spaces and tabs. */
  skipBlanks(): void {
    while (isBlank(this.peek())) this.at++;
  }

  /**
   * Moves the cursor in the YAML text past a comment at the cursor, if there is one, to the end of
   * its line.
   */
  skipComment(): void {
    if (this.peek() === 0x23) this.skipToBreak();
  }

  skipToBreak(): void {
    while (!isBreakOrEnd(this.peek())) this.at++;
  }

  /**
   * Counts the last line of a YAML text without a final line break as ended, so that an error at
   * the end of the text has the number of the next line, as in kube-apiserver.
   */
  endLine(): void {
    if (this.column === 0) return;
    this.line++;
    this.#lineStart = this.at;
  }

  /**
   * Throws a YAML syntax error with the number of the cursor's line. Like kube-apiserver, it omits
   * the number on the first line.
   */
  fail(problem: string): never {
    throw new YamlError(`yaml: ${this.line === 0 ? "" : `line ${this.line + 1}: `}${problem}`);
  }
}
