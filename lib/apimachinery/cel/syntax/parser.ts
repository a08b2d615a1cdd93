// Mirrors `parser/parser.go, Parser.Parse`.
import { type CelValue, Uint } from "../values/value.ts";
import type { Expr, MapEntry, StructField } from "./ast.ts";
import { codePoints, type Token, tokenize, type TokenKind } from "./lexer.ts";
import { expandMacro, MacroError } from "./macros.ts";
import { NodeFactory } from "./node_factory.ts";
import { SourceErrors } from "./source_errors.ts";
import { ParserStopped, TokenStream, TOO_DEEP } from "./token_stream.ts";
import { unquoteBytes, UnquoteError, unquoteString } from "./unquote.ts";

const MAX_CODE_POINTS = 100_000;

const RESERVED: ReadonlySet<string> = new Set(
  ("as break const continue else false for function if import in let loop package namespace null " +
    "return true var void while").split(" "),
);

type Kinds = ReadonlySet<TokenKind>;

const kinds = (...list: TokenKind[]): Kinds => new Set(list);

const NONE: Kinds = new Set();
const LITERALS: readonly TokenKind[] = [
  "'true'",
  "'false'",
  "'null'",
  "NUM_FLOAT",
  "NUM_INT",
  "NUM_UINT",
  "STRING",
  "BYTES",
];
/** The kinds of tokens that a CEL expression can begin with. */
const FIRST: Kinds = kinds("'['", "'{'", "'('", "'.'", "'-'", "'!'", ...LITERALS, "IDENTIFIER");
const OPTIONAL_FIRST: Kinds = kinds(...FIRST, "'?'");
const FIELD_FIRST: Kinds = kinds("'?'", "IDENTIFIER", "ESC_IDENTIFIER");
const RELATIONS: Kinds = kinds("'<'", "'<='", "'>='", "'>'", "'=='", "'!='", "'in'");
const ARITHMETIC: Kinds = kinds("'*'", "'/'", "'%'", "'+'", "'-'");
const PRODUCTS: Kinds = kinds("'*'", "'/'", "'%'");
const MEMBER_FOLLOW: Kinds = kinds("'.'", "'['");

/** The result of parsing a CEL expression: the errors, and the syntax tree if there are none. */
export interface Parsed {
  readonly expr: Expr | undefined;
  readonly errors: SourceErrors;
}

/**
 * Parses an expression of the Common Expression Language and expands its macros. Syntax errors are
 * part of the result, never thrown.
 */
export function parseExpression(source: string): Parsed {
  const errors = new SourceErrors(source);
  const size = codePoints(source);
  if (size > MAX_CODE_POINTS) {
    errors.add(
      -1,
      `expression code point size exceeds limit: size: ${size}, limit ${MAX_CODE_POINTS}`,
    );
    return { expr: undefined, errors };
  }
  try {
    const expr = new Parser(tokenize(source, errors), errors).start();
    return { expr: errors.count === 0 ? expr : undefined, errors };
  } catch (error) {
    if (error instanceof RangeError) errors.add(-1, TOO_DEEP); // The stack was exhausted before the depth limit.
    else if (!(error instanceof ParserStopped)) throw error;
    return { expr: undefined, errors };
  }
}

/**
 * The parser of CEL, with one method per rule of the grammar. The method of a rule that fails
 * records an error and returns a placeholder, a literal.
 */
class Parser {
  readonly #tokens: TokenStream;
  readonly #errors: SourceErrors;
  readonly #make = new NodeFactory();

  constructor(tokens: readonly Token[], errors: SourceErrors) {
    this.#tokens = new TokenStream(tokens, errors);
    this.#errors = errors;
  }

