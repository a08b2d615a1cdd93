import { compareQuantities, nanosOf } from "@xca/apimachinery/internal/values";
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
  required,
} from "@xca/apimachinery/internal/errors";
import { invalidForEach, qualifiedNameProblems } from "@xca/apimachinery/internal/validation";
import type { V1LimitRange } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { isOvercommitAllowed } from "@xca/apimachinery/internal/resources";
import {
  validateContainerResourceName,
  validateResourceName,
} from "../pods/containers/resource_requirements.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

type Limit = NonNullable<V1LimitRange["spec"]>["limits"][number];
type Amounts = Readonly<Record<string, string>>;

const TYPES = ["Pod", "Container", "PersistentVolumeClaim"];

/**
 * The strategy of LimitRanges, which sets defaults and validates writes (registry/core/limitrange,
 * `Strategy`).
 */
export const limitRangeStrategy: KindStrategy = typedStrategy<V1LimitRange>({
  defaults(range) {
    for (const limit of range.spec?.limits ?? []) {
      if (limit.type === "Container") defaultLimit(limit);
    }
  },
  validateCreate: validate,
  validateUpdate: validate,
  allowCreateOnUpdate: true,
});

/**
 * Sets the absent defaults of a LimitRange item for containers: the default limit of a resource to
 * the maximum, the default request to the default limit, or else to the minimum.
 */
function defaultLimit(limit: Limit): void {
  const byDefault = { ...limit.max, ...limit.default };
  const request = { ...limit.min, ...byDefault, ...limit.defaultRequest };
  if (Object.keys(byDefault).length > 0) limit.default = byDefault;
  if (Object.keys(request).length > 0) limit.defaultRequest = request;
}

function validate({ spec }: V1LimitRange): FieldError[] {
  const seen = new Set<string>();
  return (spec?.limits ?? []).flatMap((limit, index) => {
    const path = FieldPath.of("spec", "limits").index(index);
    const errors = validateType(limit.type, path.child("type"));
    if (seen.has(limit.type)) errors.push(duplicate(path.child("type"), limit.type));
    seen.add(limit.type);
    return [...errors, ...validateNames(limit, path), ...validateAmounts(limit, path)];
  });
}

function validateType(type: string, path: FieldPath): FieldError[] {
  const errors = invalidForEach(path, type, qualifiedNameProblems(type));
  if (errors.length > 0 || type.includes("/") || TYPES.includes(type)) return errors;
  return [invalid(path, type, "must be a standard limit type or fully qualified")];
}

function validateNames(limit: Limit, path: FieldPath): FieldError[] {
  const { type } = limit;
  const check = type === "Pod" || type === "Container"
    ? validateContainerResourceName
    : validateResourceName;
  const names = (field: string, amounts: Amounts = {}): FieldError[] =>
    Object.keys(amounts).flatMap((name) => check(name, path.child(field).key(name)));
  const errors = [...names("max", limit.max), ...names("min", limit.min)];
  const ofPod = { default: limit.default, defaultRequest: limit.defaultRequest };
  for (const [field, amounts] of Object.entries(ofPod)) {
    if (type !== "Pod") errors.push(...names(field, amounts));
    else if (Object.keys(amounts ?? {}).length > 0) {
      const detail = "may not be specified when `type` is 'Pod'";
      errors.push(forbiddenField(path.child(field), detail));
    }
  }
  if (type === "PersistentVolumeClaim" && !limit.min?.["storage"] && !limit.max?.["storage"]) {
    const detail = "either minimum or maximum storage value is required, but neither was provided";
    errors.push(required(path.child("limits"), detail));
  }
  return [...errors, ...names("maxLimitRequestRatio", limit.maxLimitRequestRatio)];
}

/**
 * Validates the amounts of each resource in a LimitRange item: minimum, default request, default
 * limit and maximum must be in this order, the ratio of limit to request must be possible, and a
 * resource that cannot be overcommitted must have the same default limit and request.
 */
function validateAmounts(limit: Limit, path: FieldPath): FieldError[] {
  const { min = {}, max = {}, maxLimitRequestRatio: ratios = {} } = limit;
  const ofPod = limit.type === "Pod";
  const given: Amounts = ofPod ? {} : limit.default ?? {};
  const requests: Amounts = ofPod ? {} : limit.defaultRequest ?? {};
  const names = new Set([max, min, given, requests, ratios].flatMap((each) => Object.keys(each)));
  return [...names].flatMap((name) => {
    const [least, most, value, request] = [min[name], max[name], given[name], requests[name]];
    const errors: FieldError[] = [];
    const ordered = (
      low: string | undefined,
      high: string | undefined,
      field: string,
      shown: string | undefined,
      words: readonly [string, string],
    ): void => {
      if (low === undefined || high === undefined || compareQuantities(low, high) <= 0) return;
      const detail = `${words[0]} value ${low} is greater than ${words[1]} value ${high}`;
      errors.push(invalid(path.child(field).key(name), shown, detail));
    };
    ordered(least, most, "min", least, ["min", "max"]);
    ordered(least, request, "defaultRequest", request, ["min", "default request"]);
    ordered(request, most, "defaultRequest", request, ["default request", "max"]);
    ordered(request, value, "defaultRequest", request, ["default request", "default limit"]);
    ordered(least, value, "default", least, ["min", "default"]);
    ordered(value, most, "default", most, ["default", "max"]);
    errors.push(...validateRatio(name, ratios[name], least, most, path));
    const apart = value !== undefined && request !== undefined &&
      compareQuantities(value, request) !== 0;
    if (apart && !isOvercommitAllowed(name)) {
      const detail =
        `default value ${value} must equal to defaultRequest value ${request} in ${name}`;
      errors.push(invalid(path.child("defaultRequest").key(name), request, detail));
    }
    return errors;
  });
}

function validateRatio(
  name: string,
  ratio: string | undefined,
  least: string | undefined,
  most: string | undefined,
  path: FieldPath,
): FieldError[] {
  if (ratio === undefined) return [];
  const at = path.child("maxLimitRequestRatio").key(name);
  const errors: FieldError[] = [];
  if (compareQuantities(ratio, "1") < 0) {
    errors.push(invalid(at, ratio, `ratio ${ratio} is less than 1`));
  }
  if (least === undefined || most === undefined) return errors;
  const bound = Number(nanosOf(most)) / Number(nanosOf(least));
  if (Number(nanosOf(ratio)) / 1e9 > bound) {
    const detail = `ratio ${ratio} is greater than max/min = ${bound.toFixed(6)}`;
    errors.push(invalid(at, ratio, detail));
  }
  return errors;
}
