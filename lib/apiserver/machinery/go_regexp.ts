/**
 * Regular expressions as the real server's language (RE2) reads them: schemas and expressions of
 * users contain them, and what is refused there must be refused here, with the same words.
 *
 * @module
 */

/** The expression is none. The message is what the real server says of it. */
export class RegExpSyntaxError extends Error {
  override readonly name = "RegExpSyntaxError";

  constructor(problem: string, part: string) {
    super(`error parsing regexp: ${problem}: \`${part}\``);
  }
}

const MAX_REPEAT = 1000;
const CACHE_SIZE = 500;
const cache = new Map<string, RegExp>();

/**
 * An expression that finds what RE2 would find.
 * @throws {RegExpSyntaxError} When RE2 refuses it.
 */
export function goRegExp(pattern: string): RegExp {
  const known = cache.get(pattern);
  if (known) return known;
  // The usual place of this flag; for the whole it needs no support for flags of groups.
  const isFolded = pattern.startsWith("(?i)");
  const source = new Translation(isFolded ? pattern.slice(4) : pattern).run();
  let made: RegExp;
  try {
    made = new RegExp(source, isFolded ? "iu" : "u");
  } catch {
    throw new RegExpSyntaxError("invalid character class range", pattern);
  }
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(pattern, made);
  return made;
}

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly U: boolean;
}

const POSIX: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\x00-\\x7F",
  blank: "\\t ",
  cntrl: "\\x00-\\x1F\\x7F",
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: " -~",
  punct: "!-\\/:-@\\[-`\\{-~",
  space: "\\t\\n\\v\\f\\r ",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};

const PERL: Readonly<Record<string, string>> = {
  d: "0-9",
  s: "\\t\\n\\f\\r ",
  w: "0-9A-Za-z_",
};

const CONTROL: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** One walk over a pattern, which writes the same in the dialect of this language. */
class Translation {
  readonly #text: string;
  #at = 0;
  #flags: Flags = { i: false, m: false, s: false, U: false };
  #names = new Set<string>();

  constructor(pattern: string) {
    this.#text = pattern;
  }

  run(): string {
    const source = this.#alternatives(0);
    if (this.#at < this.#text.length) throw new RegExpSyntaxError("unexpected )", this.#text);
    return source;
  }

  #alternatives(depth: number): string {
    let source = "";
    let repeatable = false;
    let repeated = "";
    while (this.#at < this.#text.length) {
      const character = this.#peek();
      if (character === ")") return source;
      const start = this.#at;
      const repeat = this.#repetition();
      if (repeat !== undefined) {
        const written = this.#text.slice(start, this.#at);
        if (!repeatable) {
          if (repeated === "") {
            throw new RegExpSyntaxError("missing argument to repetition operator", written);
          }
          throw new RegExpSyntaxError("invalid nested repetition operator", repeated + written);
        }
        source += repeat;
        repeatable = false;
        repeated = written;
        continue;
      }
      repeated = "";
      const piece = this.#piece(depth);
      source += piece;
      // `(?i)` alone is no atom, nor is an alternation bar.
      repeatable = character !== "|" && piece !== "";
    }
    return source;
  }

  #peek(): string {
    return String.fromCodePoint(this.#text.codePointAt(this.#at)!);
  }