  start(): Expr {
    const parsed = this.#tokens.rule("other", NONE, () => {
      const expr = this.#expr(kinds("<EOF>"));
      this.#tokens.match("<EOF>", NONE);
      return expr;
    });
    return parsed ?? this.#nothing();
  }

  #nothing(): Expr {
    return this.#make.literal(-1, null);
  }

  #report(offset: number, message: string): Expr {
    this.#errors.add(offset, message);
    return this.#nothing();
  }

  /** Parses a CEL expression; `follow` are the kinds of tokens that may come after it. */
  #expr(follow: Kinds): Expr {
    const tokens = this.#tokens;
    const isClosed = follow.size === 1 && !follow.has("','");
    return tokens.rule("expr", follow, () => {
      const condition = this.#or(kinds("'?'"));
      const op = tokens.takeIf("'?'");
      if (!op) return condition;
      const yes = this.#or(kinds("':'"));
      tokens.match("':'", FIRST);
      const no = this.#expr(NONE);
      return this.#make.call(op.offset, "_?_:_", condition, yes, no);
    }, isClosed) ?? this.#nothing();
  }

  #or(follow: Kinds): Expr {
    return this.#tokens.rule(
      "conditionalOr",
      follow,
      () => this.#balanced("'||'", "_||_", () => this.#and()),
      follow.has("':'"),
    ) ?? this.#nothing();
  }

  #and(): Expr {
    return this.#tokens.rule(
      "conditionalAnd",
      kinds("'||'"),
      () => this.#balanced("'&&'", "_&&_", () => this.#relation()),
    ) ?? this.#nothing();
  }

  /** Parses operands joined by one CEL operator, `&&` or `||`, to a balanced tree of calls. */
  #balanced(kind: TokenKind, name: string, term: () => Expr): Expr {
    const terms = [term()];
    const offsets: number[] = [];
    while (this.#tokens.at(kind)) {
      offsets.push(this.#tokens.take().offset);
      terms.push(term());
    }
    const tree = (low: number, high: number): Expr => {
      const middle = (low + high + 1) >> 1;
      const left = middle === low ? terms[middle]! : tree(low, middle - 1);
      const right = middle === high ? terms[middle + 1]! : tree(middle + 1, high);
      return this.#make.call(offsets[middle]!, name, left, right);
    };
    return offsets.length === 0 ? terms[0]! : tree(0, offsets.length - 1);
  }

  #relation(): Expr {
    return this.#tokens.rule("relation", kinds("'&&'"), () => {
      let left = this.#calc(RELATIONS, ARITHMETIC);
      while (RELATIONS.has(this.#tokens.peek().kind)) {
        this.#tokens.deepen("relation");
        const op = this.#tokens.take();
        const right = this.#tokens.rule(
          "relation",
          RELATIONS,
          () => this.#calc(RELATIONS, ARITHMETIC),
        ) ?? this.#nothing();
        const name = op.kind === "'in'" ? "@in" : `_${op.text}_`;
        left = this.#make.call(op.offset, name, left, right);
      }
      return left;
    }) ?? this.#nothing();
  }

  /**
   * Parses sums and products of a CEL expression; `operators` are the operators that may join the
   * operands at this level.
   */
  #calc(follow: Kinds, operators: Kinds): Expr {
    return this.#tokens.rule("calc", follow, () => {
      let left = this.#unary();
      while (operators.has(this.#tokens.peek().kind)) {
        this.#tokens.deepen("calc");
        const op = this.#tokens.take();
        const right = this.#calc(ARITHMETIC, PRODUCTS.has(op.kind) ? NONE : PRODUCTS);
        left = this.#make.call(op.offset, `_${op.text}_`, left, right);
      }
      return left;
    }) ?? this.#nothing();
  }

  #unary(): Expr {
    const tokens = this.#tokens;
    return tokens.rule("unary", ARITHMETIC, () => {
      tokens.sync(FIRST);
      if (tokens.at("'!'")) return this.#prefixed("'!'", "!_");
      if (!tokens.at("'-'")) return this.#member();
      if (["NUM_INT", "NUM_FLOAT"].includes(tokens.peek(2).kind)) return this.#member();
      const next = tokens.peek(2).kind;
      if (!FIRST.has(next) || next === "'!'") throw tokens.noAlternative(2);
      return this.#prefixed("'-'", "-_");
    }) ?? this.#nothing();
  }

  #prefixed(kind: TokenKind, name: string): Expr {
    const first = this.#tokens.peek();
    let count = 0;
    while (this.#tokens.at(kind)) {
      this.#tokens.take();
      count++;
    }
    const operand = this.#member();
    return count % 2 === 0 ? operand : this.#make.call(first.offset, name, operand);
  }

  #member(): Expr {
    const tokens = this.#tokens;
    return tokens.rule("member", NONE, () => {
      let operand = this.#primary();
      while (tokens.at("'.'") || tokens.at("'['")) {
        tokens.deepen("member");
        operand = tokens.at("'['") ? this.#index(operand) : this.#selection(operand);
      }
      return operand;
    }) ?? this.#nothing();
  }

  #index(operand: Expr): Expr {
    const op = this.#tokens.take();
    this.#tokens.sync(OPTIONAL_FIRST);
    const optional = this.#tokens.takeIf("'?'");
    const index = this.#expr(kinds("']'"));
    this.#tokens.match("']'", NONE);
    return this.#make.call(op.offset, optional ? "_[?_]" : "_[_]", operand, index);
  }

  #selection(operand: Expr): Expr {
    const tokens = this.#tokens;
    const second = tokens.peek(2).kind;
    if (!["'?'", "IDENTIFIER", "ESC_IDENTIFIER"].includes(second)) throw tokens.noAlternative(2);
    const op = tokens.take();
    const optional = tokens.takeIf("'?'");
    if (optional) tokens.sync(kinds("IDENTIFIER", "ESC_IDENTIFIER"));
    const id = tokens.take();
    const field = this.#fieldName(id);
    if (optional) {
      const name = this.#make.literal(id.offset, field);
      return this.#make.call(op.offset, "_?._", operand, name);
    }
    if (!tokens.at("'('")) return this.#make.select(op.offset, operand, field);
    const open = tokens.take();
    return this.#call(open.offset, field, operand, this.#args());
  }

  #fieldName(token: Token): string {
    if (token.kind === "ESC_IDENTIFIER") this.#report(token.offset, "unsupported syntax: '`'");
    return token.text;
  }

  /** Parses the arguments of a CEL call, and the closing parenthesis. */
  #args(): Expr[] {
    const tokens = this.#tokens;
    tokens.sync(kinds(...FIRST, "')'"));
    const args: Expr[] = [];
    if (!tokens.at("')'")) {
      tokens.rule("other", kinds("')'"), () => {
        args.push(this.#expr(kinds("','")));
        while (tokens.takeIf("','")) args.push(this.#expr(kinds("','")));
      }, true);
    }
    tokens.match("')'", NONE);
    return args;
  }

  #call(at: number, name: string, target: Expr | undefined, args: readonly Expr[]): Expr {
    try {
      const expanded = expandMacro(this.#make, at, name, target, args);
      if (expanded) return expanded;
    } catch (error) {
      if (error instanceof MacroError) return this.#report(error.offset, error.message);
      throw error;
    }
    return target
      ? this.#make.method(at, name, target, ...args)
      : this.#make.call(at, name, ...args);
  }

  #primary(): Expr {
    const tokens = this.#tokens;
    return tokens.rule("primary", MEMBER_FOLLOW, () => {
      const { kind } = tokens.peek();
      if (kind === "'('") return this.#nested();
      if (kind === "'['") return this.#list();
      if (kind === "'{'") return this.#map();
      if (kind === "'.'" || kind === "IDENTIFIER") return this.#name();
      if (kind === "'-'" || LITERALS.includes(kind)) return this.#literal();
      throw tokens.noAlternative(1);
    }) ?? this.#nothing();
  }

  #nested(): Expr {
    this.#tokens.take();
    const expr = this.#expr(kinds("')'"));
    this.#tokens.match("')'", NONE);
    return expr;
  }

  #name(): Expr {
    const tokens = this.#tokens;
    const dotted = tokens.at("'.'") ? 1 : 0;
    if (tokens.peek(dotted + 1).kind !== "IDENTIFIER") throw tokens.noAlternative(2);
    const message = this.#messageName(dotted);
    if (message) return this.#struct(message);
    const start = tokens.peek();
    if (dotted) tokens.take();
    const id = tokens.take();
    const name = `${dotted ? "." : ""}${id.text}`;
    const open = tokens.takeIf("'('");
    const args = open && this.#args();
    if (RESERVED.has(id.text)) {
      return this.#report(start.offset, `reserved identifier: ${id.text}`);
    }
    if (!open) return this.#make.ident(id.offset, name);
    return this.#call(open.offset, name, undefined, args!);
  }

  /**
   * Returns the number of tokens in the name of a struct type, if such a name and then `{` come
   * next in the CEL expression; otherwise `undefined`. `dotted` is 1 if the name begins with a dot,
   * and 0 otherwise.
   */
  #messageName(dotted: number): number | undefined {
    let count = dotted + 1;
    while (
      this.#tokens.peek(count + 1).kind === "'.'" &&
      this.#tokens.peek(count + 2).kind === "IDENTIFIER"
    ) count += 2;
    return this.#tokens.peek(count + 1).kind === "'{'" ? count : undefined;
  }

  #struct(nameTokens: number): Expr {
    const tokens = this.#tokens;
    let typeName = "";
    for (let index = 0; index < nameTokens; index++) typeName += tokens.take().text;
    const open = tokens.take();
    tokens.sync(kinds("'?'", "IDENTIFIER", "ESC_IDENTIFIER", "','", "'}'"));
    const fields: StructField[] = [];
    if (!tokens.at("','") && !tokens.at("'}'")) {
      tokens.rule("other", kinds("','", "'}'"), () => {
        do {
          tokens.sync(kinds("'?'", "IDENTIFIER", "ESC_IDENTIFIER"));
          const optional = tokens.takeIf("'?'") !== undefined;
          tokens.sync(kinds("IDENTIFIER", "ESC_IDENTIFIER"));
          const name = this.#fieldName(tokens.take());
          const colon = tokens.match("':'", FIRST);
          const value = this.#expr(kinds("','"));
          fields.push({ id: this.#make.id(), offset: colon.offset, name, value, optional });
        } while (this.#another(FIELD_FIRST));
      }, true);
    }
    this.#closing("'}'");
    return { kind: "struct", id: this.#make.id(), offset: open.offset, typeName, fields };
  }

  #list(): Expr {
    const tokens = this.#tokens;
    const open = tokens.take();
    tokens.sync(kinds(...OPTIONAL_FIRST, "','", "']'"));
    const elements: Expr[] = [];
    const optional = new Set<number>();
    if (!tokens.at("','") && !tokens.at("']'")) {
      tokens.rule("other", kinds("','", "']'"), () => {
        do {
          if (this.#optionalMark()) optional.add(elements.length);
          elements.push(this.#expr(kinds("','")));
        } while (this.#another(OPTIONAL_FIRST));
      }, true);
    }
    this.#closing("']'");
    return this.#make.list(open.offset, elements, optional);
  }

  #map(): Expr {
    const tokens = this.#tokens;
    const open = tokens.take();
    tokens.sync(kinds(...OPTIONAL_FIRST, "','", "'}'"));
    const entries: MapEntry[] = [];
    if (!tokens.at("','") && !tokens.at("'}'")) {
      tokens.rule("other", kinds("','", "'}'"), () => {
        do {
          const optional = this.#optionalMark();
          const key = this.#expr(kinds("':'"));
          const colon = tokens.match("':'", FIRST);
          const value = this.#expr(kinds("','"));
          entries.push({ id: this.#make.id(), offset: colon.offset, key, value, optional });
        } while (this.#another(OPTIONAL_FIRST));
      }, true);
    }
    this.#closing("'}'");
    return this.#make.map(open.offset, entries);
  }

  #optionalMark(): boolean {
    this.#tokens.sync(OPTIONAL_FIRST);
    return this.#tokens.takeIf("'?'") !== undefined;
  }

  /**
   * Takes the comma after an element of a CEL list, map or struct literal, if another element,
   * which begins with one of `first`, follows it. Reports whether the comma was taken.
   */
  #another(first: Kinds): boolean {
    if (!this.#tokens.at("','") || !first.has(this.#tokens.peek(2).kind)) return false;
    this.#tokens.take();
    return true;
  }

  #closing(close: TokenKind): void {
    this.#tokens.sync(kinds("','", close));
    this.#tokens.takeIf("','");
    this.#tokens.match(close, NONE);
  }

  #literal(): Expr {
    const sign = this.#tokens.takeIf("'-'");
    const token = this.#tokens.take();
    const offset = sign?.offset ?? token.offset;
    try {
      return this.#make.literal(offset, literalValue(token, sign !== undefined));
    } catch (error) {
      if (error instanceof UnquoteError || error instanceof RangeError) {
        return this.#report(offset, error.message);
      }
      throw error;
    }
  }
}

/**
 * Returns the value of a literal of a CEL expression.
 *
 * @throws {RangeError} When a number is out of range.
 *
 * @throws {UnquoteError} When a string is invalid.
 */
function literalValue({ kind, text }: Token, negative: boolean): CelValue {
  switch (kind) {
    case "NUM_INT": {
      const value = negative ? -BigInt(text) : BigInt(text);
      if (value !== BigInt.asIntN(64, value)) throw new RangeError("invalid int literal");
      return value;
    }
    case "NUM_UINT": {
      const value = BigInt(text.slice(0, -1));
      if (value !== BigInt.asUintN(64, value)) throw new RangeError("invalid uint literal");
      return new Uint(value);
    }
    case "NUM_FLOAT": {
      const value = Number(text) * (negative ? -1 : 1);
      if (!Number.isFinite(value)) throw new RangeError("invalid double literal");
      return value;
    }
    case "STRING":
      return unquoteString(text);
    case "BYTES":
      return unquoteBytes(text.slice(1));
    case "'true'":
      return true;
    case "'false'":
      return false;
    default:
      return null;
  }
}
