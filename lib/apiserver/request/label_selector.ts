import { badRequest, FieldPath, invalid, joinFieldErrors } from "@xca/apimachinery/internal/errors";
import { labelValueProblems, qualifiedNameProblems } from "@xca/apimachinery/internal/validation";

/** Whether labels satisfy a selector. */
export interface LabelMatch {
  (labels: Readonly<Record<string, string>>): boolean;
  /** The labels that the selector requires, each with its allowed values. */
  readonly demands: readonly LabelDemand[];
}

/** A label that must have one of several values. */
export interface LabelDemand {
  readonly label: string;
  readonly values: readonly string[];
}

type Operator = "in" | "notin" | "=" | "==" | "!=" | "exists" | "!" | ">" | "<";

interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/**
 * Reads the `labelSelector` of a request; `undefined` when it selects everything.
 * @throws {StatusError} 400, in the words of the real server.
 */
export function parseLabelSelector(text: string): LabelMatch | undefined {
  const requirements = new Parser(text).parse();
  if (requirements.length === 0) return undefined;
  const demands = requirements
    .filter(({ operator }) => operator === "=" || operator === "==" || operator === "in")
    .map(({ key, values }) => ({ label: key, values }));
  const match = (labels: Readonly<Record<string, string>>): boolean =>
    requirements.every((requirement) => matches(requirement, labels));
  return Object.assign(match, { demands });
}

function matches(
  { key, operator, values }: Requirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "in":
    case "=":
    case "==":
      return value !== undefined && values.includes(value);
    case "notin":
    case "!=":
      return value === undefined || !values.includes(value);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    case ">":
    case "<": {
      if (value === undefined || !INTEGER.test(value)) return false;
      const [left, right] = [BigInt(value), BigInt(values[0]!)];
      return operator === ">" ? left > right : left < right;
    }
  }
}

const INTEGER = /^-?\d+$/;
const SIGNS = new Set(["=", "==", "!=", "!", "(", ")", ",", ">", "<"]);
const SIGN_CHARACTERS = "=!(),><";
const BINARY = ["in", "notin", "=", "==", "!=", ">", "<"];

/** A recursive descent; the words of its complaints are those of the real one. */
class Parser {
  readonly #tokens: string[];
  #next = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    for (;;) {
      const token = this.#peek();
      if (token === "") return requirements;
      if (isSign(token) && token !== "!") {
        throw badRequest(`found '${token}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.#requirement());
      const after = this.#take();
      if (after === "") return requirements;
      if (after !== ",") {
        throw badRequest(`found '${after}', expected: ',' or 'end of string'`);
      }
      const begin = this.#peek();
      if (begin === "" || (isSign(begin) && begin !== "!")) {
        throw badRequest(`found '${begin}', expected: identifier after ','`);
      }
    }
  }

  #requirement(): Requirement {
    let key = this.#take();
    const negated = key === "!";
    if (negated) key = this.#take();
    if (key === "" || isSign(key)) fail(`found '${key}', expected: identifier`);
    const problems = qualifiedNameProblems(key);
    if (problems.length > 0) {
      fail(joinFieldErrors([invalid(FieldPath.root, key, problems.join("; "))]));
    }
    const ahead = this.#peek();
    if (negated) {
      // What follows a negated key, if it is no comma, is the caller's to complain of.
      return { key, operator: "!", values: [] };
    }
    if (ahead === "" || ahead === ",") return { key, operator: "exists", values: [] };
    const operator = this.#take();
    if (!BINARY.includes(operator)) {
      fail(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
    }
    const values = operator === "in" || operator === "notin" ? this.#set() : [this.#value()];
    return checked({ key, operator: operator as Operator, values });
  }

  #value(): string {
    const ahead = this.#peek();
    if (ahead === "" || ahead === ",") return "";
    const value = this.#take();
    if (isSign(value)) fail(`found '${value}', expected: identifier`);
    return value;
  }

  #set(): string[] {
    const open = this.#take();
    if (open !== "(") fail(`found '${open}' expected: '('`);
    const first = this.#peek();
    if (first === ")") {
      this.#take();
      return [""];
    }
    if (first === "" || (isSign(first) && first !== ",")) {
      fail(`found '${first}', expected: ',', ')' or identifier`);
    }
    const values = this.#identifiers();
    this.#take();
    return [...values].sort();
  }

  #identifiers(): Set<string> {
    const values = new Set<string>();
    for (;;) {
      const token = this.#take();
      const ahead = this.#peek();
      if (token === ",") {
        if (values.size === 0) values.add("");
        if (ahead === ")") return values.add("");
        if (ahead === ",") values.add("");
      } else if (token === "" || isSign(token)) {
        fail(`found '${token}', expected: ',', or identifier`);
      } else {
        values.add(token);
        if (ahead === ")") return values;
        if (ahead !== ",") fail(`found '${ahead}', expected: ',' or ')'`);
      }
    }
  }

  #peek(): string {
    return this.#tokens[this.#next] ?? "";
  }

  #take(): string {
    return this.#tokens[this.#next++] ?? "";
  }
}

function isSign(token: string): boolean {
  return SIGNS.has(token);
}

function fail(why: string): never {
  throw badRequest(`unable to parse requirement: ${why}`);
}

function checked(requirement: Requirement): Requirement {
  const { key, operator, values } = requirement;
  const path = FieldPath.of("values");
  const errors = [];
  for (const [index, value] of values.entries()) {
    if ((operator === ">" || operator === "<") && !INTEGER.test(value)) {
      const detail = "for 'Gt', 'Lt' operators, the value must be an integer";
      errors.push(invalid(path.index(index), value, detail));
    }
  }
  for (const [index, value] of values.entries()) {
    const problems = labelValueProblems(value);
    if (problems.length > 0) {
      errors.push(invalid(path.index(index).key(key), value, problems.join("; ")));
    }
  }
  if (errors.length > 0) fail(joinFieldErrors(errors));
  return requirement;
}

/** Signs, as long as they can be, and words of everything else. */
function tokenize(text: string): string[] {
  const tokens: string[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text[at]!;
    if (/\s/.test(character)) {
      at++;
    } else if (SIGN_CHARACTERS.includes(character)) {
      const two = text.slice(at, at + 2);
      const sign = two === "==" || two === "!=" ? two : character;
      tokens.push(sign);
      at += sign.length;
    } else {
      const start = at;
      while (at < text.length && !/[\s=!(),><]/.test(text[at]!)) at++;
      tokens.push(text.slice(start, at));
    }
  }
  return tokens;
}
