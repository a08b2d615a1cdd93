import { compareQuantities, isWholeQuantity } from "@xca/apimachinery/internal/values";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalid,
  notFoundValue,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  dnsLabelProblems,
  invalidForEach,
  qualifiedNameProblems,
} from "@xca/apimachinery/internal/validation";
import { validateNonnegativeQuantity } from "../../../validation/quantity.ts";
import type { PodRules } from "../common/pod_rules.ts";
import {
  aggregateLimits,
  aggregateRequests,
  isContainerResource,
  isCountedResource,
  isExtendedResource,
  isHugePages,
  isHugePagesMultiple,
  isNativeResource,
  isOvercommitAllowed,
  isPodLevelResource,
  isStandardResource,
} from "@xca/apimachinery/internal/resources";
import type { PodSpec, Resources } from "../common/pod_types.ts";

type NameCheck = (name: string, path: FieldPath) => FieldError[];

/**
 * Validates the resource requests, limits and claims of a container
 * (`core/validation/validation.go`, `ValidateContainerResourceRequirements`); `claims` are the
 * names of the pod's resource claims.
 */
export function validateContainerResources(
  resources: Resources,
  claims: readonly string[],
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  return validateResources(resources, validateContainerResourceName, claims, path, rules);
}

function validateResources(
  { limits = {}, requests = {}, claims: used = [] }: Resources,
  checkName: NameCheck,
  claims: readonly string[],
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, quantity] of Object.entries(limits)) {
    const at = path.child("limits").key(name);
    errors.push(...checkName(name, at), ...validateQuantity(name, quantity, at));
    errors.push(...validateHugePages(name, quantity, at, rules));
  }
  for (const [name, quantity] of Object.entries(requests)) {
    const at = path.child("requests").key(name);
    errors.push(...checkName(name, at), ...validateQuantity(name, quantity, at));
    errors.push(...validateAgainstLimit(name, quantity, limits[name], path));
    errors.push(...validateHugePages(name, quantity, at, rules));
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.includes("cpu") && !names.includes("memory")) {
    errors.push(forbiddenField(path, "HugePages require cpu or memory"));
  }
  errors.push(...validateClaimNames(used, claims, path.child("claims")));
  return errors;
}

function validateAgainstLimit(
  name: string,
  quantity: string,
  limit: string | undefined,
  path: FieldPath,
): FieldError[] {
  if (limit === undefined) {
    if (isOvercommitAllowed(name)) return [];
    return [required(path.child("limits"), "Limit must be set for non overcommitable resources")];
  }
  const order = compareQuantities(quantity, limit);
  const at = path.child("requests");
  if (order !== 0 && !isOvercommitAllowed(name)) {
    return [invalid(at, quantity, `must be equal to ${name} limit of ${limit}`)];
  }
  if (order <= 0) return [];
  return [invalid(at, quantity, `must be less than or equal to ${name} limit of ${limit}`)];
}

function validateHugePages(
  name: string,
  quantity: string,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  if (!isHugePages(name) || rules.allowIndivisibleHugePages) return [];
  if (isHugePagesMultiple(name, quantity)) return [];
  return [invalid(path, quantity, `${quantity} is not positive integer multiple of ${name}`)];
}

/**
 * Validates the quantity of a resource, which must not be negative, and must be an integer for
 * resources that are counted.
 */
export function validateQuantity(name: string, quantity: string, path: FieldPath): FieldError[] {
  const errors = validateNonnegativeQuantity(quantity, path);
  if (isCountedResource(name) && !isWholeQuantity(quantity)) {
    errors.push(invalid(path, quantity, "must be an integer"));
  }
  return errors;
}

/** Validates the name of a resource, which must be standard or have a domain. */
export function validateResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = invalidForEach(path, name, qualifiedNameProblems(name));
  if (errors.length > 0 || name.includes("/") || isStandardResource(name)) return errors;
  return [invalid(path, name, "must be a standard resource type or fully qualified")];
}

/** Validates the name of a resource that a container requests or limits. */
export function validateContainerResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes("/")) {
    if (!isContainerResource(name)) {
      errors.push(invalid(path, name, "must be a standard resource for containers"));
    }
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.push(invalid(path, name, "doesn't follow extended resource name standard"));
  }
  return errors;
}

function validatePodResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = validateResourceName(name, path);
  if (errors.length > 0 || isPodLevelResource(name)) return errors;
  return [notSupported(path, name, ["cpu", "hugepages-", "memory"])];
}

function validateClaimNames(
  used: NonNullable<Resources["claims"]>,
  claims: readonly string[],
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { name = "", request = "" }] of used.entries()) {
    const at = path.index(index);
    if (name === "") {
      errors.push(required(at));
      continue;
    }
    const key = request === "" ? name : `${name}/${request}`;
    if (seen.has(name)) errors.push(duplicate(at, name));
    else {
      if (request !== "") {
        errors.push(...invalidForEach(at.child("request"), request, dnsLabelProblems(request)));
      }
      const parts = [...seen].filter((each) => each.startsWith(`${name}/`));
      if (seen.has(key)) errors.push(duplicate(at, key));
      else if (request === "") errors.push(...parts.map(() => duplicate(at, name)));
      seen.add(key);
    }
    if (!claims.includes(name)) {
      const { body, ...error } = notFoundValue(at, name);
      const known = claims.length === 0 ? " which is empty" : `: ${[...claims].sort().join(", ")}`;
      const detail = `must be one of the names in pod.spec.resourceClaims${known}`;
      errors.push({ ...error, body: `${body}: ${detail}` });
    }
  }
  return errors;
}

/**
 * Validates the pod-level resources of a pod, by themselves and against those of its containers.
 */
export function validatePodResources(
  spec: PodSpec,
  claims: readonly string[],
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  const { resources } = spec;
  if (!resources) return [];
  if (spec.os?.name === "windows") {
    return [forbiddenField(path, "may not be set for a windows pod")];
  }
  const errors: FieldError[] = [];
  if (resources.claims) {
    const detail = "claims may not be set for Resources at pod-level";
    errors.push(forbiddenField(path.child("claims"), detail));
  }
  errors.push(...validateResources(resources, validatePodResourceName, claims, path, rules));
  errors.push(...validateConsistency(spec, resources, path));
  return errors;
}

function validateConsistency(spec: PodSpec, own: Resources, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const atLeast = "must be greater than or equal to aggregate container";
  for (const [name, total] of Object.entries(aggregateRequests(spec))) {
    const quantity = own.requests?.[name];
    if (quantity === undefined || compareQuantities(total, quantity) <= 0) continue;
    const at = path.child("requests").key(name);
    errors.push(invalid(at, quantity, `${atLeast} requests of ${total}`));
  }
  for (const [name, total] of Object.entries(aggregateLimits(spec))) {
    const quantity = own.limits?.[name];
    if (!isHugePages(name) || quantity === undefined) continue;
    if (compareQuantities(total, quantity) <= 0) continue;
    const at = path.child("limits").key(name);
    errors.push(invalid(at, quantity, `${atLeast} limits of ${total}`));
  }
  for (const [index, container] of (spec.containers ?? []).entries()) {
    for (const [name, limit] of Object.entries(container.resources?.limits ?? {})) {
      const most = own.limits?.[name];
      if (most === undefined || compareQuantities(limit, most) <= 0) continue;
      const at = path.child("containers").index(index).key(name).child("limits");
      errors.push(invalid(at, limit, `must be less than or equal to pod limits of ${most}`));
    }
  }
  return errors;
}
