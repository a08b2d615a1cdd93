/**
 * A writer of YAML documents that gives the texts of Go's YAML library (`go.yaml.in/yaml/v2`), with
 * which kube-apiserver converts JSON to YAML.
 *
 * Mirrors `go.yaml.in/yaml/v2/emitterc.go, yaml_emitter_emit`.
 *
 * @module
 */
import { BREAK, compareKeys, numberText, styleOf } from "./yaml_scalar.ts";

/** The column after which a text is continued on the next line at a space (`best_width`). */
const WIDTH = 80;
/** The number of columns by which an inner value is indented (`best_indent`). */
const INDENT = 2;
/** The maximum length of a key on the line of its value, in bytes of UTF-8. */
const MAX_SIMPLE_KEY_BYTES = 128;

const encoder = new TextEncoder();

/** A list or an object of which some inner values are written already. */
interface OpenValue {
  /** The keys of an object in their order; `undefined` for a list. */
  readonly keys: readonly string[] | undefined;
  /** The inner values in their order. */
  readonly values: readonly unknown[];
  /** The indentation around the list or the object, in columns; -1 around the root. */
  readonly outer: number;
  /** The index of the inner value to write next. */
  next: number;
}

/** A writer of one YAML document. */
export class YamlEmitter {
  #text = "";
  #column = 0;
  #indent = -1;
  /** Reports whether a white space character, or nothing, precedes the next character. */
  #isAfterSpace = true;
  /** Reports whether only indentation and indicators are on the line so far. */
  #isInIndent = true;

  /** Returns the text that was written so far, with the end of the last line. */
  end(): string {
    this.#writeIndent();
    return this.#text;
  }

  /**
   * Writes the root value of the document. Does not call itself for inner values: the depth of a
   * value must not exhaust the stack.
   */
  write(value: unknown): void {
    const open: OpenValue[] = [];
    this.#begin(value, false, open);
    for (let last = open.at(-1); last; last = open.at(-1)) {
      const { keys, values, outer } = last;
      const at = last.next++;
      if (at === values.length) {
        this.#indent = outer;
        open.pop();
        continue;
      }
      this.#writeIndent();
      if (keys) this.#key(keys[at]!);
      else this.#indicator("-", true, true);
      this.#begin(values[at], keys !== undefined, open);
    }
  }

  /**
   * Writes a value without inner values; adds a list or an object that is not empty to `open`
   * instead.
   */
  #begin(value: unknown, isInMapping: boolean, open: OpenValue[]): void {
    if (typeof value === "string") return this.#scalar(value, false);
    if (value === null || value === undefined) return this.#plain("null", false);
    if (typeof value === "number") return this.#plain(numberText(value), false);
    if (typeof value !== "object") return this.#plain(String(value), false);
    const outer = this.#indent;
    if (Array.isArray(value)) {
      if (value.length === 0) return this.#empty("[", "]");
      if (outer < 0) this.#indent = 0;
      else if (!isInMapping || this.#isInIndent) this.#indent += INDENT;
      open.push({ keys: undefined, values: value, outer, next: 0 });
      return;
    }
    const object = value as Record<string, unknown>;
    const keys = Object.keys(object).filter((key) => object[key] !== undefined).sort(compareKeys);
    if (keys.length === 0) return this.#empty("{", "}");
    this.#indent = outer < 0 ? 0 : outer + INDENT;
    open.push({ keys, values: keys.map((key) => object[key]), outer, next: 0 });
  }

