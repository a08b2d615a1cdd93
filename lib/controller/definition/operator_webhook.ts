import type { LabelSelectorSpec, ResourceType } from "@xca/apimachinery/meta";

/** An operation on an object of the API server for which a webhook can be called. */
export type WebhookOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/**
 * A condition in CEL that a request must meet for the API server to call a webhook or to evaluate
 * CEL rules.
 */
export interface WebhookMatchCondition {
  /** The name of the match condition, unique among those of its webhook. */
  readonly name: string;
  /**
   * The CEL expression of the match condition, over `object`, `oldObject`, `request` and
   * `authorizer`; a request meets the condition when it is true.
   */
  readonly expression: string;
}

/**
 * The resources and operations of one webhook (k8s.io/api/admissionregistration/v1,
 * RuleWithOperations).
 */
export interface WebhookMatch {
  /**
   * The API groups of the resources for whose requests the webhook is called; `""` is the core
   * group.
   */
  readonly apiGroups: readonly string[];
  /**
   * The API versions of the resources that the handlers of the webhook understand, without the
   * group, such as `v1`.
   */
  readonly apiVersions: readonly string[];
  /**
   * The resources of the webhook: a plural, or a plural and a subresource, such as
   * `deployments/scale`.
   */
  readonly resources: readonly string[];
  /** The operations, such as `CREATE`, for which the webhook is called. */
  readonly operations: readonly WebhookOperation[];
  /** The scope of the resources for whose requests the webhook is called; `*` for both scopes. */
  readonly scope: "Namespaced" | "Cluster" | "*";
}

/**
 * The registration of one webhook with the API server: the data of an entry of a
 * MutatingWebhookConfiguration or a ValidatingWebhookConfiguration, without `clientConfig`, the
 * address and CA certificates of the webhook server.
 */
export interface WebhookRegistration {
  /** The kind of webhook configuration, mutating or validating, that the webhook belongs to. */
  readonly kind: "mutating" | "validating";
  /** The name of the webhook, a domain of three parts or more: `validate.pods.v1`. */
  readonly name: string;
  /**
   * The URL path of the webhook on its server, such as `/validate--v1-pod`; unique within the
   * operator.
   */
  readonly path: string;
  /** The resources and operations for which the webhook is called. */
  readonly match: WebhookMatch;
  /**
   * The reaction of the API server when the webhook cannot be called: `Fail` refuses the request,
   * `Ignore` handles the request without the webhook.
   */
  readonly failurePolicy: "Fail" | "Ignore";
  /**
   * The side effects of the webhook's handlers outside of the object: `None`, or `NoneOnDryRun` for
   * none in a dry run.
   */
  readonly sideEffects: "None" | "NoneOnDryRun";
  /**
   * The handling of requests in other versions of the resource: `Equivalent` calls the webhook with
   * the converted object, `Exact` does not call the webhook.
   */
  readonly matchPolicy: "Equivalent" | "Exact";
  /** The timeout of the API server's calls to the webhook, in seconds. */
  readonly timeoutSeconds: number;
  /**
   * The selector of the namespaces whose requests the webhook is called for; absent for all
   * namespaces.
   */
  readonly namespaceSelector?: LabelSelectorSpec | undefined;
  /** The selector of the objects that the webhook is called for; absent for all objects. */
  readonly objectSelector?: LabelSelectorSpec | undefined;
  /**
   * The CEL conditions that a request must all meet for the webhook to be called; empty for none.
   */
  readonly matchConditions: readonly WebhookMatchCondition[];
  /**
   * The condition under which the API server calls a mutating webhook again: `IfNeeded` when a
   * later webhook changed the object. Absent for a validating webhook.
   */
  readonly reinvocationPolicy?: "Never" | "IfNeeded" | undefined;
}

/**
 * A rule in CEL about the objects of a resource, which the API server itself evaluates, from a
 * CustomResourceDefinition or a ValidatingAdmissionPolicy.
 */
