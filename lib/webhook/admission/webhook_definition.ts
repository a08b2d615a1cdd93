import type { KubeObject, LabelSelectorSpec, ResourceType } from "@xca/apimachinery/meta";
import type {
  OperatorWebhook,
  RuleParameters,
  WebhookMatchCondition,
  WebhookOperation,
} from "../../controller/definition/operator_webhook.ts";
import type { Defaulter, Validator } from "./admission_context.ts";

/**
 * Options of a webhook: when the API server calls it, and how the API server handles a failed call.
 */
export interface WebhookOptions {
  /**
   * The policy for a request for which the webhook cannot be called: the API server refuses the
   * request (`Fail`), or handles it without the webhook (`Ignore`). A handler that throws refuses
   * the request in both cases.
   *
   * @default {"Fail"}
   */
  readonly failurePolicy?: "Fail" | "Ignore" | undefined;
  /**
   * The side effects of the handlers outside of the object: `None`, or `NoneOnDryRun` for side
   * effects except when `dryRun` is set.
   *
   * @default {"None"}
   */
  readonly sideEffects?: "None" | "NoneOnDryRun" | undefined;
  /**
   * The policy for requests in other versions of the resource: their objects are converted for the
   * webhook (`Equivalent`), or the webhook is not called (`Exact`).
   *
   * @default {"Equivalent"}
   */
  readonly matchPolicy?: "Equivalent" | "Exact" | undefined;
  /**
   * The timeout of the API server's calls to the webhook, in seconds, from 1 to 30.
   *
   * @default {10}
   */
  readonly timeoutSeconds?: number | undefined;
  /**
   * The label selector of the namespaces for whose requests the API server calls the webhook.
   * @default all
   */
  readonly namespaceSelector?: LabelSelectorSpec | undefined;
  /**
   * The label selector of the objects for whose requests the API server calls the webhook.
   *
   * @default all
   */
  readonly objectSelector?: LabelSelectorSpec | undefined;
  /** Conditions in CEL that a request must meet for the webhook to be called. @default none */
  readonly matchConditions?: readonly WebhookMatchCondition[] | undefined;
  /**
   * The policy by which the API server calls a defaulter again when a later webhook changed the
   * object: `Never` or `IfNeeded`.
   *
   * @default {"Never"}
   */
  readonly reinvocationPolicy?: "Never" | "IfNeeded" | undefined;
  /**
   * The operations for which the API server calls the webhook of a defaulter; the defaulter has no
   * object to change in a deletion. Those of a validator follow from its functions.
   *
   * @default {["CREATE", "UPDATE"]}
   */
  readonly operations?: readonly WebhookOperation[] | undefined;
  /**
   * The versions of the resource that the handlers understand: an object in one of these versions
   * is not converted.
   *
   * @default the version of the resource type
   */
  readonly versions?: readonly string[] | undefined;
  /**
   * The URL path of the webhook on the webhook server.
   *
   * @default as kubebuilder's, such as `/validate-apps-v1-deployment`
   */
  readonly path?: string | undefined;
}

/** Options of `webhookFor`, for all webhooks of one resource. */
export interface WebhookForOptions extends Omit<WebhookOptions, "path" | "operations"> {
  /**
   * The subresource that the webhooks are for, such as `status` or `scale`. The webhooks of the
   * objects themselves are not called for subresources.
   *
   * @default the objects themselves
   */
  readonly subresource?: string | undefined;
  /**
   * The objects that CEL rules refer to as `params`. Rules with parameters become a
   * ValidatingAdmissionPolicy, even for a kind that the operator defines.
   *
   * @default none
   */
  readonly parameters?: RuleParameters | undefined;
}

/** The webhooks of one resource as data and functions; `webhookFor` creates it. Immutable. */
export interface WebhookDefinition<T extends KubeObject = KubeObject> extends OperatorWebhook {
  /** The resource whose requests the webhooks handle. */
  readonly type: ResourceType<T>;
  /** The function that sets the defaults of objects; `undefined` for none. */
  readonly defaulting: Defaulter<T> | undefined;
  /** The functions that validate requests, by operation; `undefined` for none. */
  readonly validating: Validator<T> | undefined;
}
