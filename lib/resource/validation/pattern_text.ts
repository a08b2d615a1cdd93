import type { Random } from "@xca/apimachinery/base";

/**
 * The characters that stand for the class `\d` of a pattern in generated texts; those for `\w` and
 * `.` follow.
 */
const DIGITS = "0123456789";
const WORD = `abcxyzABZ_${DIGITS}`;
const ANY = `${WORD}-. `;
/**
 * The largest number of repetitions that are generated for `*` and `+` of a pattern, and for `{n,}`
 * beyond the first `n`.
 */
const REPEATS = 3;

/**
 * Returns a random text that matches a regular expression, if the expression consists only of
 * literals, classes, groups, alternatives and repetitions; undefined for other syntax.
 */
export function patternText(pattern: string, random: Random): string | undefined {
  const parser = new PatternWriter(pattern, random);
  try {
    return parser.alternatives();
  } catch (error) {
    if (error instanceof UnknownSyntax) return undefined;
    throw error;
  }
}

class UnknownSyntax extends Error {}

/** A parser of regular expressions that generates a random text which matches one. */
class PatternWriter {
  readonly #pattern: string;
  readonly #random: Random;
  #at = 0;

  constructor(pattern: string, random: Random) {
    this.#pattern = pattern;
    this.#random = random;
  }

  /**
   * Reads the alternatives of a group or of a regular expression, and returns a text that matches
   * one. Throws {@linkcode UnknownSyntax} for syntax that is not supported.
   */
  alternatives(): string {
    const texts = [this.#sequence()];
    while (this.#peek() === "|") {
      this.#at++;
      texts.push(this.#sequence());
    }
    if (this.#at < this.#pattern.length && this.#peek() !== ")") throw new UnknownSyntax();
    return this.#pick(texts);
  }

  #sequence(): string {
    let text = "";
    while (this.#at < this.#pattern.length && this.#peek() !== "|" && this.#peek() !== ")") {
      const begin = this.#at;
      const first = this.#atom();
      const count = this.#repetitions();
      const after = this.#at;
      for (let index = 0; index < count; index++) {
        // Each repetition is generated separately: `[a-z]+` gives texts such as `ab`.
        this.#at = begin;
        text += index === 0 ? first : this.#atom();
      }
      this.#at = after;
    }
    return text;
  }

  #atom(): string {
    const sign = this.#next();
    switch (sign) {
      case "^":
      case "$":
        return "";
      case ".":
        return this.#pick([...ANY]);
      case "(": {
        if (this.#peek() === "?") {
          if (!this.#pattern.startsWith("?:", this.#at)) throw new UnknownSyntax();
          this.#at += 2;
        }
        const text = this.alternatives();
        if (this.#next() !== ")") throw new UnknownSyntax();
        return text;
      }
      case "[":
        return this.#pick(this.#class());
      case "\\":
        return this.#pick(this.#escaped());
      case "*":
      case "+":
      case "?":
      case "{":
        throw new UnknownSyntax();
      default:
        return sign;
    }
  }

  #escaped(): readonly string[] {
    const sign = this.#next();
    if (sign === "d") return [...DIGITS];
    if (sign === "w") return [...WORD];
    if (sign === "s") return [" "];
    if (/[A-Za-z0-9]/.test(sign)) throw new UnknownSyntax();
    return [sign];
  }

  #class(): readonly string[] {
    const isNegated = this.#peek() === "^";
    if (isNegated) this.#at++;
    const found: string[] = [];
    for (let first = true; first || this.#peek() !== "]"; first = false) {
      const sign = this.#next();
      if (sign === "[") throw new UnknownSyntax();
      const low = sign === "\\" ? this.#escaped() : [sign];
      const isRange = low.length === 1 && this.#peek() === "-" &&
        this.#pattern[this.#at + 1] !== "]";
      if (!isRange) {
        found.push(...low);
        continue;
      }
      this.#at++;
      const high = this.#next().charCodeAt(0);
      for (let code = low[0]!.charCodeAt(0); code <= high; code++) {
        found.push(String.fromCharCode(code));
      }
    }
    this.#at++;
    if (!isNegated) return found;
    const others = [...ANY].filter((each) => !found.includes(each));
    if (others.length === 0) throw new UnknownSyntax();
    return others;
  }

  #repetitions(): number {
    const [least, most] = this.#bounds();
    return least + Math.floor(this.#random.next() * (most - least + 1));
  }

  #bounds(): [least: number, most: number] {
    const rest = this.#pattern.slice(this.#at);
    const [text, sign, low, comma, high] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})/.exec(rest) ?? [];
    if (text === undefined) return [1, 1];
    this.#at += text.length;
    if (sign === "?") return [0, 1];
    if (sign === "*") return [0, REPEATS];
    if (sign === "+") return [1, REPEATS];
    const least = Number(low);
    if (comma === "") return [least, least];
    return [least, high === "" ? least + REPEATS : Number(high)];
  }

  #peek(): string | undefined {
    return this.#pattern[this.#at];
  }

  #next(): string {
    const sign = this.#pattern[this.#at++];
    if (sign === undefined) throw new UnknownSyntax();
    return sign;
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random.next() * values.length)]!;
  }
}
