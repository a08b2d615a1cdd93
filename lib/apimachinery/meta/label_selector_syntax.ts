/**
 * The syntax of label selectors and their meaning: the one parser and the one matcher that clients
 * and the API server share. Clients and the API server report errors in different wordings
 * (`k8s.io/apimachinery/pkg/labels/selector.go, Parse`).
 *
 * @module
 */

/**
 * The operator of a parsed requirement of a label selector. `=` and `==` are parsed as `In`, `!=`
 * as `NotIn`. `GreaterThan` (`>`) and `LessThan` (`<`) compare integers; only the API server
 * accepts them.
 */
export type SelectorOperator =
  | "In"
  | "NotIn"
  | "Exists"
  | "DoesNotExist"
  | "GreaterThan"
  | "LessThan";

/** A requirement of a label selector on one label, as parsed. */
export interface SelectorRequirement {
  readonly key: string;
  readonly operator: SelectorOperator;
  /** The values of the requirement as written, without duplicates. An empty set `()` has none. */
  readonly values: readonly string[];
}

/** The name of the symbol that the parser of label selectors expected at a syntax error. */
export type SelectorExpectation =
  | "first requirement"
  | "next requirement"
  | "separator"
  | "key"
  | "operator"
  | "value"
  | "set"
  | "first value"
  | "next value"
  | "value separator";

/**
 * A record of a syntax error in a label selector, from which a dialect makes the error that it
 * throws.
 */
export interface SelectorProblem {
  readonly expected: SelectorExpectation;
  /**
   * The token that was found instead of the expected symbol, and its zero-based index in the text;
   * `undefined` at the end of the text.
   */
  readonly found: { readonly text: string; readonly at: number } | undefined;
  /**
   * The label key of the requirement with the syntax error; empty when the parser has not read the
   * key yet.
   */
  readonly key: string;
}

/**
 * The functions and operators of the parser of label selectors that differ between clients and the
 * API server.
 */
export interface SelectorDialect<Requirement> {
  /** The operators of label selectors that have values, by their text. */
  readonly operators: Readonly<Record<string, SelectorOperator>>;
  /** Throws the error that the dialect makes of a syntax error of a label selector. */
  fail(problem: SelectorProblem): never;
  /**
   * Checks the label key of a requirement before the operator is read; throws when it is invalid.
   */
  checkKey?(key: string): void;
  /**
   * Checks a parsed requirement before the next one is read, and returns it in the form of the
   * dialect; throws when it is invalid.
   */
  accept(requirement: SelectorRequirement): Requirement;
}

/**
 * Parses a label selector in a dialect and returns its requirements in their order; an empty
 * selector has none.
 *
 * @throws {unknown} The errors of the dialect.
 */
export function parseSelector<Requirement>(
  text: string,
  dialect: SelectorDialect<Requirement>,
): Requirement[] {
  return new Parser(text, dialect).parse();
}

/**
 * Reports whether labels meet a requirement of a label selector. An absent label meets `NotIn` and
 * `DoesNotExist`; a label that is not an integer of 64 bits meets neither `GreaterThan` nor
 * `LessThan`. The caller has checked that these two have such an integer as their one value.
 */
export function meetsRequirement(
  { key, operator, values }: SelectorRequirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "GreaterThan":
    case "LessThan": {
      const left = parseInt64(value ?? "");
      const right = parseInt64(values[0]!)!;
      if (left === undefined) return false;
      return operator === "GreaterThan" ? left > right : left < right;
    }
  }
}

/**
 * Returns the integer in a text, such as the value of a label that the operators `GreaterThan` and
 * `LessThan` compare; `undefined` if the text is not an integer of 64 bits.
 */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ""));
  return value === BigInt.asIntN(64, value) ? value : undefined;
}

interface Token {
  readonly text: string;
  readonly at: number;
}

const TOKEN = /\s*(==|!=|=|!|,|\(|\)|<|>|[^\s=!,()<>]+)/y;

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const word = TOKEN.exec(text)![1]!;
    tokens.push({ text: word, at: TOKEN.lastIndex - word.length });
  }
  return tokens;
}

/**
 * Reports whether a token of a label selector is a sign, such as `=` or `(`, rather than a word.
 * The end of the text counts as a sign.
 */
function isSign(token: Token | undefined): boolean {
  return token === undefined || /^[=!,()<>]/.test(token.text);
}

/** The recursive descent parser of label selectors. */
class Parser<Requirement> {
  readonly #tokens: readonly Token[];
  readonly #dialect: SelectorDialect<Requirement>;
  #next = 0;
  #key = "";

  constructor(text: string, dialect: SelectorDialect<Requirement>) {
    this.#tokens = tokenize(text);
    this.#dialect = dialect;
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    if (this.#tokens.length === 0) return requirements;
    this.#expectRequirement("first requirement");
    while (true) {
      requirements.push(this.#dialect.accept(this.#requirement()));
      const separator = this.#take();
      if (separator === undefined) return requirements;
      if (separator.text !== ",") this.#fail("separator", separator);
      this.#expectRequirement("next requirement");
    }
  }

  #expectRequirement(expected: SelectorExpectation): void {
    const token = this.#peek();
    if (isSign(token) && token?.text !== "!") this.#fail(expected, token);
  }

  #requirement(): SelectorRequirement {
    this.#key = "";
    const isNegated = this.#peek()?.text === "!";
    if (isNegated) this.#next++;
    const key = this.#key = this.#word("key");
    this.#dialect.checkKey?.(key);
    if (isNegated) return { key, operator: "DoesNotExist", values: [] };
    if ([undefined, ","].includes(this.#peek()?.text)) {
      return { key, operator: "Exists", values: [] };
    }
    const sign = this.#take()!;
    const { operators } = this.#dialect;
    if (!Object.hasOwn(operators, sign.text)) this.#fail("operator", sign);
    const isSet = sign.text === "in" || sign.text === "notin";
    const values = isSet ? this.#set() : [this.#value()];
    return { key, operator: operators[sign.text]!, values };
  }

  /**
   * Reads the value after an operator. The value may be empty: `a=` selects the label with an empty
   * value.
   */
  #value(): string {
    const next = this.#peek()?.text;
    return next === undefined || next === "," ? "" : this.#word("value");
  }

  #set(): string[] {
    const open = this.#take();
    if (open?.text !== "(") this.#fail("set", open);
    const first = this.#peek();
    if (first?.text !== ")" && first?.text !== "," && isSign(first)) {
      this.#fail("first value", first);
    }
    const values = first?.text === ")" ? new Set<string>() : this.#values();
    this.#next++;
    return [...values];
  }

  /**
   * Reads the values of a set up to the closing parenthesis. A value may be empty, as in `(,x)`.
   */
  #values(): Set<string> {
    const values = new Set<string>();
    while (true) {
      const next = this.#peek()?.text;
      values.add(next === "," || next === ")" ? "" : this.#word("next value"));
      const separator = this.#peek();
      if (separator?.text === ")") return values;
      if (separator?.text !== ",") this.#fail("value separator", separator);
      this.#next++;
    }
  }

  #word(expected: SelectorExpectation): string {
    const token = this.#take();
    if (isSign(token)) this.#fail(expected, token);
    return token!.text;
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#next];
  }

  #take(): Token | undefined {
    return this.#tokens[this.#next++];
  }

  #fail(expected: SelectorExpectation, found: Token | undefined): never {
    return this.#dialect.fail({ expected, found, key: this.#key });
  }
}
