import {
  declared,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  invalidForEach,
  pathSegmentNameProblems,
  selectorHasInvalidValue,
  subdomainNameProblems,
  validateLabelSelector,
} from "@xca/apimachinery/internal/validation";
import type {
  V1ClusterRole,
  V1ClusterRoleBinding,
  V1Role,
  V1RoleBinding,
} from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { IMMUTABLE } from "../../validation/immutable.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

/** The API group of roles and their bindings. */
const RBAC_GROUP = "rbac.authorization.k8s.io";

type PolicyRule = NonNullable<V1Role["rules"]>[number];
type Subject = NonNullable<V1RoleBinding["subjects"]>[number];
type Binding = V1RoleBinding | V1ClusterRoleBinding;

/**
 * The strategy of Roles, which sets defaults and validates writes (registry/rbac/role, `Strategy`).
 */
export const roleStrategy: KindStrategy = typedStrategy<V1Role>({
  defaults: showRules,
  validateCreate: (role) => validateRules(role.rules, true),
  validateUpdate: (role) => validateRules(role.rules, true),
  validateName: pathSegmentNameProblems,
  allowCreateOnUpdate: true,
});

/**
 * The strategy of ClusterRoles, which sets defaults and validates writes
 * (registry/rbac/clusterrole, `Strategy`).
 */
export const clusterRoleStrategy: KindStrategy = typedStrategy<V1ClusterRole>({
  defaults: showRules,
  validateCreate: (role) => validateClusterRole(role, false),
  validateUpdate(role, old) {
    const selectors = old.aggregationRule?.clusterRoleSelectors ?? [];
    return validateClusterRole(role, selectors.some(selectorHasInvalidValue));
  },
  validateName: pathSegmentNameProblems,
  allowCreateOnUpdate: true,
});

/**
 * The strategy of RoleBindings, which sets defaults and validates writes
 * (registry/rbac/rolebinding, `Strategy`).
 */
export const roleBindingStrategy: KindStrategy = bindingStrategy(true, ["Role", "ClusterRole"]);

/**
 * The strategy of ClusterRoleBindings, which sets defaults and validates writes
 * (registry/rbac/clusterrolebinding, `Strategy`).
 */
export const clusterRoleBindingStrategy: KindStrategy = bindingStrategy(false, ["ClusterRole"]);

/** Sets absent rules of a role to `null`, since kube-apiserver's output never omits the list. */
function showRules(role: V1Role | V1ClusterRole): void {
  const open: { rules?: unknown } = role;
  if (!Array.isArray(open.rules)) open.rules = null;
}

function validateClusterRole(role: V1ClusterRole, allowInvalidValues: boolean): FieldError[] {
  const errors = validateRules(role.rules, false);
  if (!role.aggregationRule) return errors;
  const path = FieldPath.of("aggregationRule", "clusterRoleSelectors");
  const selectors = role.aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0) {
    const detail = "at least one clusterRoleSelector required if aggregationRule is non-nil";
    errors.push(required(path, detail));
  }
  for (const [index, selector] of selectors.entries()) {
    const at = path.index(index);
    errors.push(...validateLabelSelector(selector, at, { allowInvalidValues }));
    // kube-apiserver also fails to convert an invalid selector, and reports this failure as a
    // second error.
    if (validateLabelSelector(selector, at).length > 0) {
      errors.push(invalid(at, null, "invalid label selector."));
    }
  }
  return errors;
}

function validateRules(
  rules: readonly PolicyRule[] | undefined,
  namespaced: boolean,
): FieldError[] {
  return (rules ?? []).flatMap((rule, index) =>
    validateRule(rule, namespaced, FieldPath.of("rules").index(index))
  );
}

