import { checkOptionNames, described, type OptionNames } from "@xca/apimachinery/internal/base";
import { checkFunction } from "../../controller/definition/value_checks.ts";
import { checkParameters } from "../rules/rule_parameters.ts";
import type { WebhookForOptions, WebhookOptions } from "./webhook_definition.ts";

/** The permitted values of those webhook options that have a fixed set of values. */
const WORDS = {
  failurePolicy: ["Fail", "Ignore"],
  sideEffects: ["None", "NoneOnDryRun"],
  matchPolicy: ["Equivalent", "Exact"],
  reinvocationPolicy: ["Never", "IfNeeded"],
} as const;

/** The names of all webhook options. */
const OPTIONS: OptionNames<WebhookOptions & WebhookForOptions> = {
  failurePolicy: true,
  sideEffects: true,
  matchPolicy: true,
  timeoutSeconds: true,
  namespaceSelector: true,
  objectSelector: true,
  matchConditions: true,
  reinvocationPolicy: true,
  operations: true,
  versions: true,
  path: true,
  subresource: true,
  parameters: true,
};

/** The operations that a defaulter can be registered for. */
const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

/** The names of a validator's functions. */
const VALIDATORS = ["create", "update", "delete", "connect"];

/**
 * A regular expression that matches the paths that controller-runtime accepts, except `/`
 * (pkg/builder/webhook.go, validWebhookPathRegex).
 */
const PATH = /^(\/[a-zA-Z0-9-_]+)+$/;

/** A regular expression that matches the names of subresources, such as `status` and `scale`. */
const SUBRESOURCE = /^[a-z0-9]+$/;

/**
 * Checks the options of a webhook, except for the label selectors and the CEL of the conditions.
 * `failure` begins the error messages.
 *
 * @throws {TypeError} When an option is unknown or of the wrong type, or a list or the parameters
 * are malformed.
 * @throws {RangeError} When an option of the right type has a value that the API server does not
 * accept.
 */
export function checkWebhookOptions(failure: string, options: unknown): void {
  checkOptionNames(failure, options, OPTIONS);
  const given = options as WebhookOptions & WebhookForOptions;
  for (const [name, words] of Object.entries(WORDS)) {
    const value: unknown = given[name as keyof typeof WORDS];
    if (value === undefined || (words as readonly unknown[]).includes(value)) continue;
    throw refusalOf(
      value,
      typeof value === "string",
      `${failure}: ${name} must be ${words.join(" or ")}`,
    );
  }
  checkNumbersAndLists(failure, given);
  const { path, subresource, parameters } = given;
  if (parameters !== undefined) checkParameters(failure, parameters);
  if (path !== undefined && !(typeof path === "string" && PATH.test(path))) {
    const form = "segments of letters, digits, - and _, such as /validate-pods";
    throw refusalOf(path, typeof path === "string", `${failure}: path must be ${form}`);
  }
  if (
    subresource !== undefined &&
    !(typeof subresource === "string" && SUBRESOURCE.test(subresource))
  ) {
    throw refusalOf(
      subresource,
      typeof subresource === "string",
      `${failure}: subresource must be a name such as status`,
    );
  }
}

function checkNumbersAndLists(failure: string, given: WebhookOptions): void {
  const { timeoutSeconds: seconds = 10, versions, operations, matchConditions } = given;
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 30) {
    const rule = `${failure}: timeoutSeconds must be a whole number from 1 to 30`;
    throw refusalOf(seconds, typeof seconds === "number", rule);
  }
  for (const [name, list] of Object.entries({ versions, operations })) {
    if (list === undefined) continue;
    if (Array.isArray(list) && list.length > 0 && list.every(isText)) continue;
    throw new TypeError(`${failure}: ${name} must be a list of texts with at least one`);
  }
  const other = operations?.find((each) => !OPERATIONS.includes(each));
  if (other !== undefined) {
    const known = OPERATIONS.join(", ");
    throw new RangeError(`${failure}: operations must be of ${known}, one is ${textOf(other)}`);
  }
  if (matchConditions === undefined) return;
  const isList = Array.isArray(matchConditions) &&
    matchConditions.every((each) => isText(each?.name) && isText(each?.expression));
  if (isList) return;
  throw new TypeError(`${failure}: matchConditions must be a list of { name, expression }`);
}

/**
 * Checks the functions of a validator. `failure` begins the error messages.
 *
 * @throws {TypeError} When the validator has no function, a value is not a function, or a key is
 * unknown.
 */
export function checkValidator(failure: string, validator: unknown): void {
  const hint = "{ create, update, delete }";
  if (typeof validator !== "object" || validator === null) {
    throw new TypeError(`${failure}: validator() takes ${hint}, not ${described(validator)}`);
  }
  const given = Object.entries(validator).filter(([, each]) => each !== undefined);
  const unknown = given.find(([name]) => !VALIDATORS.includes(name));
  if (unknown) {
    throw new TypeError(
      `${failure}: a validator has the functions ${VALIDATORS.join(", ")}, but no ${unknown[0]}`,
    );
  }
  if (given.length === 0) throw new TypeError(`${failure}: validator() needs one of ${hint}`);
  for (const [name, each] of given) checkFunction(each, `${failure}: the validator's ${name}`);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/**
 * Returns the error for an option's value that is not accepted: a RangeError if `isOfType`, that
 * is, if the value has the type of the option, else a TypeError. The message is `rule` and the
 * value.
 */
function refusalOf(value: unknown, isOfType: boolean, rule: string): Error {
  const message = `${rule}, is ${textOf(value)}`;
  return isOfType ? new RangeError(message) : new TypeError(message);
}

/** Returns the text of an option's value for an error message, of at most 100 characters. */
function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number"
    ? JSON.stringify(value).slice(0, 100)
    : described(value);
}
