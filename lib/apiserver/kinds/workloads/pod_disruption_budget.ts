import {
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
} from "@xca/apimachinery/internal/errors";
import {
  pathSegmentNameProblems,
  validateLabelSelector,
} from "@xca/apimachinery/internal/validation";
import type {
  V1PodDisruptionBudgetSpec,
  V1PodDisruptionBudgetStatus,
} from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import { validateConditions } from "../../validation/conditions.ts";
import type { Loose } from "../../validation/fields.ts";
import { sameValue } from "../../validation/immutable.ts";
import { type IntOrPercent, validateAtMostAll, validateIntOrPercent } from "./int_or_percent.ts";
import { internalForm } from "../pods/common/internal_form.ts";
import type { Meta } from "../pods/common/pod_types.ts";
import { STATUS, validateCounts } from "./replica_counts.ts";
import { keepSpec, keepStatus } from "../pods/template_object.ts";

type Spec = Loose<V1PodDisruptionBudgetSpec>;

interface PodDisruptionBudget {
  metadata: Meta;
  spec: Spec;
  status?: Loose<V1PodDisruptionBudgetStatus>;
}

const SPEC = FieldPath.of("spec");
const NO_PODS = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };

/**
 * The strategy of PodDisruptionBudgets, which sets defaults, prepares objects for storage and
 * validates writes (registry/policy/poddisruptionbudget, `Strategy`).
 */
export const podDisruptionBudgetStrategy: KindStrategy = typedStrategy<PodDisruptionBudget>({
  metadataOfUpdate: "none",
  defaults(object) {
    object.spec ??= {};
    object.status ??= { ...NO_PODS };
  },
  prepareForCreate(object) {
    object["status"] = { ...NO_PODS };
    object.metadata.generation = 1;
  },
  validateCreate: (object) => validateSpec(object.spec, false),
  prepareForUpdate(object, old) {
    const { metadata, spec } = object;
    keepStatus(object, old);
    if (!sameValue(spec, old.spec)) metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validateUpdate(object, old) {
    const { selector } = old.spec;
    const wasInvalid = validateLabelSelector(selector, SPEC).length > 0;
    return validateSpec(object.spec, wasInvalid);
  },
  status: {
    prepareForUpdate: keepSpec,
    validateUpdate(object) {
      const { status = {} } = object;
      return [
        ...validateConditions(status.conditions, STATUS.child("conditions")),
        ...validateCounts(status, Object.keys(NO_PODS)),
      ];
    },
  },
  validateName: pathSegmentNameProblems,
  allowUnconditionalUpdate: false,
  resetFields: [["status"]],
  statusResetFields: [["spec"]],
});

function validateSpec(spec: Spec, allowInvalidValues: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    const shown = internalForm("PodDisruptionBudgetSpec", spec);
    errors.push(invalid(SPEC, shown, "minAvailable and maxUnavailable cannot be both set"));
  }
  for (const field of ["minAvailable", "maxUnavailable"] as const) {
    const value = spec[field] as IntOrPercent | undefined;
    if (value === undefined) continue;
    errors.push(...validateIntOrPercent(value, SPEC.child(field)));
    errors.push(...validateAtMostAll(value, SPEC.child(field)));
  }
  const selector = SPEC.child("selector");
  errors.push(...validateLabelSelector(spec.selector, selector, { allowInvalidValues }));
  const policies = ["AlwaysAllow", "IfHealthyBudget"];
  const policy = spec.unhealthyPodEvictionPolicy;
  if (policy !== undefined && !policies.includes(policy)) {
    errors.push(notSupported(SPEC.child("unhealthyPodEvictionPolicy"), policy, policies));
  }
  return errors;
}
