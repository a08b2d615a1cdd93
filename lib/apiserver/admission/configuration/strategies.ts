import { type ApiObject, type Json, jsonEqual } from "@xca/apimachinery/internal/values";
import { keepMetadata } from "../../machinery/keep_metadata.ts";
import type { Findings, KindStrategy } from "../../machinery/strategy.ts";
import { bindingDefaults, policyDefaults, webhookDefaults } from "./defaults.ts";
import { validateMutatingBinding, validateMutatingPolicy } from "./mutating_policy_validation.ts";
import { validateBinding, validatePolicy } from "./policy_validation.ts";
import { validateWebhooks } from "./webhook_validation.ts";

/** Returns the strategy of a kind whose generation counts the changes of one field. */
function counting(
  field: string,
  defaults: (object: ApiObject) => void,
  validate: (object: ApiObject, old?: ApiObject) => Findings,
): KindStrategy {
  return {
    defaults,
    prepareForCreate: (object) => {
      object.metadata.generation = 1;
    },
    prepareForUpdate: (object, old) => {
      const isSame = jsonEqual(object[field] as Json, old[field] as Json);
      const { generation = 0 } = old.metadata;
      object.metadata.generation = isSame ? generation : generation + 1;
    },
    validateCreate: (object) => validate(object),
    validateUpdate: (object, old) => validate(object, old),
    allowUnconditionalUpdate: false,
  };
}

const policy = counting("spec", policyDefaults, validatePolicy);

/** The strategies of the kinds that configure admission, by kind and group. */
export const ADMISSION_STRATEGIES: Readonly<Record<string, KindStrategy>> = {
  "ValidatingWebhookConfiguration.admissionregistration.k8s.io": counting(
    "webhooks",
    webhookDefaults(false),
    (object, old) => validateWebhooks(object, old, false),
  ),
  "MutatingWebhookConfiguration.admissionregistration.k8s.io": counting(
    "webhooks",
    webhookDefaults(true),
    (object, old) => validateWebhooks(object, old, true),
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
    (object) => validateBinding(object),
  ),
  "MutatingAdmissionPolicy.admissionregistration.k8s.io": counting(
    "spec",
    policyDefaults,
    (object) => validateMutatingPolicy(object),
  ),
  "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io": counting(
    "spec",
    bindingDefaults,
    (object) => validateMutatingBinding(object),
  ),
};
