// Mirrors `go.yaml.in/yaml/v2/scannerc.go, yaml_parser_fetch_next_token`.
import { scanBlockScalar } from "./block_scalar.ts";
import { Cursor, isBlank, isBlankOrEnd, isBreak } from "./cursor.ts";
import { scanPlainScalar } from "./plain_scalar.ts";
import { scanAnchor, scanDirective, scanTag } from "./properties.ts";
import { scanQuotedScalar } from "./quoted_scalar.ts";
import { SimpleKeys } from "./simple_keys.ts";
import { type Token, token, type TokenType } from "./token.ts";

/** The number of characters by which the rules of the YAML scanner look ahead. */
const LOOK_AHEAD = 4;
/**
 * The maximum depth of YAML flow collections, and of block collections (`max_flow_level`,
 * `max_indents`).
 */
const MAX_DEPTH = 10_000;
const TAB = 0x09;
const SPACE = 0x20;

/**
 * A scanner that splits a YAML 1.1 text into tokens, one at a time, and reads no further than the
 * next token requires, so that errors after the first document are never found. It follows libyaml,
 * as go.yaml.in/yaml/v2 does.
 */
export class Scanner {
  readonly #cursor: Cursor;
  readonly #keys: SimpleKeys;
  /** The indentations of the open YAML blocks, without the innermost one. */
  readonly #indents: number[] = [];
  #tokens: Token[] = [];
  #head = 0;
  /** The number of YAML tokens that the parser has taken. */
  #taken = 0;
  #indent = -1;
  #keyAllowed = true;

  constructor(text: string) {
    this.#cursor = new Cursor(text + "\0".repeat(LOOK_AHEAD));
    this.#keys = new SimpleKeys(this.#cursor);
  }

  /** The offset, in UTF-16 code units, up to which the scanner has read the YAML text. */
  get at(): number {
    return this.#cursor.at;
  }

  /**
   * Returns the next YAML token without taking it.
   *
   * @throws {YamlError} If the text is not YAML.
   */
  peek(): Token {
    while (this.#head === this.#tokens.length || this.#keys.mayBegin(this.#taken)) {
      this.#fetch();
    }
    return this.#tokens[this.#head]!;
  }

  /**
   * Takes and returns the next YAML token.
   *
   * @throws {YamlError} If the text is not YAML.
   */
  next(): Token {
    const token = this.peek();
    this.#taken++;
    if (++this.#head === this.#tokens.length) {
      this.#tokens = [];
      this.#head = 0;
    }
    return token;
  }

