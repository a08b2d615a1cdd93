// Mirrors `apis/meta/v1/validation/validation.go, ValidateLabels`.
import { type FieldError, forbiddenField, invalid, required } from "../errors/field_error.ts";
import type { FieldPath } from "../errors/field_path.ts";
import { meetsRequirement, type SelectorOperator } from "../meta/label_selector_syntax.ts";
import { runAll } from "../base/time/loop_share.ts";
import { dnsSubdomainProblems } from "./names.ts";
import { byteLength, invalidForEach, maxBytesProblem, patternProblem } from "./texts.ts";

const NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const NAME_MESSAGE = "must consist of alphanumeric characters, '-', '_' or '.', and must start " +
  "and end with an alphanumeric character";
const NAME_PROBLEM = patternProblem(NAME_MESSAGE, NAME, "MyName", "my.name", "123-abc");
const VALUE = `(${NAME})?`;
const VALUE_MESSAGE = "a valid label must be an empty string or consist of alphanumeric " +
  "characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const IS_NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const MAX_LENGTH = 63;

/**
 * Returns kube-apiserver's messages about a text that must be a qualified name, such as a label
 * key: a name, optionally preceded by a DNS subdomain and a slash. The list is empty for a valid
 * text.
 */
export function qualifiedNameProblems(value: string): string[] {
  const parts = value.split("/");
  if (parts.length > 2) {
    return [
      `a valid label key ${NAME_PROBLEM} with an optional DNS subdomain prefix and '/' ` +
      "(e.g. 'example.com/MyName')",
    ];
  }
  const problems: string[] = [];
  const name = parts.at(-1)!;
  if (parts.length === 2) {
    if (parts[0] === "") problems.push("prefix part must be non-empty");
    else {
      const prefixProblems = dnsSubdomainProblems(parts[0]!)
        .map((problem) => problem.replace(/^(must be no more than \d+) characters$/, "$1 bytes"));
      problems.push(...prefixProblems.map((problem) => `prefix part ${problem}`));
    }
  }
  if (name === "") problems.push("name part must be non-empty");
  else if (byteLength(name) > MAX_LENGTH) {
    problems.push(`name part ${maxBytesProblem(MAX_LENGTH)}`);
  }
  if (!IS_NAME.test(name)) problems.push(`name part ${NAME_PROBLEM}`);
  return problems;
}

/**
 * Returns kube-apiserver's messages about a text that must be a label value; none for a valid one.
 */
export function labelValueProblems(value: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > MAX_LENGTH) problems.push(maxBytesProblem(MAX_LENGTH));
  if (value !== "" && !IS_NAME.test(value)) {
    problems.push(patternProblem(VALUE_MESSAGE, VALUE, "MyValue", "my_value", "12345"));
  }
  return problems;
}

/** Returns the field errors of a label key. */
export function validateLabelKey(key: string, path: FieldPath): FieldError[] {
  return invalidForEach(path, key, qualifiedNameProblems(key));
}

/** Returns the field errors of the labels of an object; all errors have the path of the map. */
export function validateLabels(
  labels: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): FieldError[] {
  return runAll(validateLabelsInSteps(labels, path));
}

/** The number of labels after which their validation yields to other work. */
const PAUSE_AFTER = 500;

/**
 * Validates labels like {@linkcode validateLabels}, as a generator that yields from time to time so
 * that other work may run.
 */
export function* validateLabelsInSteps(
  labels: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): Generator<void, FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, [key, value]] of Object.entries(labels ?? {}).entries()) {
    errors.push(...validateLabelKey(key, path));
    errors.push(...invalidForEach(path, value, labelValueProblems(value)));
    if (index % PAUSE_AFTER === PAUSE_AFTER - 1) yield;
  }
  return errors;
}

/** A label selector in an API object (`metav1.LabelSelector`). */
export interface LabelSelectorFields {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorRequirementFields[];
}

/** An expression of a label selector: key, operator and values. */
export interface LabelSelectorRequirementFields {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

/**
 * Reports whether the `matchExpressions` of a label selector have a value that is not a valid label
 * value. An update of an object whose stored selector has one may have invalid values too.
 */
export function selectorHasInvalidValue(selector: LabelSelectorFields | undefined): boolean {
  return (selector?.matchExpressions ?? []).some(({ values = [] }) =>
    values.some((value) => labelValueProblems(value).length > 0)
  );
}

/**
 * Returns the field errors of a label selector; none for an absent one. With `allowInvalidValues`,
 * the values in `matchExpressions` are not checked.
 */
export function validateLabelSelector(
  selector: LabelSelectorFields | undefined,
  path: FieldPath,
  options: { readonly allowInvalidValues?: boolean } = {},
): FieldError[] {
  if (!selector) return [];
  const errors = validateLabels(selector.matchLabels, path.child("matchLabels"));
  for (const [index, requirement] of (selector.matchExpressions ?? []).entries()) {
    const at = path.child("matchExpressions").index(index);
    errors.push(...validateRequirement(requirement, at, options.allowInvalidValues ?? false));
  }
  return errors;
}

function validateRequirement(
  { key = "", operator = "", values = [] }: LabelSelectorRequirementFields,
  path: FieldPath,
  allowInvalidValues: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const takesValues = operator === "In" || operator === "NotIn";
  if (takesValues && values.length === 0) {
    const detail = "must be specified when `operator` is 'In' or 'NotIn'";
    errors.push(required(path.child("values"), detail));
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0) {
      const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      errors.push(forbiddenField(path.child("values"), detail));
    }
  } else if (!takesValues) {
    errors.push(invalid(path.child("operator"), operator, "not a valid selector operator"));
  }
  errors.push(...validateLabelKey(key, path.child("key")));
  if (allowInvalidValues) return errors;
  for (const [index, value] of values.entries()) {
    const at = path.child("values").index(index);
    errors.push(...invalidForEach(at, value, labelValueProblems(value)));
  }
  return errors;
}

/** Reports whether a label selector is absent or has no requirements. */
export function selectorIsEmpty(selector: LabelSelectorFields | undefined): boolean {
  return Object.keys(selector?.matchLabels ?? {}).length === 0 &&
    (selector?.matchExpressions ?? []).length === 0;
}

/**
 * Reports whether labels match a valid label selector; a selector without requirements matches all
 * labels.
 */
export function selectorMatches(
  selector: LabelSelectorFields,
  labels: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(selector.matchLabels ?? {})
    .every(([key, value]) => meetsRequirement({ key, operator: "In", values: [value] }, labels)) &&
    (selector.matchExpressions ?? []).every(({ key = "", operator, values = [] }) =>
      meetsRequirement({ key, operator: operator as SelectorOperator, values }, labels)
    );
}

/**
 * Formats a label selector as text, sorted by key: `app=a,tier in (x,y)`; empty for a selector
 * without requirements, for which `metav1.FormatLabelSelector` has `<none>`.
 */
export function selectorText(selector: LabelSelectorFields | undefined): string {
  const parts: [key: string, text: string][] = Object.entries(selector?.matchLabels ?? {})
    .map(([key, value]) => [key, `${key}=${value}`]);
  for (const { key = "", operator, values = [] } of selector?.matchExpressions ?? []) {
    const list = `(${[...values].sort().join(",")})`;
    if (operator === "In") parts.push([key, `${key} in ${list}`]);
    else if (operator === "NotIn") parts.push([key, `${key} notin ${list}`]);
    else parts.push([key, operator === "Exists" ? key : `!${key}`]);
  }
  return parts.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0).map(([, text]) => text).join(",");
}
