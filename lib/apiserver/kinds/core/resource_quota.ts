import { compareQuantities } from "@xca/apimachinery/internal/values";
import { type FieldError, FieldPath, invalid, required } from "@xca/apimachinery/internal/errors";
import type { V1ResourceQuota } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { sameValue } from "../../validation/immutable.ts";
import {
  validateQuantity,
  validateResourceName,
} from "../pods/containers/resource_requirements.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

type Spec = NonNullable<V1ResourceQuota["spec"]>;
type Requirement = NonNullable<NonNullable<Spec["scopeSelector"]>["matchExpressions"]>[number];

const SPEC = FieldPath.of("spec");
const COMPUTE = ["cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"];
const STANDARD = [
  ...COMPUTE,
  "ephemeral-storage",
  "requests.storage",
  "requests.ephemeral-storage",
  "limits.ephemeral-storage",
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "persistentvolumeclaims",
  "configmaps",
  "services.nodeports",
  "services.loadbalancers",
];
/** The standard resources that a ResourceQuota with a scope may limit, by scope. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  Terminating: ["pods", ...COMPUTE],
  NotTerminating: ["pods", ...COMPUTE],
  BestEffort: ["pods"],
  NotBestEffort: ["pods", ...COMPUTE],
  PriorityClass: ["pods", ...COMPUTE],
  CrossNamespacePodAffinity: ["pods", ...COMPUTE],
  VolumeAttributesClass: ["persistentvolumeclaims", "requests.storage"],
};
const EXCLUSIVE = [["BestEffort", "NotBestEffort"], ["Terminating", "NotTerminating"]];
/**
 * The scopes of a ResourceQuota that a scope selector can name with the operator `Exists` only,
 * unlike those with values, such as `PriorityClass`.
 */
const PLAIN = [
  "BestEffort",
  "NotBestEffort",
  "Terminating",
  "NotTerminating",
  "CrossNamespacePodAffinity",
];
const MUST_EXIST = "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, " +
  "ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, " +
  "ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

/**
 * The strategy of ResourceQuotas, which sets defaults, prepares objects for storage and validates
 * writes (registry/core/resourcequota, `Strategy`).
 */
export const resourceQuotaStrategy: KindStrategy = typedStrategy<V1ResourceQuota>({
  defaults(quota) {
    quota.spec ??= {};
    quota.status ??= {};
  },
  prepareForCreate(quota) {
    quota.status = {};
  },
  validateCreate: ({ spec }) => validate(spec!),
  prepareForUpdate(quota, old) {
    quota.status = old.status ?? {};
  },
  validateUpdate({ spec }, old) {
    const errors = validate(spec!);
    const sorted = ({ scopes = [] }: Spec): string[] => [...new Set(scopes)].sort();
    if (sameValue(sorted(spec!), sorted(old.spec!))) return errors;
    return [...errors, invalid(SPEC.child("scopes"), spec!.scopes, "field is immutable")];
  },
  warnings: ({ spec }, old) => old ? [] : warningsOf(spec?.hard ?? {}),
  status: {
    prepareForUpdate(quota, old) {
      quota.spec = old.spec!;
    },
    validateUpdate: ({ status }) =>
      (["hard", "used"] as const).flatMap((list) =>
        validateAmounts(status?.[list] ?? {}, FieldPath.of("status", list))
      ),
  },
  metadataOfUpdate: "change",
});

function isStandard(name: string): boolean {
  return STANDARD.includes(name) || /^(requests\.)?hugepages-/.test(name);
}

function validateAmounts(
  amounts: Readonly<Record<string, string>>,
  path: FieldPath,
): FieldError[] {
  return Object.entries(amounts).flatMap(([name, quantity]) => {
    const at = path.key(name);
    const errors = validateResourceName(name, at);
    if (!name.includes("/") && !isStandard(name)) {
      errors.push(invalid(at, name, "must be a standard resource for quota"));
    }
    return [...errors, ...validateQuantity(name, quantity, at)];
  });
}

