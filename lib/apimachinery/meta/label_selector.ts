// Mirrors `labels/selector.go, Parse`.
import { isLabelText, isQualifiedName } from "./name_rules.ts";
import {
  meetsRequirement,
  parseSelector,
  type SelectorDialect,
  type SelectorExpectation,
  type SelectorOperator,
} from "./label_selector_syntax.ts";

/** The operator of a label selector's requirement. */
export type LabelOperator = "In" | "NotIn" | "Exists" | "DoesNotExist";

/** A requirement of a label selector: a condition on one label. */
export interface LabelRequirement {
  /** The key of the label that the requirement is about. */
  readonly key: string;
  /** The operator of the requirement. An absent label satisfies `NotIn` and `DoesNotExist`. */
  readonly operator: LabelOperator;
  /**
   * The values that the label is compared with, sorted and each once; empty for `Exists` and
   * `DoesNotExist`.
   */
  readonly values: readonly string[];
}

/**
 * A parsed label selector. Labels match if they satisfy all requirements; a selector without
 * requirements matches all labels.
 */
export interface LabelSelector {
  /**
   * The requirements of the label selector, each once, ordered by key, then operator and values.
   */
  readonly requirements: readonly LabelRequirement[];
}

/**
 * A label selector in the form of API objects, for instance of `spec.selector` of a Deployment
 * (`metav1.LabelSelector`).
 */
export interface LabelSelectorSpec {
  /** The labels that must have exactly the given values. */
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  /**
   * Further requirements of the label selector, which labels must satisfy in addition to
   * `matchLabels`.
   */
  readonly matchExpressions?: readonly LabelExpression[] | undefined;
}

/**
 * A requirement of a label selector in an API object ({@linkcode
 * LabelSelectorSpec.matchExpressions}).
 */
export interface LabelExpression {
  /** The key of the label that the requirement is about. */
  readonly key: string;
  /**
   * The operator of the label requirement. {@linkcode labelSelectorOf} refuses a text that is not a
   * {@linkcode LabelOperator}.
   */
  readonly operator: LabelOperator | string;
  /**
   * The values that the label is compared with; absent or empty for `Exists` and `DoesNotExist`.
   */
  readonly values?: readonly string[] | undefined;
}

/**
 * Parses a label selector (k8s.io/apimachinery `labels.Parse`): requirements separated by commas,
 * each `a=b`, `a==b`, `a!=b`, `a in (x,y)`, `a notin (x,y)`, `a` or `!a`. An empty text selects
 * everything. A parsed selector is returned unchanged.
 *
 * @throws {TypeError} When the text is not a selector; the message has the position of a syntax
 * error.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { matchesLabels, parseLabelSelector } from "@xca/apimachinery/meta";
 *
 * const selector = parseLabelSelector("app=web, tier notin (cache, db), !legacy");
 * assert(matchesLabels(selector, { app: "web" }));
 * assert(!matchesLabels(selector, { app: "web", tier: "db" }));
 * ```
 */
export function parseLabelSelector(text: string | LabelSelector): LabelSelector {
  if (typeof text !== "string") return text;
  return { requirements: ordered(parseSelector(text, dialectOf(text))) };
}

/**
 * Converts `matchLabels` and `matchExpressions` to a selector (`metav1.LabelSelectorAsSelector`).
 *
 * An empty specification selects everything. (An absent one selects nothing in most places of the
 * API, which the caller decides.)
 *
 * @throws {TypeError} When a key, operator or value is invalid; the message names it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { formatLabelSelector, labelSelectorOf } from "@xca/apimachinery/meta";
 *
 * const selector = labelSelectorOf({
 *   matchLabels: { app: "web" },
 *   matchExpressions: [{ key: "tier", operator: "NotIn", values: ["cache", "db"] }],
 * });
 * assert.equal(formatLabelSelector(selector), "app=web,tier notin (cache,db)");
 * ```
 */
export function labelSelectorOf(spec: LabelSelectorSpec): LabelSelector {
  const what = "Cannot use label selector";
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of Object.entries(spec.matchLabels ?? {})) {
    requirements.push(requirement(`${what}: matchLabels`, key, "In", [value]));
  }
  for (const [index, { key, operator, values = [] }] of (spec.matchExpressions ?? []).entries()) {
    const where = `${what}: matchExpressions[${index}]`;
    if (!isOperator(operator)) {
      throw new TypeError(
        `${where}: operator must be In, NotIn, Exists or DoesNotExist: current value is ${
          JSON.stringify(operator)
        }`,
      );
    }
    requirements.push(requirement(where, key, operator, values));
  }
  return { requirements: ordered(requirements) };
}

/**
 * Reports whether labels satisfy all requirements of a label selector.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { matchesLabels, parseLabelSelector } from "@xca/apimachinery/meta";
 *
 * const selector = parseLabelSelector("app=web,tier!=db");
 * assert(matchesLabels(selector, { app: "web" })); // an absent label satisfies !=
 * assert(!matchesLabels(selector, { app: "web", tier: "db" }));
 * ```
 */
