import { described } from "@xca/apimachinery/internal/base";
import type { ObjectRule } from "../../controller/definition/operator_webhook.ts";
import { refersTo } from "../rules/policy_expression.ts";

/**
 * Options of a CEL rule by which the API server validates the objects of a resource: the message,
 * which is required, and the expression of a message, the reason and the field of a refusal.
 */
export type RuleOptions = Omit<ObjectRule, "rule" | "usesParameters">;

/** The names of all options of a CEL rule, each of which is a string. */
const OPTIONS = ["message", "messageExpression", "reason", "fieldPath"];

/** The reasons that a CEL rule can give for a refusal. */
const REASONS = ["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired"];

/**
 * Checks a CEL rule and its options, and returns them as a frozen {@linkcode ObjectRule}.
 * `checkRules` checks the expression itself, since the CEL implementation is large. `failure`
 * begins the error messages; `hasParameters` states whether the webhook has parameters, to which
 * the name `params` in the rule refers.
 *
 * @throws {TypeError} When the rule, its message or another option is not a string, the message is
 * missing or has several lines, or an option or the reason is unknown.
 */
export function checkRule(
  failure: string,
  rule: unknown,
  options: unknown,
  { hasParameters }: { readonly hasParameters: boolean },
): ObjectRule {
  if (typeof rule !== "string" || rule.trim() === "") {
    throw new TypeError(`${failure}: a rule must be an expression in CEL, is ${described(rule)}`);
  }
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`${failure}: the rule ${rule} needs { message }`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (!OPTIONS.includes(name)) {
      throw new TypeError(`${failure}: a rule has no ${name}, only ${OPTIONS.join(", ")}`);
    }
    if (value === undefined || typeof value === "string" && value !== "") continue;
    throw new TypeError(`${failure}: ${name} of the rule ${rule} must be a text`);
  }
  const { message, messageExpression = "", reason } = options as Partial<RuleOptions>;
  if (message === undefined || /[\r\n]/.test(message)) {
    throw new TypeError(`${failure}: the rule ${rule} needs a message of one line`);
  }
  if (reason !== undefined && !REASONS.includes(reason)) {
    throw new TypeError(`${failure}: the reason of a rule must be of ${REASONS.join(", ")}`);
  }
  const usesParameters = hasParameters &&
    [rule, messageExpression].some((each) => refersTo(each, "params"));
  return Object.freeze({
    rule,
    ...options as RuleOptions,
    ...(usesParameters && { usesParameters }),
  });
}