function validate(spec: Spec): FieldError[] {
  const { hard = {}, scopes = [], scopeSelector } = spec;
  const errors = validateAmounts(hard, SPEC.child("hard"));
  const names = Object.keys(hard).sort();
  const path = SPEC.child("scopes");
  const refuse = (detail: string): void => void errors.push(invalid(path, scopes, detail));
  for (const scope of scopes) {
    if (!Object.hasOwn(SCOPES, scope)) refuse("unsupported scope");
    for (const name of names) {
      if (!fits(scope, name)) refuse("unsupported scope applied to resource");
    }
  }
  if (excludesItself(scopes)) refuse("conflicting scopes");
  for (const requirement of scopeSelector?.matchExpressions ?? []) {
    errors.push(...validateRequirement(requirement, spec, names));
  }
  const selected = (scopeSelector?.matchExpressions ?? []).map(({ scopeName }) => scopeName);
  if (excludesItself(selected)) {
    const at = SPEC.child("scopeSelector", "matchExpressions");
    errors.push(invalid(at, spec.scopes, "conflicting scopes"));
  }
  return errors;
}

function excludesItself(scopes: readonly string[]): boolean {
  return EXCLUSIVE.some((pair) => pair.every((scope) => scopes.includes(scope)));
}

/**
 * Reports whether a ResourceQuota with a scope may limit a resource. Every scope may limit
 * resources that are not standard, and an unknown scope any resource.
 */
function fits(scope: string, name: string): boolean {
  return !isStandard(name) || (!Object.hasOwn(SCOPES, scope) || SCOPES[scope]!.includes(name));
}

function validateRequirement(
  { scopeName = "", operator = "", values = [] }: Requirement,
  { scopeSelector }: Spec,
  names: readonly string[],
): FieldError[] {
  const path = SPEC.child("scopeSelector", "matchExpressions");
  const errors: FieldError[] = [];
  if (!Object.hasOwn(SCOPES, scopeName)) {
    errors.push(invalid(path.child("scopeName"), scopeName, "unsupported scope"));
  }
  for (const name of names) {
    if (fits(scopeName, name)) continue;
    const shown = {
      MatchExpressions: (scopeSelector?.matchExpressions ?? []).map((each) => ({
        ScopeName: each.scopeName,
        Operator: each.operator,
        Values: each.values ?? null,
      })),
    };
    errors.push(invalid(path, shown, "unsupported scope applied to resource"));
  }
  if (PLAIN.includes(scopeName) && operator !== "Exists") {
    errors.push(invalid(path.child("operator"), operator, MUST_EXIST));
  }
  const at = path.child("values");
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) {
      const detail =
        "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      errors.push(required(at, detail));
    }
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0) {
      const detail =
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      errors.push(invalid(at, values, detail));
    }
  } else errors.push(invalid(path.child("operator"), operator, "not a valid selector operator"));
  return errors;
}

/**
 * Returns a warning for each of cpu, memory, storage and ephemeral storage whose quota of requests
 * exceeds the quota of limits, so that the requests can never use up their quota. The quota `cpu`
 * or `memory` counts as the quota of requests if there is none with the prefix `requests.`.
 */
function warningsOf(hard: Readonly<Record<string, string>>): string[] {
  return ["cpu", "memory", "storage", "ephemeral-storage"].flatMap((resource) => {
    const bare = (resource === "cpu" || resource === "memory") && !(`requests.${resource}` in hard);
    const request = bare ? resource : `requests.${resource}`;
    const limit = `limits.${resource}`;
    const [wanted, most] = [hard[request], hard[limit]];
    if (wanted === undefined || most === undefined || compareQuantities(wanted, most) <= 0) {
      return [];
    }
    return [`ResourceQuota ${request} (${wanted}) should be less than ${limit} (${most})`];
  });
}