  #key(key: string): void {
    if (isSimpleKey(key)) {
      this.#scalar(key, true);
      this.#indicator(":", false, false);
      return;
    }
    this.#indicator("?", true, true);
    this.#scalar(key, false);
    this.#writeIndent();
    this.#indicator(":", true, true);
  }

  #empty(open: string, close: string): void {
    this.#indicator(open, true, false);
    this.#indicator(close, false, false);
  }

  #scalar(given: string, isSimpleKey: boolean): void {
    const text = asYamlReads(given);
    const outer = this.#indent;
    this.#indent = outer < 0 ? INDENT : outer + INDENT;
    switch (styleOf(text, isSimpleKey)) {
      case "plain":
        this.#plain(text, !isSimpleKey);
        break;
      case "single":
        this.#single(text, !isSimpleKey);
        break;
      case "double":
        this.#double(text, !isSimpleKey);
        break;
      case "literal":
        this.#literal(text);
    }
    this.#indent = outer;
  }

  #plain(text: string, breaks: boolean): void {
    if (!this.#isAfterSpace) this.#put(" ");
    if (!breaks || this.#fits(text)) this.#put(text);
    else this.#folded(text, { from: 0, to: text.length });
    this.#isAfterSpace = false;
    this.#isInIndent = false;
  }

  /** Reports whether a text without line breaks ends before the column at which it is folded. */
  #fits(text: string): boolean {
    return this.#column + text.length <= WIDTH;
  }

  #single(text: string, breaks: boolean): void {
    this.#indicator("'", true, false);
    const quoted = text.replaceAll("'", "''");
    if (!BREAK.test(text) && (!breaks || this.#fits(quoted))) this.#put(quoted);
    else this.#folded(quoted, { from: 1, to: quoted.length - 1 }, breaks);
    this.#indicator("'", false, false);
    this.#isAfterSpace = false;
    this.#isInIndent = false;
  }

  /**
   * Writes a plain or single-quoted text. Continues it on the next line at each single space beyond
   * the width whose index is within the given bounds.
   */
  #folded(
    text: string,
    { from, to }: { readonly from: number; readonly to: number },
    folds = true,
  ): void {
    let isAfterSpaces = false;
    let isAfterBreaks = false;
    for (let at = 0; at < text.length; at++) {
      const character = text[at]!;
      if (character === " ") {
        const isSingle = !isAfterSpaces && text[at + 1] !== " ";
        if (folds && isSingle && this.#column > WIDTH && at >= from && at < to) this.#writeIndent();
        else this.#put(character);
        isAfterSpaces = true;
      } else if (BREAK.test(character)) {
        if (!isAfterBreaks && character === "\n") this.#break();
        this.#writeBreak(character);
        this.#isInIndent = true;
        isAfterBreaks = true;
      } else {
        if (isAfterBreaks) this.#writeIndent();
        this.#put(character);
        this.#isInIndent = false;
        isAfterSpaces = false;
        isAfterBreaks = false;
      }
    }
  }

  #double(text: string, breaks: boolean): void {
    this.#indicator('"', true, false);
    let isAfterSpaces = false;
    const last = text.length - 1;
    // Go's library escapes all characters of a text that begins with a byte order mark.
    const isMarked = text.startsWith("\ufeff");
    for (let at = 0; at < text.length; at++) {
      const character = String.fromCodePoint(text.codePointAt(at)!);
      if (character === " " && !isMarked) {
        const folds = breaks && !isAfterSpaces && this.#column > WIDTH && at > 0 && at < last;
        if (folds) {
          this.#writeIndent();
          if (text[at + 1] === " ") this.#put("\\");
        } else this.#put(" ");
        isAfterSpaces = true;
      } else {
        const isPlain = !isMarked && PLAIN_IN_QUOTES.test(character);
        this.#put(isPlain ? character : escaped(character));
        isAfterSpaces = false;
      }
      at += character.length - 1;
    }
    this.#indicator('"', false, false);
    this.#isAfterSpace = false;
    this.#isInIndent = false;
  }

  #literal(text: string): void {
    this.#indicator("|", true, false);
    if (/^[ \r\n\x85\u2028\u2029]/.test(text)) this.#indicator(String(INDENT), false, false);
    const ends = /(?<![\r\n\x85\u2028\u2029])[\r\n\x85\u2028\u2029]*$/.exec(text)![0].length;
    if (ends === 0) this.#indicator("-", false, false);
    else if (ends > 1 || ends === text.length) this.#indicator("+", false, false);
    this.#break();
    this.#isInIndent = true;
    this.#isAfterSpace = true;
    let isAfterBreaks = true;
    for (const character of text) {
      if (BREAK.test(character)) {
        this.#writeBreak(character);
        this.#isInIndent = true;
        isAfterBreaks = true;
        continue;
      }
      if (isAfterBreaks) this.#writeIndent();
      this.#put(character);
      this.#isInIndent = false;
      isAfterBreaks = false;
    }
  }

  #indicator(text: string, needsSpace: boolean, isIndent: boolean): void {
    if (needsSpace && !this.#isAfterSpace) this.#put(" ");
    this.#put(text);
    this.#isAfterSpace = text === "[" || text === "{";
    this.#isInIndent &&= isIndent;
  }

  #writeIndent(): void {
    const indent = Math.max(this.#indent, 0);
    if (
      !this.#isInIndent || this.#column > indent || this.#column === indent && !this.#isAfterSpace
    ) this.#break();
    if (this.#column < indent) this.#put(" ".repeat(indent - this.#column));
    this.#isAfterSpace = true;
    this.#isInIndent = true;
  }

  #writeBreak(character: string): void {
    if (character === "\n") return this.#break();
    this.#text += character;
    this.#column = 0;
  }

  #break(): void {
    this.#text += "\n";
    this.#column = 0;
  }

  /** Writes a text without line breaks, whose characters are of one code unit each. */
  #put(text: string): void {
    this.#text += text;
    this.#column += text.length;
  }
}

/** Reports whether a key is written on the line of its value, without `?`. */
function isSimpleKey(key: string): boolean {
  if (BREAK.test(key)) return false;
  if (key.length * 3 <= MAX_SIMPLE_KEY_BYTES) return true;
  return encoder.encode(key).length <= MAX_SIMPLE_KEY_BYTES;
}

/**
 * Returns a text of a JSON document as YAML reads it, which Go's library does first: the character
 * U+0085, which JSON does not escape, is a line break there, and is folded.
 */
function asYamlReads(text: string): string {
  if (!text.includes("\x85")) return text;
  return text.replace(/ *\x85[ \x85]*/g, (breaks) => {
    const count = breaks.split("\x85").length - 1;
    return count === 1 ? " " : "\n".repeat(count - 1);
  });
}

/** A pattern of the characters that are not escaped in double quotes. */
const PLAIN_IN_QUOTES =
  /^[\x20\x21\x23-\x5b\x5d-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]$/;

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\0": "0",
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\x1b": "e",
  '"': '"',
  "\\": "\\",
  "\x85": "N",
  "\xa0": "_",
  "\u2028": "L",
  "\u2029": "P",
};

function escaped(character: string): string {
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return `\\${short}`;
  const code = character.codePointAt(0)!;
  const [letter, width] = code <= 0xff ? ["x", 2] : code <= 0xffff ? ["u", 4] : ["U", 8];
  return `\\${letter}${code.toString(16).toUpperCase().padStart(width as number, "0")}`;
}
