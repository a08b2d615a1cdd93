import { VERBS } from "@xca/apimachinery/internal/access";
import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import { labelNameProblems } from "@xca/apimachinery/internal/validation";
import type { V1FlowSchema } from "@xca/apimachinery/kubernetes-types";

type Rule = NonNullable<NonNullable<V1FlowSchema["spec"]>["rules"]>[number];
type ResourceRule = NonNullable<Rule["resourceRules"]>[number];
type NonResourceRule = NonNullable<Rule["nonResourceRules"]>[number];

/**
 * The verbs other than `*` that a rule of a FlowSchema can name; `proxy` is the verb of requests
 * through a proxy.
 */
const RULE_VERBS: readonly string[] = [...VERBS, "proxy"].sort();

/**
 * Validates a FlowSchema's rule about resource requests (`flowcontrol/validation/validation.go`,
 * `ValidateFlowSchemaResourcePolicyRule`).
 */
export function validateResourceRule(rule: ResourceRule, path: FieldPath): FieldError[] {
  const errors = [
    ...validateVerbs(rule.verbs ?? [], path),
    ...validateNames(rule.apiGroups ?? [], path.child("apiGroups"), "api group"),
    ...validateNames(rule.resources ?? [], path.child("resources"), "resource"),
  ];
  const namespaces = rule.namespaces ?? []; // Absent lists are null.
  const at = path.child("namespaces");
  if (namespaces.length === 0 && !rule.clusterScope) {
    const detail = "resource rules that are not cluster scoped must supply at least one namespace";
    return [...errors, required(at, detail)];
  }
  if (namespaces.includes("*")) return [...errors, ...validateAlone(namespaces, at, "namespaces")];
  const intro = "each member of this list must be '*' or a DNS-1123 label; ";
  for (const [index, name] of namespaces.entries()) {
    for (const problem of labelNameProblems(name, false)) {
      errors.push(invalid(at.index(index), name, intro + problem));
    }
  }
  return errors;
}

/** Validates a FlowSchema's rule about requests that address no resource. */
export function validateNonResourceRule(rule: NonResourceRule, path: FieldPath): FieldError[] {
  const errors = validateVerbs(rule.verbs ?? [], path);
  const paths = rule.nonResourceURLs ?? [];
  const at = path.child("nonResourceURLs");
  if (paths.length === 0) {
    return [...errors, required(at, "nonResourceURLs must contain at least one value")];
  }
  if (paths.includes("*")) return [...errors, ...validateAlone(paths, at, "non-resource URLs")];
  for (const [index, text] of paths.entries()) {
    const problem = pathProblem(text);
    if (problem !== undefined) errors.push(invalid(at.index(index), text, problem));
  }
  return errors;
}

function validateVerbs(verbs: readonly string[], path: FieldPath): FieldError[] {
  const at = path.child("verbs");
  if (verbs.length === 0) return [required(at, "verbs must contain at least one value")];
  if (verbs.includes("*")) return validateAlone(verbs, at, "verbs");
  return verbs.every((verb) => RULE_VERBS.includes(verb))
    ? []
    : [notSupported(at, verbs, RULE_VERBS)];
}

function validateNames(names: readonly string[], path: FieldPath, what: string): FieldError[] {
  if (names.length === 0) {
    return [required(path, `resource rules must supply at least one ${what}`)];
  }
  return names.includes("*") ? validateAlone(names, path, `${what}s`) : [];
}

/**
 * Checks that the wildcard `*`, which a list in a FlowSchema's rule contains, is its only entry.
 * Returns the field errors.
 */
function validateAlone(list: readonly string[], path: FieldPath, what: string): FieldError[] {
  if (list.length === 1) return [];
  return [invalid(path, list, `if '*' is present, must not specify other ${what}`)];
}

function pathProblem(path: string): string | undefined {
  if (path === "") return "must not be empty";
  if (path === "/") return undefined;
  if (!path.startsWith("/")) return "must start with slash";
  if (path.includes(" ")) return "must not contain white-space";
  if (path.includes("//")) return "must not contain double slash";
  const star = path.indexOf("*");
  const isSuffix = star === path.length - 1 && path.endsWith("/*");
  return star === -1 || isSuffix ? undefined : "wildcard can only do suffix matching";
}
