import type { SourceErrors } from "./source_errors.ts";

/**
 * The kinds of tokens of a CEL expression, in the words and the order of error messages: the
 * token's text in single quotes, or the name of the kind.
 */
export const TOKEN_KINDS = [
  "'=='",
  "'!='",
  "'in'",
  "'<'",
  "'<='",
  "'>='",
  "'>'",
  "'&&'",
  "'||'",
  "'['",
  "']'",
  "'{'",
  "'}'",
  "'('",
  "')'",
  "'.'",
  "','",
  "'-'",
  "'!'",
  "'?'",
  "':'",
  "'+'",
  "'*'",
  "'/'",
  "'%'",
  "'true'",
  "'false'",
  "'null'",
  "NUM_FLOAT",
  "NUM_INT",
  "NUM_UINT",
  "STRING",
  "BYTES",
  "IDENTIFIER",
  "ESC_IDENTIFIER",
  "<EOF>",
] as const;

/** A kind of token of a CEL expression. */
export type TokenKind = typeof TOKEN_KINDS[number];

/** A token of a CEL expression, with its text as written. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /**
   * The zero-based position of the CEL token's first character in the expression, in code points.
   */
  readonly offset: number;
}

const OPERATORS: readonly string[] = TOKEN_KINDS
  .filter((kind) => /^'[^a-z]+'$/.test(kind))
  .map((kind) => kind.slice(1, -1))
  .sort((a, b) => b.length - a.length);

const KEYWORDS = new Set(["in", "true", "false", "null"]);

const ESCAPE = String
  .raw`\\[abfnrtv"'\\?\x60]|\\[0-3][0-7][0-7]|\\[xX][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}`;

/** The sticky regular expressions of CEL's string literals. The lexer takes the longest match. */
const STRINGS: readonly RegExp[] = [
  String.raw`"(?:${ESCAPE}|[^\\"\n\r])*"`,
  String.raw`'(?:${ESCAPE}|[^\\'\n\r])*'`,
  String.raw`"""(?:${ESCAPE}|[^\\])*?"""`,
  String.raw`'''(?:${ESCAPE}|[^\\])*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
  String.raw`[rR]"""[^]*?"""`,
  String.raw`[rR]'''[^]*?'''`,
].map((pattern) => new RegExp(pattern, "uy"));

const FORMS: readonly (readonly [TokenKind, RegExp])[] = [
  ["NUM_FLOAT", /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/uy],
  ["NUM_UINT", /(?:0x[0-9a-fA-F]+|\d+)[uU]/uy],
  ["NUM_INT", /0x[0-9a-fA-F]+|\d+/uy],
  ["IDENTIFIER", /[A-Za-z_][A-Za-z0-9_]*/uy],
  ["ESC_IDENTIFIER", /`[A-Za-z0-9_.\-/ ]+`/uy],
];

const HIDDEN = /[\t \r\n\f]+|\/\/[^\n]*/uy;

function matchAt(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

/**
 * Returns the tokens of a CEL expression, the last of kind `<EOF>`. Invalid characters are skipped,
 * and reported in `errors`.
 */
export function tokenize(source: string, errors: SourceErrors): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let offset = 0;
  const advance = (text: string): void => {
    at += text.length;
    offset += codePoints(text);
  };
  while (at < source.length) {
    const hidden = matchAt(HIDDEN, source, at);
    if (hidden) {
      advance(hidden);
      continue;
    }
    const found = longest(source, at);
    if (found) {
      tokens.push({ ...found, offset });
      advance(found.text);
      continue;
    }
    const bad = unrecognised(source, at);
    errors.add(offset, `Syntax error: token recognition error at: '${escapeSpace(bad)}'`);
    advance(bad);
  }
  tokens.push({ kind: "<EOF>", text: "<EOF>", offset });
  return tokens;
}

/** Returns the length of a text in code points. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * Returns a text with backslash escapes in place of tabs, line feeds and carriage returns, for
 * error messages.
 */
export function escapeSpace(text: string): string {
  return text.replaceAll("\t", "\\t").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
}

function longest(source: string, at: number): Omit<Token, "offset"> | undefined {
  let best: Omit<Token, "offset"> | undefined;
  const offer = (kind: TokenKind, text: string | undefined): void => {
    if (text && text.length > (best?.text.length ?? 0)) best = { kind, text };
  };
  for (const text of OPERATORS) {
    if (source.startsWith(text, at)) offer(`'${text}'` as TokenKind, text);
  }
  for (const [kind, form] of FORMS) offer(kind, matchAt(form, source, at));
  for (const form of STRINGS) offer("STRING", matchAt(form, source, at));
  if (source[at] === "b" || source[at] === "B") {
    for (const form of STRINGS) {
      const text = matchAt(form, source, at + 1);
      if (text) offer("BYTES", source[at] + text);
    }
  }
  if (best?.kind === "IDENTIFIER" && KEYWORDS.has(best.text)) {
    return { kind: `'${best.text}'` as TokenKind, text: best.text };
  }
  return best;
}

/**
 * Returns the text that CEL's lexer upstream consumes before it reports an invalid token: the start
 * of the token, and the invalid character.
 */
function unrecognised(source: string, at: number): string {
  const first = source[at]!;
  if ("=&|".includes(first)) return source.slice(at, at + 1) + nextCharacter(source, at + 1);
  if (first === '"' || first === "'") return unfinishedString(source, at);
  if (first === "`") {
    const begun = /`[A-Za-z0-9_.\-/ ]*/uy;
    const text = matchAt(begun, source, at)!;
    return text + nextCharacter(source, at + text.length);
  }
  return nextCharacter(source, at);
}

function nextCharacter(source: string, at: number): string {
  const code = source.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function unfinishedString(source: string, at: number): string {
  const quote = source[at]!;
  const begun = new RegExp(String.raw`${quote}(?:${ESCAPE}|[^\\${quote}\n\r])*`, "uy");
  const text = matchAt(begun, source, at)!;
  const end = at + text.length;
  // An invalid escape is consumed up to the invalid character.
  const escape = matchAt(
    /\\(?:[0-3][0-7]?|[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7})?/uy,
    source,
    end,
  ) ?? "";
  return text + escape + nextCharacter(source, end + escape.length);
}