  get #nextNumber(): number {
    return this.#taken + this.#tokens.length - this.#head;
  }

  get #inFlow(): boolean {
    return this.#keys.flowLevel > 0;
  }

  #push(type: TokenType, line = this.#cursor.line): void {
    this.#tokens.push(token(type, line));
  }

  /**
   * Inserts a YAML token before the token of the given number, or after all when that one was
   * taken.
   */
  #insert(number: number, type: TokenType, line: number): void {
    if (number < this.#taken) this.#push(type, line);
    else this.#tokens.splice(this.#head + number - this.#taken, 0, token(type, line));
  }

  #fetch(): void {
    const cursor = this.#cursor;
    this.#skipToToken();
    this.#unroll(cursor.column);
    const code = cursor.peek();
    if (code === 0) return this.#streamEnd();
    if (cursor.column === 0 && cursor.text[cursor.at] === "%") return this.#directive();
    if (cursor.atDocumentIndicator()) return this.#documentIndicator();
    const separate = isBlankOrEnd(cursor.peek(1));
    switch (cursor.text[cursor.at]) {
      case "[":
        return this.#flowStart("flow sequence start");
      case "{":
        return this.#flowStart("flow mapping start");
      case "]":
        return this.#flowEnd("flow sequence end");
      case "}":
        return this.#flowEnd("flow mapping end");
      case ",":
        return this.#flowEntry();
      case "-":
        return separate ? this.#blockEntry() : this.#plainScalar();
      case "?":
        return separate || this.#inFlow ? this.#key() : this.#plainScalar();
      case ":":
        return separate || this.#inFlow ? this.#value() : this.#plainScalar();
      case "*":
        return this.#property(() => scanAnchor(cursor, "alias"));
      case "&":
        return this.#property(() => scanAnchor(cursor, "anchor"));
      case "!":
        return this.#property(() => scanTag(cursor));
      case "'":
      case '"':
        return this.#quotedScalar();
      case "|":
      case ">":
        if (!this.#inFlow) return this.#blockScalar();
        break;
      case "#":
      case "%":
      case "@":
      case "`":
        break;
      default:
        if (!isBlank(code)) return this.#plainScalar();
    }
    cursor.fail("found character that cannot start any token");
  }

  /**
   * Skips blanks, comments and line breaks before the next YAML token. A tab does not count as a
   * space where a key may begin.
   */
  #skipToToken(): void {
    const cursor = this.#cursor;
    for (;;) {
      const tabs = this.#inFlow || !this.#keyAllowed;
      while (cursor.peek() === SPACE || (tabs && cursor.peek() === TAB)) cursor.at++;
      cursor.skipComment();
      if (!isBreak(cursor.peek())) return;
      cursor.readBreak();
      if (!this.#inFlow) this.#keyAllowed = true;
    }
  }

  /**
   * Opens a YAML block at a column, before the token of the given number, if the column is further
   * right than the indentation of the innermost open block.
   */
  #roll(column: number, type: TokenType, number: number, line: number): void {
    if (this.#inFlow || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    if (this.#indents.length > MAX_DEPTH) this.#tooDeep();
    this.#indent = column;
    this.#insert(number, type, line);
  }

  /** Closes the YAML blocks that are indented further than a column. */
  #unroll(column: number): void {
    if (this.#inFlow) return;
    while (this.#indent > column) {
      this.#push("block end");
      this.#indent = this.#indents.pop()!;
    }
  }

  /**
   * Closes all open YAML blocks, unless a flow collection is unclosed, and drops the possible
   * simple key.
   */
  #endBlocks(): void {
    this.#unroll(-1);
    this.#keys.end();
    this.#keyAllowed = false;
  }

  #streamEnd(): void {
    this.#cursor.endLine();
    this.#endBlocks();
    this.#push("stream end");
  }

  #directive(): void {
    this.#endBlocks();
    this.#tokens.push(scanDirective(this.#cursor));
  }

  #documentIndicator(): void {
    this.#endBlocks();
    const isStart = this.#cursor.text[this.#cursor.at] === "-";
    this.#push(isStart ? "document start" : "document end");
    this.#cursor.at += 3;
  }

  #flowStart(type: TokenType): void {
    this.#beginKey();
    this.#keys.open(this.#nextNumber);
    if (this.#keys.flowLevel > MAX_DEPTH) this.#tooDeep();
    this.#keyAllowed = true;
    this.#push(type);
    this.#cursor.at++;
  }

  #tooDeep(): never {
    this.#cursor.fail(`exceeded max depth of ${MAX_DEPTH}`);
  }

  #flowEnd(type: TokenType): void {
    this.#keys.end();
    this.#keys.close();
    this.#keyAllowed = false;
    this.#push(type);
    this.#cursor.at++;
  }

  #flowEntry(): void {
    this.#keys.end();
    this.#keyAllowed = true;
    this.#push("flow entry");
    this.#cursor.at++;
  }

  #blockEntry(): void {
    this.#openBlock("block sequence start", "block sequence entries");
    this.#keys.end();
    this.#keyAllowed = true;
    this.#push("block entry");
    this.#cursor.at++;
  }

  #key(): void {
    this.#openBlock("block mapping start", "mapping keys");
    this.#keys.end();
    this.#keyAllowed = !this.#inFlow;
    this.#push("key");
    this.#cursor.at++;
  }

  #value(): void {
    const key = this.#keys.take();
    if (key) {
      this.#insert(key.token, "key", key.line);
      this.#roll(key.column, "block mapping start", key.token, key.line);
      this.#keyAllowed = false;
    } else {
      this.#openBlock("block mapping start", "mapping values");
      this.#keyAllowed = !this.#inFlow;
    }
    this.#push("value");
    this.#cursor.at++;
  }

  /** Opens the YAML block that an indicator (`-`, `?` or `:`) begins. */
  #openBlock(type: TokenType, what: string): void {
    if (this.#inFlow) return;
    if (!this.#keyAllowed) this.#cursor.fail(`${what} are not allowed in this context`);
    this.#roll(this.#cursor.column, type, this.#nextNumber, this.#cursor.line);
  }

  /**
   * Records that the next token may begin a simple key (a key without `?`), where one is allowed.
   */
  #beginKey(): void {
    if (!this.#keyAllowed) return;
    const required = !this.#inFlow && this.#indent === this.#cursor.column;
    this.#keys.begin(this.#nextNumber, required);
  }

  #property(scan: () => Token): void {
    this.#beginKey();
    this.#keyAllowed = false;
    this.#tokens.push(scan());
  }

  #quotedScalar(): void {
    this.#beginKey();
    this.#keyAllowed = false;
    const { line } = this.#cursor;
    this.#tokens.push(token("scalar", line, scanQuotedScalar(this.#cursor)));
  }

  #plainScalar(): void {
    this.#beginKey();
    const { line } = this.#cursor;
    const { value, brokeLine } = scanPlainScalar(this.#cursor, this.#indent, this.#inFlow);
    this.#keyAllowed = brokeLine;
    this.#tokens.push(token("scalar", line, value, "", true));
  }

  #blockScalar(): void {
    this.#keys.end();
    this.#keyAllowed = true;
    const { line, text, at } = this.#cursor;
    const value = scanBlockScalar(this.#cursor, this.#indent, text[at] === "|");
    this.#tokens.push(token("scalar", line, value));
  }
}
