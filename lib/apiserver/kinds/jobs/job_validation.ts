import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from "@xca/apimachinery/internal/errors";
import {
  byteLength,
  dnsSubdomainProblems,
  invalidForEach,
  patternProblem,
  qualifiedNameProblems,
} from "@xca/apimachinery/internal/validation";
import { goQuote } from "@xca/apimachinery/internal/values";
import { validateNonnegative } from "../../validation/numbers.ts";
import { parseIndexes } from "./index_intervals.ts";
import { internalForm } from "../pods/common/internal_form.ts";
import { isIndexed, type JobSpec } from "./job_types.ts";
import { omitValue } from "./omit_value.ts";
import type { PodRules } from "../pods/common/pod_rules.ts";
import { validatePodTemplate } from "../pods/pod_template.ts";

const MANY_COMPLETIONS = 100_000;
const MANY = 10_000;

type FailureRule = NonNullable<NonNullable<JobSpec["podFailurePolicy"]>["rules"]>[number];
type SuccessRule = NonNullable<NonNullable<JobSpec["successPolicy"]>["rules"]>[number];
type ExitCodes = NonNullable<FailureRule["onExitCodes"]>;

/**
 * Validates the spec of a Job, except its selector (`batch/validation/validation.go`,
 * `validateJobSpec`).
 */
export function validateJobSpec(spec: JobSpec, path: FieldPath, rules: PodRules): FieldError[] {
  const template = path.child("template");
  const errors = [
    ...validateNumbers(spec, path),
    ...validateManagedBy(spec.managedBy, path.child("managedBy")),
    ...validateCompletionMode(spec, path),
  ];
  const { podFailurePolicy, successPolicy } = spec;
  if (podFailurePolicy) {
    errors.push(...validateFailurePolicy(spec, path.child("podFailurePolicy", "rules")));
  }
  if (successPolicy && isIndexed(spec)) {
    errors.push(...validateSuccessPolicy(spec, path.child("successPolicy", "rules")));
  } else if (successPolicy) {
    const shown = internalForm("SuccessPolicy", successPolicy);
    errors.push(invalid(path.child("successPolicy"), shown, "requires indexed completion mode"));
  }
  errors.push(...validateReplacement(spec, path.child("podReplacementPolicy")));
  errors.push(...validatePodTemplate(spec.template ?? {}, template, rules));
  return [...errors, ...validateRestartPolicy(spec, template.child("spec", "restartPolicy"))];
}

function validateNumbers(spec: JobSpec, path: FieldPath): FieldError[] {
  const fields = [
    "parallelism",
    "completions",
    "activeDeadlineSeconds",
    "backoffLimit",
    "ttlSecondsAfterFinished",
    "backoffLimitPerIndex",
    "maxFailedIndexes",
  ] as const;
  const errors = fields.flatMap((field) =>
    validateNonnegative(spec[field] ?? 0, path.child(field))
  );
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    const detail = "when maxFailedIndexes is specified";
    errors.push(required(path.child("backoffLimitPerIndex"), detail));
  }
  return errors;
}

const HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const IS_HTTP_PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

function validateManagedBy(manager: string | undefined, path: FieldPath): FieldError[] {
  if (manager === undefined) return [];
  const errors: FieldError[] = [];
  const slash = manager.indexOf("/");
  if (manager === "") errors.push(required(path));
  else if (slash <= 0 || slash === manager.length - 1) {
    const detail = 'must be a domain-prefixed path (such as "acme.io/foo")';
    errors.push(invalid(path, manager, detail));
  } else {
    const host = manager.slice(0, slash);
    const rest = manager.slice(slash + 1);
    errors.push(...invalidForEach(path, host, dnsSubdomainProblems(host)));
    if (!IS_HTTP_PATH.test(rest)) {
      errors.push(invalid(path, rest, patternProblem("Invalid path", HTTP_PATH)));
    }
  }
  if (byteLength(manager) > 63) errors.push(tooLong(path, 63));
  return errors;
}

