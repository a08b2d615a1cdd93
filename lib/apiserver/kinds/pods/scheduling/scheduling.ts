import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  dnsLabelProblems,
  invalidForEach,
  labelValueProblems,
  qualifiedNameProblems,
  validateLabelKey,
  validateLabelSelector,
} from "@xca/apimachinery/internal/validation";
import { validateLabelKeys, validateSeparateLabelKeys } from "../common/label_keys.ts";
import { validateNodeAffinity, validateWeight } from "./node_affinity.ts";
import type { PodRules } from "../common/pod_rules.ts";
import type { PodSpec, Toleration } from "../common/pod_types.ts";

type Affinity = NonNullable<PodSpec["affinity"]>;
type PodAffinity = NonNullable<Affinity["podAffinity"]>;
type PodTerm = NonNullable<
  PodAffinity["requiredDuringSchedulingIgnoredDuringExecution"]
>[number];
type Spread = NonNullable<PodSpec["topologySpreadConstraints"]>[number];

const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Validates the tolerations of a pod (`core/validation/validation.go`, `ValidateTolerations`). */
export function validateTolerations(
  tolerations: readonly Toleration[],
  path: FieldPath,
): FieldError[] {
  return tolerations.flatMap((toleration, index) =>
    validateToleration(toleration, path.index(index))
  );
}

function validateToleration(toleration: Toleration, path: FieldPath): FieldError[] {
  const { key = "", operator = "", value = "", effect = "", tolerationSeconds } = toleration;
  const errors = key === "" ? [] : validateLabelKey(key, path.child("key"));
  const at = path.child("operator");
  if (key === "" && operator !== "Exists") {
    const detail = 'operator must be Exists when `key` is empty, which means "match all values ' +
      'and all keys"';
    errors.push(invalid(at, operator, detail));
  }
  if (tolerationSeconds !== undefined && effect !== "NoExecute") {
    const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
    errors.push(invalid(path.child("effect"), effect, detail));
  }
  if (operator === "Equal" || operator === "") {
    const problems = labelValueProblems(value);
    if (problems.length > 0) errors.push(invalid(at, value, problems.join(";")));
  } else if (operator === "Exists") {
    if (value !== "") {
      errors.push(invalid(at, value, "value must be empty when `operator` is 'Exists'"));
    }
  } else if (operator === "Lt" || operator === "Gt") {
    errors.push(notSupported(at, operator, ["Equal", "Exists", "Lt", "Gt"]));
  } else errors.push(notSupported(at, operator, ["Equal", "Exists"]));
  if (effect !== "" && !EFFECTS.includes(effect)) {
    errors.push(notSupported(path.child("effect"), effect, EFFECTS));
  }
  return errors;
}

/** Validates the affinity and anti-affinity of a pod. */
export function validateAffinity(
  affinity: Affinity | undefined,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  if (!affinity) return [];
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  const allowed = rules.allowInvalidNodeAffinityValues;
  return [
    ...nodeAffinity ? validateNodeAffinity(nodeAffinity, path.child("nodeAffinity"), allowed) : [],
    ...validatePodAffinity(podAffinity, path.child("podAffinity"), rules),
    ...validatePodAffinity(podAntiAffinity, path.child("podAntiAffinity"), rules),
  ];
}

function validatePodAffinity(
  affinity: PodAffinity | undefined,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  const needed = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const neededPath = path.child("requiredDuringSchedulingIgnoredDuringExecution");
  const preferredPath = path.child("preferredDuringSchedulingIgnoredDuringExecution");
  return [
    ...needed.flatMap((term, index) => validatePodTerm(term, neededPath.index(index), rules)),
    ...preferred.flatMap(({ weight = 0, podAffinityTerm = {} }, index) => {
      const at = preferredPath.index(index);
      return [
        ...validateWeight(weight, at.child("weight")),
        ...validatePodTerm(podAffinityTerm, at.child("podAffinityTerm"), rules),
      ];
    }),
  ];
}

