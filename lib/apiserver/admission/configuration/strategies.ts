// Mirrors `registry/admissionregistration/validatingadmissionpolicy/strategy.go,
// validatingAdmissionPolicyStrategy` and its siblings.
import { type ApiObject, type Json, jsonEqual } from "@xca/apimachinery/internal/values";
import { keepMetadata } from "../../machinery/keep_metadata.ts";
import type { KindStrategy, Steps } from "../../machinery/strategy.ts";
import { type ExpressionCode, EXPRESSIONS } from "../expression_code.ts";
import { bindingDefaults, policyDefaults, webhookDefaults } from "./defaults.ts";
import { validateMutatingBinding, validateMutatingPolicy } from "./mutating_policy_validation.ts";
import { validateBinding, validatePolicy } from "./policy_validation.ts";
import { reviewWarnings } from "./review_warnings.ts";
import { validateWebhooks } from "./webhook_validation.ts";

/**
 * Returns the strategy (defaults, validation, preparation) of a kind whose `metadata.generation`
 * increases with each change of one field, such as `spec`.
 */
function counting(
  field: string,
  defaults: (object: ApiObject) => void,
  validate: (code: ExpressionCode, object: ApiObject, old?: ApiObject) => Steps,
  warnings?: KindStrategy["warnings"],
): KindStrategy {
  return {
    ...(warnings && { warnings }),
    defaults,
    prepareForCreate: (object) => {
      object.metadata.generation = 1;
    },
    prepareForUpdate: (object, old) => {
      const isSame = jsonEqual(object[field] as Json, old[field] as Json);
      const { generation = 0 } = old.metadata;
      object.metadata.generation = isSame ? generation : generation + 1;
    },
    validateCreate: (object) => EXPRESSIONS.use((code) => validate(code, object)),
    validateUpdate: (object, old) => EXPRESSIONS.use((code) => validate(code, object, old)),
    allowUnconditionalUpdate: false,
  };
}

const policy = counting("spec", policyDefaults, validatePolicy);

/**
 * The strategies of webhook configurations, admission policies and policy bindings, by
 * `kind.group`.
 */
export const ADMISSION_STRATEGIES: Readonly<Record<string, KindStrategy>> = {
  "ValidatingWebhookConfiguration.admissionregistration.k8s.io": counting(
    "webhooks",
    webhookDefaults(false),
    (code, object, old) => validateWebhooks(code, object, old, false),
    reviewWarnings,
  ),
  "MutatingWebhookConfiguration.admissionregistration.k8s.io": counting(
    "webhooks",
    webhookDefaults(true),
    (code, object, old) => validateWebhooks(code, object, old, true),
    reviewWarnings,
  ),
  "ValidatingAdmissionPolicy.admissionregistration.k8s.io": {
    ...policy,
    prepareForCreate: (object, context, registry) => {
      policy.prepareForCreate!(object, context, registry);
      object["status"] = {};
    },
    prepareForUpdate: (object, old, context, registry) => {
      object["status"] = old["status"];
      policy.prepareForUpdate!(object, old, context, registry);
    },
    status: {
      prepareForUpdate: (object, old) => {
        object["spec"] = old["spec"];
        keepMetadata(object, old);
      },
    },
  },
  "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io": counting(
    "spec",
    bindingDefaults,
    (_code, object) => validateBinding(object),
  ),
  "MutatingAdmissionPolicy.admissionregistration.k8s.io": counting(
    "spec",
    policyDefaults,
    validateMutatingPolicy,
  ),
  "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io": counting(
    "spec",
    bindingDefaults,
    (_code, object) => validateMutatingBinding(object),
  ),
};
