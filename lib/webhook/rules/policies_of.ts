// Mirrors k8s.io/api/admissionregistration/v1/types.go, ValidatingAdmissionPolicy.
import type {
  V1ValidatingAdmissionPolicy,
  V1ValidatingAdmissionPolicyBinding,
  V1Validation,
} from "@xca/apimachinery/kubernetes-types";
import { isDnsSubdomain } from "@xca/apimachinery/internal/meta";
import { isDefinedBy } from "../../controller/definition/crd_rules.ts";
import type { Operator } from "../../controller/definition/operator_definition.ts";
import type {
  ObjectRule,
  OperatorWebhook,
  RuleParameters,
} from "../../controller/definition/operator_webhook.ts";
import { policyExpression, refersTo } from "./policy_expression.ts";
import { parameterRefOf } from "./rule_parameters.ts";

/** The reasons for refusals in admission policies, by the reasons in CEL rules of definitions. */
const REASONS: Readonly<Record<NonNullable<ObjectRule["reason"]>, string>> = {
  FieldValueInvalid: "Invalid",
  FieldValueRequired: "Invalid",
  FieldValueForbidden: "Forbidden",
};

/**
 * Returns the ValidatingAdmissionPolicies of an operator, each followed by its binding: one for
 * each of the operator's webhooks that has rules in CEL for a kind that no CustomResourceDefinition
 * of the operator defines, such as a Pod, and one for each that has rules with parameters. The name
 * of a policy and of its binding follows from the operator, the resource and the use of parameters.
 * The API server evaluates the policies on creations and updates, without a webhook server.
 *
 * @throws {TypeError} When the name of the operator cannot be part of the name of an object, or two
 * webhooks of one resource have rules whose policies would have one name.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { controllerFor, defineOperator, Deployment } from "@xca/operator";
 * import { policiesOf, webhookFor } from "@xca/operator/webhook";
 *
 * const operator = defineOperator({
 *   name: "limiter",
 *   controllers: [controllerFor(Deployment).reconcile(() => {})],
 *   webhooks: [
 *     webhookFor(Deployment).rule("self.spec.replicas <= 10", { message: "at most ten" }),
 *   ],
 * });
 * const [policy, binding] = policiesOf(operator);
 * assert.equal(policy?.metadata.name, "limiter-deployments.v1.apps");
 * assert.equal(binding?.kind, "ValidatingAdmissionPolicyBinding");
 * ```
 */
export function policiesOf(
  { name, webhooks, crds }: Pick<Operator, "name" | "webhooks" | "crds">,
): (V1ValidatingAdmissionPolicy | V1ValidatingAdmissionPolicyBinding)[] {
  const names = new Set<string>();
  return webhooks.flatMap((webhook) => {
    const isDefined = crds.some((crd) => isDefinedBy(webhook, crd));
    const [withParameters, others] = partition(webhook.rules);
    const rules = isDefined ? [] : others;
    if (rules.length + withParameters.length === 0) return [];
    const policyName = `${name}-${webhook.type.id}`;
    if (!isDnsSubdomain(policyName)) {
      throw new TypeError(
        `Cannot name the policy of operator ${JSON.stringify(name)}: ` +
          `the name of the operator must consist of lower-case letters, digits and dashes`,
      );
    }
    const { parameters } = webhook.ruleScope;
    const groups = [
      { rules, named: policyName, what: "rules" },
      {
        rules: withParameters,
        named: `${policyName}.parameters`,
        what: "rules with parameters",
        parameters,
      },
    ];
    return groups.filter((group) => group.rules.length > 0)
      .flatMap(({ rules, named, what, parameters }) => {
        if (names.has(named)) {
          throw new TypeError(
            `Cannot generate the policies of operator ${name}: two webhooks have ${what} for ` +
              `${webhook.type.id}; put the rules into one webhookFor(...)`,
          );
        }
        names.add(named);
        return [policyOf(named, webhook, rules, parameters), bindingOf(named, parameters)];
      });
  });
}

/**
 * Splits rules into those with parameters and the others. Each group has its own policy, so that
 * missing parameters do not refuse objects because of rules without parameters.
 */
function partition(
  rules: readonly ObjectRule[],
): readonly [withParameters: readonly ObjectRule[], others: readonly ObjectRule[]] {
  const hasParameters = ({ usesParameters }: ObjectRule): boolean => usesParameters === true;
  return [rules.filter(hasParameters), rules.filter((rule) => !hasParameters(rule))];
}

function policyOf(
  name: string,
  { type, ruleScope }: OperatorWebhook,
  rules: readonly ObjectRule[],
  parameters?: RuleParameters,
): V1ValidatingAdmissionPolicy {
  const { failurePolicy, matchPolicy, versions, matchConditions } = ruleScope;
  const { namespaceSelector, objectSelector } = ruleScope;
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: {
      failurePolicy,
      ...(parameters && {
        paramKind: { apiVersion: parameters.type.apiVersion, kind: parameters.type.kind },
      }),
      matchConstraints: {
        matchPolicy,
        ...(namespaceSelector &&
          { namespaceSelector: structuredClone(namespaceSelector) as object }),
        ...(objectSelector && { objectSelector: structuredClone(objectSelector) as object }),
        resourceRules: [{
          apiGroups: [type.group],
          apiVersions: [...versions],
          operations: ["CREATE", "UPDATE"],
          resources: [type.plural],
          scope: type.scope,
        }],
      },
      ...(matchConditions.length > 0 && {
        matchConditions: matchConditions.map((each) => ({ ...each })),
      }),
      validations: rules.map(validationOf),
    },
  };
}

function validationOf(
  { rule, message, messageExpression, reason, fieldPath }: ObjectRule,
): V1Validation {
  const expression = policyExpression(rule);
  return {
    // A rule of a CustomResourceDefinition that refers to the old object is skipped on creations.
    expression: refersTo(rule, "oldSelf") ? `oldObject == null || (${expression})` : expression,
    message: fieldPath === undefined ? message : `${fieldPath.replace(/^\./, "")}: ${message}`,
    ...(messageExpression !== undefined && {
      messageExpression: policyExpression(messageExpression),
    }),
    reason: REASONS[reason ?? "FieldValueInvalid"],
  };
}

function bindingOf(
  name: string,
  parameters?: RuleParameters,
): V1ValidatingAdmissionPolicyBinding {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: {
      policyName: name,
      ...(parameters && { paramRef: parameterRefOf(parameters) }),
      validationActions: ["Deny"],
    },
  };
}
