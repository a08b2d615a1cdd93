import type { LabelSelectorSpec, ResourceType } from "@xca/apimachinery/meta";

/** An operation of the API server on an object, as a webhook registers for it. */
export type WebhookOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** A condition in CEL that a request must meet for the API server to call a webhook. */
export interface WebhookMatchCondition {
  /** The name of the match condition, unique among those of its webhook. */
  readonly name: string;
  /** The CEL expression of the match condition, over `object`, `oldObject` and `request`. */
  readonly expression: string;
}

/** The resources and operations of one webhook (k8s.io/api/admissionregistration/v1, RuleWithOperations). */
export interface WebhookMatch {
  /** The API groups of the resources that the webhook is called for. */
  readonly apiGroups: readonly string[];
  /** The API versions that handlers of the webhook understand. */
  readonly apiVersions: readonly string[];
  /** The resources of the webhook: a plural, or a plural and a subresource, as `deployments/scale`. */
  readonly resources: readonly string[];
  /** The operations that the webhook is called for. */
  readonly operations: readonly WebhookOperation[];
  /** The scope of the resources that the webhook is called for. */
  readonly scope: "Namespaced" | "Cluster" | "*";
}

/**
 * One webhook as the API server has to know it: the data of an entry of a
 * MutatingWebhookConfiguration or a ValidatingWebhookConfiguration, without the address and the
 * authority of the server.
 */
export interface WebhookRegistration {
  /** The kind of configuration that the webhook belongs to. */
  readonly kind: "mutating" | "validating";
  /** The name of the webhook, a domain of three parts or more: `validate.pods.v1`. */
  readonly name: string;
  /** The path of the webhook on its server, as `/validate--v1-pod`. */
  readonly path: string;
  /** The resources and operations of the webhook. */
  readonly match: WebhookMatch;
  /** Whether the API server refuses a request when the webhook cannot be called (`Fail`), or goes on. */
  readonly failurePolicy: "Fail" | "Ignore";
  /** Whether handlers of the webhook change anything outside of the object. */
  readonly sideEffects: "None" | "NoneOnDryRun";
  /** Whether requests in other versions of the resource are converted for the webhook. */
  readonly matchPolicy: "Equivalent" | "Exact";
  /** The time that the API server waits for the webhook, in seconds. */
  readonly timeoutSeconds: number;
  /** The selector of the namespaces whose requests the webhook is called for. */
  readonly namespaceSelector?: LabelSelectorSpec | undefined;
  /** The selector of the objects that the webhook is called for. */
  readonly objectSelector?: LabelSelectorSpec | undefined;
  /** The conditions in CEL that a request must meet. */
  readonly matchConditions: readonly WebhookMatchCondition[];
  /** Whether the webhook is called again when a later one changed the object; only of a mutating one. */
  readonly reinvocationPolicy?: "Never" | "IfNeeded" | undefined;
}

/** A rule in CEL about the objects of a resource, which the API server itself evaluates. */
export interface ObjectRule {
  /** The CEL expression over `self` and, for a transition, `oldSelf`; a valid object makes it true. */
  readonly rule: string;
  /** The message of the refusal. */
  readonly message: string;
  /** A CEL expression that computes the message of the refusal, in place of `message`. */
  readonly messageExpression?: string | undefined;
  /** The reason of the refusal. */
  readonly reason?: "FieldValueInvalid" | "FieldValueForbidden" | "FieldValueRequired" | undefined;
  /** The path of the field that the refusal is about, as `.spec.replicas`. */
  readonly fieldPath?: string | undefined;
  /** Whether the rule compares with `params`, so that no CustomResourceDefinition can hold the rule. */
  readonly usesParameters?: boolean | undefined;
}

/**
 * The objects that rules in CEL compare with as `params`; one by its name, or all that a selector
 * selects. With several, a rule must be true for each.
 */
export interface RuleParameters {
  /** The resource of the parameters, as `ConfigMap` or one of `defineResource`. */
  readonly type: ResourceType;
  /** The name of the object with the parameters; without it there is a selector. */
  readonly name?: string | undefined;
  /** The selector of the objects with the parameters, by their labels. */
  readonly selector?: LabelSelectorSpec | undefined;
  /** The namespace of the parameters. @default that of the object that a rule is about */
  readonly namespace?: string | undefined;
  /**
   * Whether objects are refused (`Deny`) or pass (`Allow`) while there are no parameters.
   *
   * @default {"Deny"}
   */
  readonly parameterNotFoundAction?: "Allow" | "Deny" | undefined;
}

/**
 * The requests that the rules in CEL of a kind are evaluated for, where no CustomResourceDefinition of
 * the operator holds the rules.
 */
export interface ObjectRuleScope {
  /** Whether the API server refuses an object when a rule cannot be evaluated (`Fail`). */
  readonly failurePolicy: "Fail" | "Ignore";
  /** Whether objects in other versions of the resource are converted for the rules. */
  readonly matchPolicy: "Equivalent" | "Exact";
  /** The versions of the resource that the rules understand. */
  readonly versions: readonly string[];
  /** The selector of the namespaces whose objects the rules are for. */
  readonly namespaceSelector?: LabelSelectorSpec | undefined;
  /** The selector of the objects that the rules are for. */
  readonly objectSelector?: LabelSelectorSpec | undefined;
  /** The conditions in CEL that a request must meet. */
  readonly matchConditions: readonly WebhookMatchCondition[];
  /** The objects that rules compare with as `params`. */
  readonly parameters?: RuleParameters | undefined;
}

/**
 * The webhooks and CEL rules of an operator for one resource; `webhookFor` of `@xca/operator/webhook`
 * makes the value. Immutable.
 */
export interface OperatorWebhook {
  /** The resource of the webhooks. */
  readonly type: ResourceType;
  /** The subresource that the webhooks are for, as `scale`; empty for the objects themselves. */
  readonly subresource: string;
  /** The webhooks to register with the API server. */
  readonly registrations: readonly WebhookRegistration[];
  /** The rules in CEL about the objects of the resource. */
  readonly rules: readonly ObjectRule[];
  /** The requests that the rules are evaluated for. */
  readonly ruleScope: ObjectRuleScope;
}