function validateRule(rule: PolicyRule, namespaced: boolean, path: FieldPath): FieldError[] {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  // The list may be `null`: kube-apiserver's output never omits it, and shows an empty list as
  // `null`.
  const verbs = rule.verbs ?? [];
  const errors: FieldError[] = [];
  const missing = (field: string, detail: string): void =>
    void errors.push(required(path.child(field), detail));
  const refuse = (detail: string): void =>
    void errors.push(invalid(path.child("nonResourceURLs"), nonResourceURLs, detail));
  if (verbs.length === 0) errors.push(...declared(required(path.child("verbs"))));
  if (nonResourceURLs.length > 0) {
    if (namespaced) refuse("namespaced rules cannot apply to non-resource URLs");
    if (apiGroups.length + resources.length + resourceNames.length > 0) {
      refuse("rules cannot apply to both regular resources and non-resource URLs");
    }
    return errors;
  }
  if (apiGroups.length === 0) {
    missing("apiGroups", "resource rules must supply at least one api group");
  }
  if (resources.length === 0) {
    missing("resources", "resource rules must supply at least one resource");
  }
  return errors;
}

function bindingStrategy(namespaced: boolean, kinds: readonly string[]): KindStrategy {
  const validate = (binding: Binding): FieldError[] => {
    const ofRole = validateRoleRef(binding.roleRef, kinds);
    return [
      ...ofRole.filter((error) => !error.declared),
      ...(binding.subjects ?? []).flatMap((subject, index) =>
        validateSubject(subject, namespaced, FieldPath.of("subjects").index(index))
      ),
      // Declarative rules check the subjects before the `roleRef`, in the order of the type's
      // fields.
      ...ofRole.filter((error) => error.declared),
    ];
  };
  return typedStrategy<Binding>({
    defaults(binding) {
      const roleRef = binding.roleRef ??= { apiGroup: "", kind: "", name: "" };
      roleRef.apiGroup ||= RBAC_GROUP;
      for (const subject of binding.subjects ?? []) {
        if (subject.kind === "User" || subject.kind === "Group") subject.apiGroup ||= RBAC_GROUP;
      }
    },
    validateCreate: validate,
    validateUpdate: (binding, old) => [...validate(binding), ...validateSameRole(binding, old)],
    validateName: pathSegmentNameProblems,
    allowCreateOnUpdate: true,
  });
}

function validateRoleRef(
  { apiGroup, kind, name }: Binding["roleRef"],
  kinds: readonly string[],
): FieldError[] {
  const path = FieldPath.of("roleRef");
  const errors: FieldError[] = [];
  if (apiGroup !== RBAC_GROUP) {
    errors.push(notSupported(path.child("apiGroup"), apiGroup, [RBAC_GROUP]));
  }
  if (!kinds.includes(kind)) errors.push(notSupported(path.child("kind"), kind ?? "", kinds));
  if (!name) errors.push(...declared(required(path.child("name"))));
  else {
    errors.push(...invalidForEach(path.child("name"), name, pathSegmentNameProblems(name, false)));
  }
  return errors;
}

function validateSameRole({ roleRef }: Binding, { roleRef: old }: Binding): FieldError[] {
  const same = roleRef.apiGroup === old.apiGroup && roleRef.kind === old.kind &&
    roleRef.name === old.name;
  if (same) return [];
  const shown = { APIGroup: roleRef.apiGroup, Kind: roleRef.kind, Name: roleRef.name };
  return [invalid(FieldPath.of("roleRef"), shown, IMMUTABLE)];
}

function validateSubject(
  { kind = "", name = "", namespace = "", apiGroup = "" }: Subject,
  namespaced: boolean,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (name === "") errors.push(...declared(required(path.child("name"))));
  if (kind === "ServiceAccount") {
    if (name !== "") {
      const problems = subdomainNameProblems(name, false);
      errors.push(...invalidForEach(path.child("name"), name, problems));
    }
    if (apiGroup !== "") errors.push(notSupported(path.child("apiGroup"), apiGroup, [""]));
    if (!namespaced && namespace === "") errors.push(required(path.child("namespace")));
  } else if (kind === "User" || kind === "Group") {
    if (apiGroup !== RBAC_GROUP) {
      errors.push(notSupported(path.child("apiGroup"), apiGroup, [RBAC_GROUP]));
    }
  } else {
    errors.push(notSupported(path.child("kind"), kind, ["ServiceAccount", "User", "Group"]));
  }
  return errors;
}
