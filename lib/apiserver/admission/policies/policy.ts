import type { LabelSelectorFields } from "@xca/apimachinery/internal/validation";
import type { MatchCondition, MatchRule } from "../webhooks/hook.ts";

/**
 * The field `matchConstraints` of an admission policy or `matchResources` of a policy binding: the
 * writes that it matches.
 */
export interface MatchResources {
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelectorFields;
  readonly objectSelector?: LabelSelectorFields;
  readonly resourceRules?: readonly MatchRule[];
  readonly excludeResourceRules?: readonly MatchRule[];
}

/** A validation of a ValidatingAdmissionPolicy: an entry of `spec.validations`. */
export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

/**
 * An entry of an admission policy's `spec.variables`: a named expression that other expressions can
 * use.
 */
export interface PolicyVariable {
  readonly name: string;
  readonly expression: string;
}

/** The `spec` of a ValidatingAdmissionPolicy. */
export interface PolicySpec {
  readonly paramKind?: { readonly apiVersion: string; readonly kind: string };
  readonly matchConstraints?: MatchResources;
  readonly matchConditions?: readonly MatchCondition[];
  readonly variables?: readonly PolicyVariable[];
  readonly validations?: readonly Validation[];
  readonly auditAnnotations?: readonly {
    readonly key: string;
    readonly valueExpression: string;
  }[];
  readonly failurePolicy?: string;
}

/** The field `paramRef` of a policy binding, which selects the parameter objects. */
export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelectorFields;
  readonly parameterNotFoundAction?: string;
}

/**
 * The `spec` of a ValidatingAdmissionPolicyBinding, or of a MutatingAdmissionPolicyBinding, which
 * has no `validationActions`.
 */
export interface BindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
  readonly validationActions?: readonly string[];
}

/** An entry of a MutatingAdmissionPolicy's `spec.mutations`. */
export interface Mutation {
  readonly patchType?: string;
  readonly jsonPatch?: { readonly expression?: string };
  readonly applyConfiguration?: { readonly expression?: string };
}

/** The `spec` of a MutatingAdmissionPolicy. */
export interface MutatingPolicySpec extends Omit<PolicySpec, "validations" | "auditAnnotations"> {
  readonly mutations?: readonly Mutation[];
  readonly reinvocationPolicy?: string;
}