function validateCompletionMode(spec: JobSpec, path: FieldPath): FieldError[] {
  const { completionMode: mode, backoffLimitPerIndex, maxFailedIndexes } = spec;
  const errors: FieldError[] = [];
  if (mode !== undefined && mode !== "NonIndexed" && mode !== "Indexed") {
    errors.push(notSupported(path.child("completionMode"), mode, ["NonIndexed", "Indexed"]));
  }
  if (isIndexed(spec)) errors.push(...validateIndexed(spec, path));
  if (mode === undefined || mode === "NonIndexed") {
    for (const [field, value] of Object.entries({ backoffLimitPerIndex, maxFailedIndexes })) {
      if (value === undefined) continue;
      errors.push(invalid(path.child(field), value, "requires indexed completion mode"));
    }
  }
  return errors;
}

function validateIndexed(spec: JobSpec, path: FieldPath): FieldError[] {
  const { completions, parallelism, maxFailedIndexes, backoffLimitPerIndex } = spec;
  const errors: FieldError[] = [];
  const atMost = (field: string, value: number | undefined, most: number, when = "") => {
    if (value === undefined || value <= most) return;
    errors.push(invalid(path.child(field), value, `must be less than or equal to ${most}${when}`));
  };
  if (completions === undefined) {
    errors.push(required(path.child("completions"), "when completion mode is Indexed"));
  }
  atMost("parallelism", parallelism, 100_000, " when completion mode is Indexed");
  if ((maxFailedIndexes ?? 0) > (completions ?? Infinity)) {
    const at = path.child("maxFailedIndexes");
    errors.push(invalid(at, maxFailedIndexes, "must be less than or equal to completions"));
  }
  atMost("maxFailedIndexes", maxFailedIndexes, 100_000);
  if ((completions ?? 0) <= MANY_COMPLETIONS || backoffLimitPerIndex === undefined) return errors;
  if (maxFailedIndexes === undefined) {
    const detail = `must be specified when completions is above ${MANY_COMPLETIONS}`;
    errors.push(required(path.child("maxFailedIndexes"), detail));
  }
  const when = ` when completions are above ${MANY_COMPLETIONS} and used with backoff limit per ` +
    "index";
  atMost("parallelism", parallelism, MANY, when);
  atMost("maxFailedIndexes", maxFailedIndexes, MANY, when);
  return errors;
}

function validateReplacement(spec: JobSpec, path: FieldPath): FieldError[] {
  const { podReplacementPolicy: policy, podFailurePolicy } = spec;
  const policies = podFailurePolicy ? ["Failed"] : ["Failed", "TerminatingOrFailed"];
  return policy === undefined || policies.includes(policy)
    ? []
    : [notSupported(path, policy, policies)];
}

function validateRestartPolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const { restartPolicy = "" } = spec.template?.spec ?? {};
  if (restartPolicy === "Always" || restartPolicy === "") {
    return [required(path, 'valid values: "OnFailure", "Never"')];
  }
  if (restartPolicy !== "OnFailure" && restartPolicy !== "Never") {
    return [notSupported(path, restartPolicy, ["OnFailure", "Never"])];
  }
  if (!spec.podFailurePolicy || restartPolicy === "Never") return [];
  const detail = 'only "Never" is supported when podFailurePolicy is specified';
  return [invalid(path, restartPolicy, detail)];
}

function validateFailurePolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? [];
  const pod = spec.template?.spec ?? {};
  const names = [...pod.containers ?? [], ...pod.initContainers ?? []]
    .map(({ name = "" }) => name);
  return [
    ...rules.length > 20 ? [tooMany(path, rules.length, 20)] : [],
    ...rules.flatMap((rule, index) => validateFailureRule(rule, spec, names, path.index(index))),
  ];
}

const ACTIONS = ["Count", "FailIndex", "FailJob", "Ignore"];