  #next(): string {
    const character = this.#peek();
    this.#at += character.length;
    return character;
  }

  /** A repetition operator here, with its `?`; `undefined` when there is none. */
  #repetition(): string | undefined {
    const rest = this.#text.slice(this.#at);
    const match = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})(\??)/.exec(rest);
    if (!match) return undefined;
    const [whole, least, , most, lazy] = match;
    const operator = whole.slice(0, whole.length - lazy!.length);
    if (least !== undefined) {
      const first = Number(least);
      const last = most === undefined || most === "" ? first : Number(most);
      if (first > MAX_REPEAT || last > MAX_REPEAT || last < first) {
        throw new RegExpSyntaxError("invalid repeat count", operator);
      }
    }
    this.#at += whole.length;
    const isLazy = (lazy !== "") !== this.#flags.U;
    return operator + (isLazy ? "?" : "");
  }

  #piece(depth: number): string {
    const character = this.#next();
    switch (character) {
      case "|":
        return "|";
      case "(":
        return this.#group(depth);
      case "[":
        return this.#fold(this.#class());
      case ".":
        return this.#flags.s ? "[\\s\\S]" : "[^\\n]";
      case "^":
        return this.#flags.m ? "(?<=^|\\n)(?:)" : "(?:^)";
      case "$":
        return this.#flags.m ? "(?:(?=\\n)|$)" : "(?:$)";
      case "\\":
        return this.#escape();
      default:
        return this.#fold(literal(character));
    }
  }

  /** Without the flag of the whole expression, which would hold for all of it. */
  #fold(source: string): string {
    return this.#flags.i ? `(?i:${source})` : source;
  }

  #group(depth: number): string {
    const start = this.#at - 1;
    if (depth >= 1000) throw new RegExpSyntaxError("expression nests too deeply", this.#text);
    const outer = this.#flags;
    let open = "(";
    if (this.#text[this.#at] === "?") {
      const name = /^\?P?<([^>]*)>/.exec(this.#text.slice(this.#at));
      if (name && !/^\?<[=!]/.test(this.#text.slice(this.#at))) {
        if (!/^\w+$/.test(name[1]!)) {
          throw new RegExpSyntaxError("invalid named capture", `(${name[0]}`);
        }
        if (this.#names.has(name[1]!)) {
          throw new RegExpSyntaxError("duplicate capture group name", name[1]!);
        }
        this.#names.add(name[1]!);
        this.#at += name[0].length;
      } else {
        const scoped = this.#readFlags(start);
        if (!scoped) return "";
        open = "(?:";
      }
    }
    const inner = this.#alternatives(depth + 1);
    if (this.#text[this.#at] !== ")") throw new RegExpSyntaxError("missing closing )", this.#text);
    this.#at++;
    this.#flags = outer;
    return `${open}${inner})`;
  }

  /** `?i)` sets flags for the rest of the group; `?i:` for a group of its own, then `true`. */
  #readFlags(start: number): boolean {
    const match = /^\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(this.#text.slice(this.#at));
    if (!match || (match[1] === "" && match[2] === undefined && match[3] === ")")) {
      const bad = /^\(\?(?:[imsU-]*|P?<?).?/u.exec(this.#text.slice(start))![0];
      throw new RegExpSyntaxError("invalid or unsupported Perl syntax", bad);
    }
    const flags: Record<string, boolean> = { ...this.#flags };
    for (const flag of match[1]!) flags[flag] = true;
    for (const flag of match[2] ?? "") flags[flag] = false;
    this.#flags = flags as unknown as Flags;
    this.#at += match[0].length;
    return match[3] === ":";
  }

  #escape(): string {
    const start = this.#at - 1;
    if (this.#at >= this.#text.length) {
      throw new RegExpSyntaxError("trailing backslash at end of expression", "");
    }
    const character = this.#text[this.#at]!;
    switch (character) {
      case "A":
        this.#at++;
        return "(?<![\\s\\S])";
      case "z":
        this.#at++;
        return "(?![\\s\\S])";
      case "b":
      case "B":
        this.#at++;
        return `\\${character}`;
      case "Q": {
        const end = this.#text.indexOf("\\E", this.#at);
        const quoted = this.#text.slice(this.#at + 1, end < 0 ? undefined : end);
        this.#at = end < 0 ? this.#text.length : end + 2;
        return quoted === "" ? "(?:)" : this.#fold([...quoted].map(literal).join(""));
      }
    }
    const set = this.#escapedSet(start);
    if (set !== undefined) return this.#fold(`[${set.negated ? "^" : ""}${set.members}]`);
    return this.#fold(codePoint(this.#escapedCharacter(start)));
  }

  /** `\d`, `\pL`: a set of characters; `undefined` when the escape is none. */
  #escapedSet(start: number): { readonly members: string; readonly negated: boolean } | undefined {
    const character = this.#text[this.#at]!;
    const perl = PERL[character.toLowerCase()];
    if (perl !== undefined) {
      this.#at++;
      return { members: perl, negated: character !== character.toLowerCase() };
    }
    if (character !== "p" && character !== "P") return undefined;
    const match = /^[pP](?:\{(\^?)(\w+)\}|([A-Z]))/.exec(this.#text.slice(this.#at));
    const name = match?.[2] ?? match?.[3];
    const written = this.#text.slice(start, this.#at + (match?.[0].length ?? 1));
    const members = name === undefined ? undefined : unicodeSet(name);
    if (!match || members === undefined) {
      throw new RegExpSyntaxError("invalid character class range", written);
    }
    this.#at += match[0].length;
    const negated = (character === "P") !== (match[1] === "^");
    return negated ? { members: `\\P${members.slice(2)}`, negated: false } : { members, negated };
  }

  #escapedCharacter(start: number): number {
    const rest = this.#text.slice(this.#at);
    const numeric = /^x(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2}))/.exec(rest);
    if (numeric) {
      const code = parseInt(numeric[1] ?? numeric[2]!, 16);
      if (code <= 0x10ffff) {
        this.#at += numeric[0].length;
        return code;
      }
    }
    const octal = /^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(rest);
    if (octal) {
      this.#at += octal[0].length;
      return parseInt(octal[0], 8);
    }
    const character = this.#next();
    const control = CONTROL[character];
    if (control !== undefined) return control;
    if (character.charCodeAt(0) < 0x80 && !/[0-9A-Za-z]/.test(character)) {
      return character.charCodeAt(0);
    }
    throw new RegExpSyntaxError("invalid escape sequence", this.#text.slice(start, this.#at));
  }

  #class(): string {
    const start = this.#at - 1;
    let members = "";
    const excluded: string[] = [];
    const negated = this.#text[this.#at] === "^";
    if (negated) this.#at++;
    let first = true;
    while (this.#text[this.#at] !== "]" || first) {
      if (this.#at >= this.#text.length) {
        throw new RegExpSyntaxError("missing closing ]", this.#text.slice(start));
      }
      const set = this.#setInClass();
      if (set !== undefined) {
        if (set.negated) excluded.push(set.members);
        else members += set.members;
      } else members += this.#range();
      first = false;
    }
    this.#at++;
    const parts = [
      ...(members === "" ? [] : [`[${members}]`]),
      ...excluded.map((set) => `[^${set}]`),
    ];
    if (parts.length === 1 && excluded.length === 0) return `[${negated ? "^" : ""}${members}]`;
    return negated ? `(?!${parts.join("|")})[\\s\\S]` : `(?:${parts.join("|")})`;
  }

  /** A named set within brackets. */
  #setInClass(): { readonly members: string; readonly negated: boolean } | undefined {
    const posix = /^\[:(\^?)(\w*):\]/.exec(this.#text.slice(this.#at));
    if (posix) {
      const members = POSIX[posix[2]!];
      if (members === undefined) {
        throw new RegExpSyntaxError("invalid character class range", posix[0]);
      }
      this.#at += posix[0].length;
      return { members, negated: posix[1] === "^" };
    }
    if (this.#text[this.#at] !== "\\" || !/[dswpDSWP]/.test(this.#text[this.#at + 1] ?? "")) {
      return undefined;
    }
    this.#at++;
    return this.#escapedSet(this.#at - 1);
  }

  #range(): string {
    const start = this.#at;
    const low = this.#member();
    if (this.#text[this.#at] !== "-" || (this.#text[this.#at + 1] ?? "]") === "]") {
      return codePoint(low);
    }
    this.#at++;
    const high = this.#member();
    if (high < low) {
      const written = this.#text.slice(start, this.#at);
      throw new RegExpSyntaxError("invalid character class range", written);
    }
    return `${codePoint(low)}-${codePoint(high)}`;
  }

  #member(): number {
    const character = this.#next();
    if (character !== "\\") return character.codePointAt(0)!;
    if (this.#at >= this.#text.length) {
      throw new RegExpSyntaxError("trailing backslash at end of expression", "");
    }
    return this.#escapedCharacter(this.#at - 1);
  }
}

function literal(character: string): string {
  return /[\^$\\.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

function codePoint(code: number): string {
  const character = String.fromCodePoint(code);
  return /^[0-9A-Za-z_]$/.test(character) ? character : `\\u{${code.toString(16)}}`;
}

/** A general category or a script by its RE2 name. */
function unicodeSet(name: string): string | undefined {
  if (name === "Any") return "\\p{Any}";
  for (const set of [`\\p{${name}}`, `\\p{Script=${name}}`]) {
    if (set === `\\p{${name}}` && name.length > 2) continue;
    try {
      new RegExp(set, "u");
      return set;
    } catch {
      // It is no name of that sort.
    }
  }
  return undefined;
}
