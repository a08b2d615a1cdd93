import {
  type FieldError,
  FieldPath,
  forbiddenField,
  notSupported,
} from "@xca/apimachinery/internal/errors";
import type { V1PriorityClass } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { validateImmutable } from "../../validation/immutable.ts";
import { beginGeneration } from "./generation.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

const MAX_VALUE = 1_000_000_000;
const SYSTEM_PREFIX = "system-";
const SYSTEM_VALUES: Readonly<Record<string, number>> = {
  "system-cluster-critical": 2_000_000_000,
  "system-node-critical": 2_000_001_000,
};
const POLICIES = ["PreemptLowerPriority", "Never"];

/**
 * The strategy of PriorityClasses, which sets defaults, prepares objects for storage and validates
 * writes (registry/scheduling/priorityclass, `Strategy`).
 */
export const priorityClassStrategy: KindStrategy = typedStrategy<V1PriorityClass>({
  defaults(object) {
    object.preemptionPolicy ??= "PreemptLowerPriority";
    object.value ??= 0;
  },
  prepareForCreate: beginGeneration,
  validateCreate: validate,
  validateUpdate(object, old) {
    const errors: FieldError[] = [];
    if (object.value !== old.value) {
      errors.push(forbiddenField(FieldPath.of("value"), "may not be changed in an update."));
    }
    const path = FieldPath.of("preemptionPolicy");
    errors.push(...validateImmutable(object.preemptionPolicy, old.preemptionPolicy, path));
    return errors;
  },
  metadataOfUpdate: "change",
});

function validate(object: V1PriorityClass): FieldError[] {
  const errors: FieldError[] = [];
  const { metadata: { name = "" }, value = 0, preemptionPolicy: policy = "" } = object;
  if (name.startsWith(SYSTEM_PREFIX)) {
    const problem = systemProblem(object);
    if (problem !== undefined) {
      const detail = `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for ` +
        `system use only. error: ${problem}`;
      errors.push(forbiddenField(FieldPath.of("metadata", "name"), detail));
    }
  } else if (value > MAX_VALUE) {
    const detail = `maximum allowed value of a user defined priority is ${MAX_VALUE}`;
    errors.push(forbiddenField(FieldPath.of("value"), detail));
  }
  if (!POLICIES.includes(policy)) {
    errors.push(notSupported(FieldPath.of("preemptionPolicy"), policy, POLICIES));
  }
  return errors;
}

function systemProblem({ metadata, value, globalDefault }: V1PriorityClass): string | undefined {
  const name = metadata.name!;
  const expected = SYSTEM_VALUES[name];
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  if (globalDefault) return `globalDefault of ${name} PriorityClass must be false`;
  return undefined;
}