function validateFailureRule(
  rule: FailureRule,
  spec: JobSpec,
  names: readonly string[],
  path: FieldPath,
): FieldError[] {
  const { action = "", onExitCodes, onPodConditions = [] } = rule;
  const at = path.child("action");
  const errors = requiredOneOf(action, ACTIONS, at);
  if (action === "FailIndex" && spec.backoffLimitPerIndex === undefined) {
    errors.push(invalid(at, action, "requires the backoffLimitPerIndex to be set"));
  }
  if (onExitCodes) {
    errors.push(...validateExitCodes(onExitCodes, names, path.child("onExitCodes")));
  }
  const conditions = path.child("onPodConditions");
  if (onPodConditions.length > 20) errors.push(tooMany(conditions, onPodConditions.length, 20));
  for (const [index, { type = "", status = "" }] of onPodConditions.entries()) {
    const where = conditions.index(index);
    errors.push(...invalidForEach(where.child("type"), type, qualifiedNameProblems(type)));
    errors.push(...requiredOneOf(status, ["False", "True", "Unknown"], where.child("status")));
  }
  const both = onExitCodes && onPodConditions.length > 0;
  const none = !onExitCodes && onPodConditions.length === 0;
  if (both) {
    const detail = "specifying both OnExitCodes and OnPodConditions is not supported";
    errors.push(omitValue(invalid(path, "", detail)));
  } else if (none) {
    const detail = "specifying one of OnExitCodes and OnPodConditions is required";
    errors.push(omitValue(invalid(path, "", detail)));
  }
  return errors;
}

function requiredOneOf(
  value: string,
  supported: readonly string[],
  path: FieldPath,
): FieldError[] {
  if (value === "") {
    const list = supported.map((each) => goQuote(each)).join(" ");
    return [required(path, `valid values: [${list}]`)];
  }
  return supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

function validateExitCodes(
  codes: ExitCodes,
  names: readonly string[],
  path: FieldPath,
): FieldError[] {
  const { operator = "", containerName } = codes;
  const values = codes.values ?? [];
  const errors = requiredOneOf(operator, ["In", "NotIn"], path.child("operator"));
  if (containerName !== undefined && !names.includes(containerName)) {
    const detail = "must be one of the container or initContainer names in the pod template";
    errors.push(invalid(path.child("containerName"), containerName, detail));
  }
  const at = path.child("values");
  if (values.length === 0) {
    errors.push(invalid(at, codes.values, "at least one value is required"));
  } else if (values.length > 255) errors.push(tooMany(at, values.length, 255));
  for (const [index, value] of values.entries()) {
    if (operator === "In" && value === 0) {
      errors.push(invalid(at.index(index), value, "must not be 0 for the In operator"));
    }
    if (values.indexOf(value) < index) errors.push(duplicate(at.index(index), value));
  }
  if (values.some((value, index) => index > 0 && values[index - 1]! > value)) {
    errors.push(invalid(at, values, "must be ordered"));
  }
  return errors;
}

function validateSuccessPolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const rules = spec.successPolicy?.rules ?? [];
  const errors: FieldError[] = [];
  if (rules.length === 0) {
    const detail = "at least one rules must be specified when the successPolicy is specified";
    errors.push(required(path, detail));
  }
  if (rules.length > 20) errors.push(tooMany(path, rules.length, 20));
  const completions = spec.completions ?? 0;
  return [
    ...errors,
    ...rules.flatMap((rule, index) => validateSuccessRule(rule, completions, path.index(index))),
  ];
}

function validateSuccessRule(
  { succeededCount: count, succeededIndexes: indexes }: SuccessRule,
  completions: number,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (count === undefined && indexes === undefined) {
    const detail = "at least one of succeededCount or succeededIndexes must be specified";
    errors.push(required(path, detail));
  }
  let total = 0;
  if (indexes !== undefined) {
    const at = path.child("succeededIndexes");
    if (byteLength(indexes) > 64 * 1024) errors.push(tooLong(at, 64 * 1024));
    const parsed = parseIndexes(indexes, completions);
    if (typeof parsed === "number") total = parsed;
    else errors.push(invalid(at, indexes, `error parsing succeededIndexes: ${parsed}`));
  }
  if (count === undefined) return errors;
  const at = path.child("succeededCount");
  const atMost = `must be less than or equal to`;
  errors.push(...validateNonnegative(count, at));
  if (count > completions) {
    const detail = `${atMost} ${completions} (the number of specified completions)`;
    errors.push(invalid(at, count, detail));
  }
  if (indexes !== undefined && count > total) {
    const what = "(the number of indexes in the specified succeededIndexes field)";
    errors.push(invalid(at, count, `${atMost} ${total} ${what}`));
  }
  return errors;
}