export function matchesLabels(
  selector: LabelSelector,
  labels: Readonly<Record<string, string>>,
): boolean {
  return selector.requirements.every((requirement) => meetsRequirement(requirement, labels));
}

/**
 * Formats a label selector as the text of a request's `labelSelector` parameter. Equal selectors
 * have equal texts.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { formatLabelSelector, parseLabelSelector } from "@xca/apimachinery/meta";
 *
 * const selector = parseLabelSelector(" tier in (db, cache) , app == web, !legacy");
 * assert.equal(formatLabelSelector(selector), "app=web,!legacy,tier in (cache,db)");
 * ```
 */
export function formatLabelSelector(selector: LabelSelector): string {
  return selector.requirements.map(({ key, operator, values }) => {
    switch (operator) {
      case "In":
        return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(",")})`;
      case "NotIn":
        return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${values.join(",")})`;
      case "Exists":
        return key;
      case "DoesNotExist":
        return `!${key}`;
    }
  }).join(",");
}

const OPERATORS: readonly string[] = ["In", "NotIn", "Exists", "DoesNotExist"];

function isOperator(text: string): text is LabelOperator {
  return OPERATORS.includes(text);
}

/**
 * Returns requirements of a label selector, whose values are sorted already, ordered by key,
 * operator and values, each once, so that selectors with equal requirements have equal texts.
 */
function ordered(requirements: readonly LabelRequirement[]): LabelRequirement[] {
  return requirements.toSorted(compared).filter((each, index, all) =>
    index === 0 || compared(all[index - 1]!, each) !== 0
  );
}

function compared(a: LabelRequirement, b: LabelRequirement): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  if (a.operator !== b.operator) {
    return OPERATORS.indexOf(a.operator) - OPERATORS.indexOf(b.operator);
  }
  // No label value contains a comma.
  const [first, second] = [a.values.join(), b.values.join()];
  return first === second ? 0 : first < second ? -1 : 1;
}

/**
 * Returns a requirement of a label selector with sorted values, after checking it by the rules of
 * the API: the key must be a qualified name, the values must be label values, and only `In` and
 * `NotIn` have values.
 *
 * @throws {TypeError} When the requirement breaks a rule; the message begins with `where`.
 */
function requirement(
  where: string,
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): LabelRequirement {
  if (!isQualifiedName(key)) {
    throw new TypeError(
      `${where}: a label key must be a name of at most 63 letters, digits, "-", "_" and ".", ` +
        `perhaps after a DNS name and "/": current value is ${JSON.stringify(key)}`,
    );
  }
  const needsValues = operator === "In" || operator === "NotIn";
  if (needsValues !== values.length > 0) {
    throw new TypeError(
      `${where}: operator ${operator} of ${key} takes ${
        needsValues ? "at least one value" : "no values"
      }`,
    );
  }
  const wrong = values.find((value) => typeof value !== "string" || (value && !isLabelText(value)));
  if (wrong !== undefined) {
    throw new TypeError(
      `${where}: a value of ${key} must be at most 63 letters, digits, "-", "_" and ".", ` +
        `beginning and ending with a letter or digit: current value is ${JSON.stringify(wrong)}`,
    );
  }
  return { key, operator, values: [...new Set(values)].sort() };
}

/** A record of the operators that have values, by their text in a label selector. */
const SIGNS: Readonly<Record<string, SelectorOperator>> = {
  "=": "In",
  "==": "In",
  "!=": "NotIn",
  "in": "In",
  "notin": "NotIn",
};

/**
 * A record of the descriptions of the symbols that the parser of label selectors expects, for error
 * messages.
 */
const EXPECTED: Readonly<Record<SelectorExpectation, string>> = {
  "first requirement": "a label key",
  "next requirement": "a label key",
  "key": "a label key",
  "separator": '"," or the end',
  "operator": `one of ${Object.keys(SIGNS).map((sign) => JSON.stringify(sign)).join(", ")}`,
  "value": "a value",
  "set": '"("',
  "first value": "a value",
  "next value": "a value",
  "value separator": '"," or ")"',
};

/**
 * Returns the dialect of the label selectors of clients: its rules, and its error messages, which
 * quote `text`.
 */
function dialectOf(text: string): SelectorDialect<LabelRequirement> {
  const what = `Cannot parse label selector ${JSON.stringify(text)}`;
  return {
    operators: SIGNS,
    accept: ({ key, operator, values }) =>
      requirement(what, key, operator as LabelOperator, values),
    fail({ expected, found, key }) {
      const after = expected === "operator" ? ` after ${JSON.stringify(key)}` : "";
      const where = found
        ? `${JSON.stringify(found.text)} at character ${found.at + 1}`
        : "the end of the text";
      throw new TypeError(`${what}: expected ${EXPECTED[expected]}${after}, found ${where}`);
    },
  };
}
