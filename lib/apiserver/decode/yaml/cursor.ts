/** Thrown for invalid YAML; the message begins with `yaml: `, as kube-apiserver's does. */
export class YamlError extends Error {}

/** A line break in YAML 1.1, and the end of the text, which is a NUL. */
export function isBreakOrEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0 || code === 0x85 ||
    code === 0x2028 || code === 0x2029;
}

/** A line break in YAML 1.1. */
export function isBreak(code: number): boolean {
  return code !== 0 && isBreakOrEnd(code);
}

/** A space or a tab. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** A space, a tab, a line break, or the end of the text. */
export function isBlankOrEnd(code: number): boolean {
  return isBlank(code) || isBreakOrEnd(code);
}

/** A character of a name: of an anchor, a directive or a tag handle. */
export function isWord(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) || code === 0x5f || code === 0x2d;
}

/** A place in a text, and the line and the column that it is at, both from 0. */
export class Cursor {
  readonly text: string;
  at = 0;
  line = 0;
  #lineStart = 0;

  /** @param text ends with NULs, so that one may look ahead without a check. */
  constructor(text: string) {
    this.text = text;
  }

  get column(): number {
    return this.at - this.#lineStart;
  }

  /** The code unit at the place, or some places ahead. */
  peek(ahead = 0): number {
    return this.text.charCodeAt(this.at + ahead);
  }

  /** Reports whether a document separator or the end of a document follows. */
  atDocumentIndicator(): boolean {
    if (this.column !== 0) return false;
    const first = this.peek();
    return (first === 0x2d || first === 0x2e) && this.peek(1) === first &&
      this.peek(2) === first && isBlankOrEnd(this.peek(3));
  }

  /** Passes one line break, and answers what it stands for. */
  readBreak(): string {
    const code = this.peek();
    this.at += code === 0x0d && this.peek(1) === 0x0a ? 2 : 1;
    this.line++;
    this.#lineStart = this.at;
    return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : "\n";
  }

  /** Passes spaces and tabs. */
  skipBlanks(): void {
    while (isBlank(this.peek())) this.at++;
  }

  /** Passes a comment, when one stands here, but not the end of its line. */
  skipComment(): void {
    if (this.peek() === 0x23) this.skipToBreak();
  }

  skipToBreak(): void {
    while (!isBreakOrEnd(this.peek())) this.at++;
  }

  /** Text that ends in the middle of a line ends on a line of its own, as far as messages tell. */
  endLine(): void {
    if (this.column === 0) return;
    this.line++;
    this.#lineStart = this.at;
  }

  /** The real server leaves the first line out. */
  fail(problem: string): never {
    throw new YamlError(`yaml: ${this.line === 0 ? "" : `line ${this.line + 1}: `}${problem}`);
  }
}
