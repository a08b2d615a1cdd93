// Mirrors `labels/selector.go, Parse`.
import { badRequest, FieldPath, invalid, joinFieldErrors } from "@xca/apimachinery/internal/errors";
import {
  meetsRequirement,
  parseInt64,
  parseSelector,
  type SelectorDialect,
  type SelectorExpectation,
  type SelectorRequirement,
} from "@xca/apimachinery/internal/meta";
import { labelValueProblems, qualifiedNameProblems } from "@xca/apimachinery/internal/validation";

/**
 * A label selector, parsed by {@linkcode parseLabelSelector}: a function that reports whether an
 * object's labels match.
 */
export interface LabelMatch {
  (labels: Readonly<Record<string, string>>): boolean;
  /** The requirements of the label selector that a label has one of certain values. */
  readonly demands: readonly LabelDemand[];
}

/** A label that a label selector requires to have one of several values. */
export interface LabelDemand {
  readonly label: string;
  readonly values: readonly string[];
}

/**
 * Parses the `labelSelector` of a request; `undefined` if it selects everything.
 * @throws {StatusError} 400 with kube-apiserver's message.
 */
export function parseLabelSelector(text: string): LabelMatch | undefined {
  const requirements = parseSelector(text, DIALECT);
  if (requirements.length === 0) return undefined;
  const demands = requirements
    .filter(({ operator }) => operator === "In")
    .map(({ key, values }) => ({ label: key, values }));
  const match = (labels: Readonly<Record<string, string>>): boolean =>
    requirements.every((requirement) => meetsRequirement(requirement, labels));
  return Object.assign(match, { demands });
}

/**
 * The texts by which kube-apiserver's message of a syntax error in a label selector ends, by the
 * expected token.
 */
const EXPECTED: Readonly<Record<SelectorExpectation, string>> = {
  "first requirement": ", expected: !, identifier, or 'end of string'",
  "next requirement": ", expected: identifier after ','",
  "separator": ", expected: ',' or 'end of string'",
  "key": ", expected: identifier",
  "operator": ", expected: in, notin, =, ==, !=, gt, lt",
  "value": ", expected: identifier",
  "set": " expected: '('",
  "first value": ", expected: ',', ')' or identifier",
  "next value": ", expected: ',', or identifier",
  "value separator": ", expected: ',' or ')'",
};

/**
 * The expected tokens of the syntax errors between the requirements of a label selector, whose
 * messages have no prefix.
 */
const OUTSIDE: ReadonlySet<SelectorExpectation> = new Set([
  "first requirement",
  "next requirement",
  "separator",
]);

const DIALECT: SelectorDialect<SelectorRequirement> = {
  operators: {
    "=": "In",
    "==": "In",
    "in": "In",
    "!=": "NotIn",
    "notin": "NotIn",
    ">": "GreaterThan",
    "<": "LessThan",
  },
  fail({ expected, found }) {
    const why = `found '${found?.text ?? ""}'${EXPECTED[expected]}`;
    throw OUTSIDE.has(expected) ? badRequest(why) : unparsable(why);
  },
  checkKey(key) {
    const problems = qualifiedNameProblems(key);
    if (problems.length === 0) return;
    throw unparsable(joinFieldErrors([invalid(FieldPath.root, key, problems.join("; "))]));
  },
  accept: checked,
};

function unparsable(why: string): Error {
  return badRequest(`unable to parse requirement: ${why}`);
}

/**
 * Checks a requirement of a label selector, and returns it with sorted values; an empty set selects
 * the empty value.
 *
 * @throws {StatusError} 400 if a value is not valid.
 */
function checked({ key, operator, values: written }: SelectorRequirement): SelectorRequirement {
  const takesValues = operator !== "Exists" && operator !== "DoesNotExist";
  const values = takesValues && written.length === 0 ? [""] : [...written].sort();
  const path = FieldPath.of("values");
  const errors = [];
  for (const [index, value] of values.entries()) {
    const isOrder = operator === "GreaterThan" || operator === "LessThan";
    if (isOrder && parseInt64(value) === undefined) {
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
  if (errors.length > 0) throw unparsable(joinFieldErrors(errors));
  return { key, operator, values };
}
