// Mirrors `apis/admissionregistration/validation/validation.go, validateRule`.
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import { pathSegmentNameProblems } from "@xca/apimachinery/internal/validation";
import type { MatchRule } from "../webhooks/hook.ts";

const OPERATIONS = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const SCOPES = ["*", "Cluster", "Namespaced"];

/**
 * Validates the operations, API groups and versions, resources and scope of a webhook's or policy's
 * rule, and returns the field errors.
 */
export function validateRule(rule: MatchRule, path: FieldPath): FieldError[] {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [] } = rule;
  const errors: FieldError[] = [];
  if (operations.length === 0) errors.push(required(path.child("operations")));
  errors.push(...alone(operations, path.child("operations"), "operations"));
  for (const [index, operation] of operations.entries()) {
    if (OPERATIONS.includes(operation)) continue;
    errors.push(notSupported(path.child("operations").index(index), operation, OPERATIONS));
  }
  if (apiGroups.length === 0) errors.push(required(path.child("apiGroups")));
  errors.push(...alone(apiGroups, path.child("apiGroups"), "API groups"));
  if (apiVersions.length === 0) errors.push(required(path.child("apiVersions")));
  errors.push(...alone(apiVersions, path.child("apiVersions"), "API versions"));
  for (const [index, version] of apiVersions.entries()) {
    if (version === "") errors.push(required(path.child("apiVersions").index(index)));
  }
  errors.push(...validateResources(resources, path.child("resources")));
  if (rule.scope !== undefined && !SCOPES.includes(rule.scope)) {
    errors.push(notSupported(path.child("scope"), rule.scope, SCOPES));
  }
  return errors;
}

/**
 * Validates a rule of an admission policy, which can have resource names, and returns the field
 * errors.
 */
export function validateNamedRule(rule: MatchRule, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, name] of (rule.resourceNames ?? []).entries()) {
    const at = path.child("resourceNames").index(index);
    for (const problem of pathSegmentNameProblems(name, false)) {
      errors.push(invalid(at, name, problem));
    }
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
  }
  return [...errors, ...validateRule(rule, path)];
}

function alone(items: readonly string[], path: FieldPath, what: string): FieldError[] {
  if (items.length < 2 || !items.includes("*")) return [];
  return [invalid(path, items, `if '*' is present, must not specify other ${what}`)];
}

function validateResources(resources: readonly string[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (resources.length === 0) errors.push(required(path));
  const allSubresources = new Set<string>();
  const ofAllResources = new Set<string>();
  let hasPlain = false;
  for (const [index, resource] of resources.entries()) {
    const at = path.index(index);
    if (resource === "") {
      errors.push(required(at));
      continue;
    }
    const slash = resource.indexOf("/");
    if (slash < 0) {
      hasPlain = resource !== "*";
      continue;
    }
    const [main, sub] = [resource.slice(0, slash), resource.slice(slash + 1)];
    if (allSubresources.has(main)) {
      errors.push(
        invalid(at, resource, `if '${main}/*' is present, must not specify ${resource}`),
      );
    }
    if (ofAllResources.has(sub)) {
      errors.push(
        invalid(at, resource, `if '*/${sub}' is present, must not specify ${resource}`),
      );
    }
    if (sub === "*") allSubresources.add(main);
    if (main === "*") ofAllResources.add(sub);
  }
  if (resources.length > 1 && resources.includes("*/*")) {
    errors.push(
      invalid(path, resources, "if '*/*' is present, must not specify other resources"),
    );
  }
  if (resources.includes("*") && hasPlain) {
    const why = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalid(path, resources, why));
  }
  return errors;
}