export interface ObjectRule {
  /**
   * The CEL expression over `self`, over `oldSelf` in a transition rule, and over `params` in a
   * rule with parameters; a valid object makes it true.
   */
  readonly rule: string;
  /** The message of the refusal by the CEL rule. */
  readonly message: string;
  /**
   * A CEL expression that computes the message of the refusal, in place of `message`; absent if
   * `message` is used.
   */
  readonly messageExpression?: string | undefined;
  /** The reason of the refusal by the CEL rule; absent for the API server's default. */
  readonly reason?: "FieldValueInvalid" | "FieldValueForbidden" | "FieldValueRequired" | undefined;
  /**
   * The path of the field that the refusal names, such as `.spec.replicas`; absent for the object
   * itself.
   */
  readonly fieldPath?: string | undefined;
  /**
   * Reports whether the CEL rule refers to `params`, so that no CustomResourceDefinition can
   * contain the rule; `undefined` means false.
   */
  readonly usesParameters?: boolean | undefined;
}

/**
 * The objects that CEL rules refer to as `params`: one object by its name, or all that a selector
 * selects. If there are several, a rule must be true for each.
 */
export interface RuleParameters {
  /**
   * The resource type of the rules' parameter objects, such as `ConfigMap` or a resource of
   * `defineResource`.
   */
  readonly type: ResourceType;
  /**
   * The name of the object with the rules' parameters; absent if `selector` selects the objects.
   */
  readonly name?: string | undefined;
  /**
   * The selector of the objects with the rules' parameters, by their labels; absent if `name` names
   * the object.
   */
  readonly selector?: LabelSelectorSpec | undefined;
  /**
   * The namespace of the objects with the rules' parameters.
   *
   * @default that of the object that a rule is about
   */
  readonly namespace?: string | undefined;
  /**
   * The handling of requests while no parameter object exists: `Deny` refuses them, `Allow` allows
   * them.
   *
   * @default {"Deny"}
   */
  readonly parameterNotFoundAction?: "Allow" | "Deny" | undefined;
}

/**
 * The conditions on the requests for which the CEL rules of a kind are evaluated, if no
 * CustomResourceDefinition of the operator contains the rules.
 */
export interface ObjectRuleScope {
  /**
   * The reaction of the API server when a CEL rule cannot be evaluated: `Fail` refuses the object,
   * `Ignore` ignores the rule.
   */
  readonly failurePolicy: "Fail" | "Ignore";
  /**
   * The handling of objects in other API versions of the resource: `Equivalent` converts them for
   * the CEL rules, `Exact` leaves them unchecked.
   */
  readonly matchPolicy: "Equivalent" | "Exact";
  /** The API versions of the resource that the CEL rules understand. */
  readonly versions: readonly string[];
  /**
   * The selector of the namespaces whose objects the CEL rules validate; absent for all namespaces.
   */
  readonly namespaceSelector?: LabelSelectorSpec | undefined;
  /** The selector of the objects that the CEL rules validate; absent for all objects. */
  readonly objectSelector?: LabelSelectorSpec | undefined;
  /**
   * The match conditions in CEL that a request must all meet for the CEL rules to be evaluated;
   * empty for none.
   */
  readonly matchConditions: readonly WebhookMatchCondition[];
  /** The objects that CEL rules refer to as `params`; absent if no rule has parameters. */
  readonly parameters?: RuleParameters | undefined;
}

/**
 * The webhooks and CEL rules of an operator for one resource; `webhookFor` of
 * `@xca/operator/webhook` makes the value. Immutable.
 */
export interface OperatorWebhook {
  /** The resource whose requests the webhooks handle. */
  readonly type: ResourceType;
  /**
   * The subresource whose requests the webhooks handle, such as `scale`; empty for the objects
   * themselves.
   */
  readonly subresource: string;
  /** The registrations of the webhooks with the API server; empty if there are only CEL rules. */
  readonly registrations: readonly WebhookRegistration[];
  /**
   * The CEL rules about the objects of the webhook's resource; empty if there are only webhooks.
   */
  readonly rules: readonly ObjectRule[];
  /**
   * The conditions on the requests for which the CEL rules are evaluated where no
   * CustomResourceDefinition of the operator contains them.
   */
  readonly ruleScope: ObjectRuleScope;
}
