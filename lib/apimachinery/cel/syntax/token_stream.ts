import { escapeSpace, type Token, TOKEN_KINDS, type TokenKind } from "./lexer.ts";
import type { SourceErrors } from "./source_errors.ts";

/**
 * An exception that ends the parsing of one rule of CEL's grammar because of a syntax error.
 * {@linkcode TokenStream.rule}, which began the rule, catches the exception and records the error.
 */
class RuleFailure extends Error {
  override readonly name = "RuleFailure";
  constructor(readonly token: Token, text: string) {
    super(text);
  }
}

/**
 * An exception that ends the parsing of a CEL expression. Its reason was added to the expression's
 * errors before.
 */
export class ParserStopped extends Error {
  override readonly name = "ParserStopped";
}

/** A rule of CEL's grammar that is being parsed. */
interface Frame {
  /** The kinds of tokens that may follow the rule of the grammar. */
  readonly follow: ReadonlySet<TokenKind>;
  /**
   * Reports whether one of the tokens in `follow` must come after the rule of the grammar, so that
   * outer rules cannot end before such a token.
   */
  readonly isClosed: boolean;
}

/**
 * The names of the rules of CEL's grammar whose depth of nesting is counted. The depth is limited
 * for each rule except `other`.
 */
export type RuleName =
  | "expr"
  | "conditionalOr"
  | "conditionalAnd"
  | "relation"
  | "calc"
  | "unary"
  | "member"
  | "primary"
  | "other";

const MAX_DEPTH = 250;
/** The error message for a CEL expression that is nested too deeply. */
export const TOO_DEEP: string = `expression recursion limit exceeded: ${MAX_DEPTH}`;
const MAX_RECOVERIES = 30;
const MAX_LOOKAHEAD = 256;
const MAX_SYNTAX_ERRORS = 100;

/**
 * The stream of a CEL expression's tokens, with recovery from syntax errors. The recovery follows
 * the parser generator of cel-go, since the error messages (an extraneous token, a missing one, no
 * viable alternative) result from it. After an error, the stream adds no further error until a
 * token matches.
 */
export class TokenStream {
  readonly #tokens: readonly Token[];
  readonly #errors: SourceErrors;
  readonly #frames: Frame[] = [];
  readonly #depth: Partial<Record<RuleName, number>> = {};
  #position = 0;
  #recovering = false;
  #lastErrorPosition = -1;
  #recoveries = 0;
  #syntaxErrors = 0;

  constructor(tokens: readonly Token[], errors: SourceErrors) {
    this.#tokens = tokens;
    this.#errors = errors;
  }

  /**
   * Returns the token at a distance ahead in the CEL expression, by default at 1, which is the next
   * token; `<EOF>` beyond the last token.
   */
  peek(distance = 1): Token {
    return this.#tokens[Math.min(this.#position + distance - 1, this.#tokens.length - 1)]!;
  }

  /** Reports whether the next token of the CEL expression is of a kind. */
  at(kind: TokenKind): boolean {
    return this.peek().kind === kind;
  }

  /** Takes and returns the next token of the CEL expression, whose kind the caller has checked. */
  take(): Token {
    const token = this.peek();
    this.#matched();
    this.#consume();
    return token;
  }

  /**
   * Takes and returns the next token of the CEL expression if it is of the given kind; otherwise
   * returns `undefined`.
   */
  takeIf(kind: TokenKind): Token | undefined {
    return this.at(kind) ? this.take() : undefined;
  }

