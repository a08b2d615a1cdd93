// Mirrors `internal/golang/encoding/json/scanner.go, scanner`.

/**
 * Returns the error message of Go's JSON decoder about a text that is not a JSON object;
 * `undefined` for a valid object, and for `null` (the standard library's `encoding/json`).
 *
 * Scans byte by byte, and reports the first character that is invalid at its position.
 */
export function goJsonObjectProblem(text: string): string | undefined {
  const problem = new Scanner(text).problem();
  if (problem !== undefined) return problem;
  const value: unknown = JSON.parse(text);
  if (value === null || (typeof value === "object" && !Array.isArray(value))) return undefined;
  const kind = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  return `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
}

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  problem(): string | undefined {
    return this.#value("looking for beginning of value") ?? this.#end();
  }

  #end(): string | undefined {
    this.#skipSpace();
    return this.#at < this.#text.length ? this.#refuse("after top-level value") : undefined;
  }

  #skipSpace(): void {
    while (" \t\r\n".includes(this.#text[this.#at] ?? "x")) this.#at++;
  }

  #refuse(where: string): string {
    const character = this.#text[this.#at];
    if (character === undefined) return "unexpected end of JSON input";
    const shown = character === "'"
      ? `'\\''`
      : character === '"'
      ? `'"'`
      : `'${JSON.stringify(character).slice(1, -1)}'`;
    return `invalid character ${shown} ${where}`;
  }

  #value(where: string): string | undefined {
    this.#skipSpace();
    const character = this.#text[this.#at] ?? "";
    if (character === "{") return this.#members("{", "}");
    if (character === "[") return this.#members("[", "]");
    if (character === '"') return this.#string();
    if (/[-0-9]/.test(character)) return this.#number();
    for (const literal of ["true", "false", "null"]) {
      if (character === literal[0]) return this.#literal(literal);
    }
    return this.#refuse(where);
  }

  #members(open: string, close: string): string | undefined {
    const isObject = open === "{";
    this.#at++;
    this.#skipSpace();
    if (this.#text[this.#at] === close) return void this.#at++;
    for (;;) {
      const problem = isObject ? this.#member() : this.#value("looking for beginning of value");
      if (problem !== undefined) return problem;
      this.#skipSpace();
      const next = this.#text[this.#at];
      if (next === close) return void this.#at++;
      if (next !== ",") {
        return this.#refuse(isObject ? "after object key:value pair" : "after array element");
      }
      this.#at++;
    }
  }

  #member(): string | undefined {
    this.#skipSpace();
    if (this.#text[this.#at] !== '"') {
      return this.#refuse("looking for beginning of object key string");
    }
    const problem = this.#string();
    if (problem !== undefined) return problem;
    this.#skipSpace();
    if (this.#text[this.#at] !== ":") return this.#refuse("after object key");
    this.#at++;
    return this.#value("looking for beginning of value");
  }

  #string(): string | undefined {
    for (this.#at++;; this.#at++) {
      const character = this.#text[this.#at];
      if (character === undefined) return "unexpected end of JSON input";
      if (character === '"') return void this.#at++;
      if (character < " ") return this.#refuse("in string literal");
      if (character !== "\\") continue;
      this.#at++;
      const escape = this.#text[this.#at] ?? "";
      if (escape === "u") {
        for (let digit = 0; digit < 4; digit++) {
          this.#at++;
          if (!/[0-9a-fA-F]/.test(this.#text[this.#at] ?? "")) {
            return this.#refuse("in \\u hexadecimal character escape");
          }
        }
      } else if (!'bfnrt\\/"'.includes(escape) || escape === "") {
        return this.#refuse("in string escape code");
      }
    }
  }

  #number(): string | undefined {
    const digits = (): boolean => {
      const start = this.#at;
      while (/[0-9]/.test(this.#text[this.#at] ?? "")) this.#at++;
      return this.#at > start;
    };
    if (this.#text[this.#at] === "-") this.#at++;
    if (this.#text[this.#at] === "0") this.#at++;
    else if (!digits()) return this.#refuse("in numeric literal");
    if (this.#text[this.#at] === ".") {
      this.#at++;
      if (!digits()) return this.#refuse("after decimal point in numeric literal");
    }
    if (/[eE]/.test(this.#text[this.#at] ?? "")) {
      this.#at++;
      if (/[-+]/.test(this.#text[this.#at] ?? "")) this.#at++;
      if (!digits()) return this.#refuse("in exponent of numeric literal");
    }
    return undefined;
  }

  #literal(literal: string): string | undefined {
    for (const [index, expected] of [...literal].entries()) {
      if (this.#text[this.#at] !== expected) {
        return this.#refuse(`in literal ${literal} (expecting '${literal[index]}')`);
      }
      this.#at++;
    }
    return undefined;
  }
}