function validatePodTerm(term: PodTerm, path: FieldPath, rules: PodRules): FieldError[] {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey = "" } = term;
  const options = { allowInvalidValues: rules.allowInvalidSelectorValues };
  const at = path.child("topologyKey");
  return [
    ...validateLabelSelector(labelSelector, path.child("labelSelector"), options),
    ...validateLabelSelector(namespaceSelector, path.child("namespaceSelector"), options),
    ...namespaces.flatMap((name) =>
      invalidForEach(path.child("namespace"), name, dnsLabelProblems(name))
    ),
    ...validateLabelKeys(term, path),
    ...topologyKey === "" ? [required(at, "can not be empty")] : [],
    ...validateLabelKey(topologyKey, at),
  ];
}

/**
 * Validates the topology spread constraints of a pod; their label selectors not if a stored one is
 * invalid.
 */
export function validateSpreadConstraints(
  constraints: readonly Spread[],
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  return constraints.flatMap((constraint, index) => {
    const at = path.index(index);
    const { topologyKey = "", whenUnsatisfiable = "", maxSkew = 0 } = constraint;
    const errors: FieldError[] = [];
    if (maxSkew <= 0) {
      errors.push(invalid(at.child("maxSkew"), maxSkew, "must be greater than zero"));
    }
    if (topologyKey === "") errors.push(required(at.child("topologyKey"), "can not be empty"));
    errors.push(
      ...oneOf(whenUnsatisfiable, ["DoNotSchedule", "ScheduleAnyway"], at, "whenUnsatisfiable"),
    );
    const again = constraints.slice(index + 1).some((other) =>
      (other.topologyKey ?? "") === topologyKey &&
      (other.whenUnsatisfiable ?? "") === whenUnsatisfiable
    );
    if (again) {
      const shown = `{${topologyKey}, ${whenUnsatisfiable}}`;
      errors.push(duplicate(at.child("{topologyKey, whenUnsatisfiable}"), shown));
    }
    errors.push(...validateMinDomains(constraint, at.child("minDomains")));
    for (const field of ["nodeAffinityPolicy", "nodeTaintsPolicy"] as const) {
      const policy = constraint[field];
      if (policy !== undefined) errors.push(...oneOf(policy, ["Honor", "Ignore"], at, field));
    }
    errors.push(
      ...rules.oldMatchLabelKeys
        ? validateSeparateLabelKeys(constraint, at.child("matchLabelKeys"))
        : validateLabelKeys(constraint, at),
    );
    if (rules.allowInvalidSpreadSelector) return errors;
    const selectorPath = at.child("labelSelector");
    return [...errors, ...validateLabelSelector(constraint.labelSelector, selectorPath)];
  });
}

function oneOf(
  value: string,
  supported: readonly string[],
  path: FieldPath,
  field: string,
): FieldError[] {
  return supported.includes(value) ? [] : [notSupported(path.child(field), value, supported)];
}

function validateMinDomains(
  { minDomains, whenUnsatisfiable = "" }: Spread,
  path: FieldPath,
): FieldError[] {
  if (minDomains === undefined) return [];
  const errors = minDomains <= 0 ? [invalid(path, minDomains, "must be greater than zero")] : [];
  if (whenUnsatisfiable !== "DoNotSchedule") {
    const detail = "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " +
      whenUnsatisfiable;
    errors.push(invalid(path, minDomains, detail));
  }
  return errors;
}

/** Validates the scheduling gates of a pod. */
export function validateSchedulingGates(
  gates: NonNullable<PodSpec["schedulingGates"]>,
  path: FieldPath,
): FieldError[] {
  const seen = new Set<string>();
  return gates.flatMap(({ name = "" }, index) => {
    const at = path.index(index);
    const errors = invalidForEach(at, name, qualifiedNameProblems(name));
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
    return errors;
  });
}