  /**
   * Takes and returns the next token of the CEL expression, which must be of a kind. The stream
   * skips one superfluous token before it, and adds an error. For a missing token, the stream
   * returns an empty token and adds an error, if the next token is one of `after` or, for an empty
   * set, may follow the open rules.
   *
   * @throws {RuleFailure} For every other token.
   */
  match(kind: TokenKind, after: ReadonlySet<TokenKind>): Token {
    if (this.at(kind)) return this.take();
    this.#countRecovery();
    if (this.peek(2).kind === kind) {
      this.#reportUnwanted([kind]);
      this.#consume();
      return this.take();
    }
    if (after.has(this.peek().kind) || (after.size === 0 && this.#mayFollow(this.peek().kind))) {
      this.#report(this.peek(), `missing ${kind} at ${quoted(this.peek())}`);
      return { kind, text: "", offset: this.peek().offset };
    }
    throw new RuleFailure(this.peek(), mismatch(this.peek(), [kind]));
  }

  /**
   * Ensures that one of `expected` is the next token of the CEL expression. The stream skips one
   * superfluous token before it, and adds an error. Does nothing during the recovery from an error.
   *
   * @throws {RuleFailure} If neither of the next two tokens is one of `expected`.
   */
  sync(expected: ReadonlySet<TokenKind>): void {
    if (this.#recovering || expected.has(this.peek().kind)) return;
    if (expected.has(this.peek(2).kind)) {
      this.#reportUnwanted([...expected]);
      this.#consume();
      this.#matched();
      return;
    }
    throw new RuleFailure(this.peek(), mismatch(this.peek(), [...expected]));
  }

  /**
   * Returns the exception for the syntax error that no alternative of CEL's grammar matches the
   * next `count` tokens.
   */
  noAlternative(count: number): RuleFailure {
    const tokens = Array.from({ length: count }, (_, index) => this.peek(index + 1));
    const text = tokens.filter(({ kind }) => kind !== "<EOF>").map((token) => token.text).join("");
    const input = escapeSpace(text === "" ? "<EOF>" : text);
    const reserved = /^.(true|false|null)$/.exec(input);
    return new RuleFailure(
      tokens.at(-1)!,
      reserved
        ? `mismatched input '${reserved[1]}' expecting IDENTIFIER`
        : `no viable alternative at input '${input}'`,
    );
  }

  /** Reports whether the open rules of CEL's grammar can end here before a token of a kind. */
  #mayFollow(kind: TokenKind): boolean {
    for (let index = this.#frames.length - 1; index >= 0; index--) {
      const { follow, isClosed } = this.#frames[index]!;
      if (follow.has(kind)) return true;
      if (isClosed) return false;
    }
    return kind === "<EOF>";
  }

  /**
   * Runs the parsing of a rule of CEL's grammar, which may end before one of `follow`. After a
   * syntax error in it, records the error, skips to a token that may follow an open rule, and
   * returns `undefined`.
   *
   * @throws {ParserStopped} If rules are nested too deeply or there are too many errors.
   */
  rule<T>(
    name: RuleName,
    follow: ReadonlySet<TokenKind>,
    run: () => T,
    isClosed = false,
  ): T | undefined {
    const depth = this.#depth[name] ?? 0;
    this.deepen(name);
    this.#frames.push({ follow, isClosed });
    try {
      return run();
    } catch (error) {
      if (!(error instanceof RuleFailure)) throw error;
      this.#report(error.token, error.message);
      this.#recover();
      return undefined;
    } finally {
      this.#frames.pop();
      this.#depth[name] = depth;
    }
  }

  /**
   * Counts one more level of nesting of a rule of CEL's grammar.
   *
   * @throws {ParserStopped} If the rule is nested too deeply.
   */
  deepen(name: RuleName): void {
    const depth = (this.#depth[name] ?? 0) + 1;
    this.#depth[name] = depth;
    if (name !== "other" && depth > MAX_DEPTH) {
      this.#errors.add(-1, TOO_DEEP);
      throw new ParserStopped();
    }
  }

  #consume(): void {
    if (this.#position < this.#tokens.length - 1) this.#position++;
  }

  #matched(): void {
    this.#recovering = false;
    this.#lastErrorPosition = -1;
  }

  #reportUnwanted(expected: readonly TokenKind[]): void {
    const text = `extraneous input ${quoted(this.peek())} expecting ${kinds(expected)}`;
    this.#report(this.peek(), text);
  }

  #report(token: Token, text: string): void {
    if (this.#recovering) return;
    this.#recovering = true;
    this.#syntaxError(token.offset, text);
  }

  #syntaxError(offset: number, text: string): void {
    if (++this.#syntaxErrors > MAX_SYNTAX_ERRORS) {
      this.#errors.add(offset, `Syntax error: More than ${MAX_SYNTAX_ERRORS} syntax errors`);
      throw new ParserStopped();
    }
    this.#errors.add(offset, `Syntax error: ${text}`);
  }

  #countRecovery(): void {
    if (this.#recoveries++ < MAX_RECOVERIES) return;
    const { offset } = this.peek();
    this.#syntaxError(offset, `error recovery attempt limit exceeded: ${MAX_RECOVERIES}`);
    throw new ParserStopped();
  }

  #recover(): void {
    this.#countRecovery();
    if (this.#lastErrorPosition === this.#position) this.#consume();
    this.#lastErrorPosition = this.#position;
    for (let skipped = 0; !this.at("<EOF>"); skipped++) {
      if (this.#frames.some(({ follow }) => follow.has(this.peek().kind))) return;
      if (skipped === MAX_LOOKAHEAD) {
        this.#errors.add(-1, `error recovery token lookahead limit exceeded: ${MAX_LOOKAHEAD}`);
        throw new ParserStopped();
      }
      this.#consume();
    }
  }
}

function quoted(token: Token): string {
  return token.kind === "<EOF>" ? "'<EOF>'" : `'${escapeSpace(token.text)}'`;
}

function kinds(expected: readonly TokenKind[]): string {
  if (expected.length === 1) return expected[0]!;
  const ordered = TOKEN_KINDS.filter((kind) => expected.includes(kind));
  return `{${ordered.join(", ")}}`;
}

function mismatch(token: Token, expected: readonly TokenKind[]): string {
  return `mismatched input ${quoted(token)} expecting ${kinds(expected)}`;
}
