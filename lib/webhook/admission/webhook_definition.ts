import type { KubeObject, LabelSelectorSpec, ResourceType } from "@xca/apimachinery/meta";
import type {
  OperatorWebhook,
  RuleParameters,
  WebhookMatchCondition,
  WebhookOperation,
} from "../../controller/definition/operator_webhook.ts";
import type { Defaulter, Validator } from "./admission_context.ts";

/** Options of a webhook: when the API server calls it, and what follows when it cannot. */
export interface WebhookOptions {
  /**
   * Whether the API server refuses a request when the webhook cannot be called (`Fail`), or goes on
   * without the webhook (`Ignore`). A handler that throws refuses the request either way.
   *
   * @default {"Fail"}
   */
  readonly failurePolicy?: "Fail" | "Ignore" | undefined;
  /**
   * Whether handlers change anything outside of the object; with `NoneOnDryRun` they do, but not where
   * `dryRun` is set.
   *
   * @default {"None"}
   */
  readonly sideEffects?: "None" | "NoneOnDryRun" | undefined;
  /**
   * Whether requests in other versions of the resource are converted for the webhook (`Equivalent`), or
   * pass it by (`Exact`).
   *
   * @default {"Equivalent"}
   */
  readonly matchPolicy?: "Equivalent" | "Exact" | undefined;
  /** The time that the API server waits for an answer, in seconds, from 1 to 30. @default {10} */
  readonly timeoutSeconds?: number | undefined;
  /** The namespaces whose requests the webhook is called for, by their labels. @default all */
  readonly namespaceSelector?: LabelSelectorSpec | undefined;
  /** The objects that the webhook is called for, by their labels. @default all */
  readonly objectSelector?: LabelSelectorSpec | undefined;
  /** Conditions in CEL that a request must meet for the webhook to be called. @default none */
  readonly matchConditions?: readonly WebhookMatchCondition[] | undefined;
  /**
   * Whether a defaulter is called again when a later webhook changed the object.
   *
   * @default {"Never"}
   */
  readonly reinvocationPolicy?: "Never" | "IfNeeded" | undefined;
  /**
   * The operations that a defaulter is called for. Those of a validator follow from its functions.
   *
   * @default {["CREATE", "UPDATE"]}
   */
  readonly operations?: readonly WebhookOperation[] | undefined;
  /**
   * The versions of the resource that the handlers understand: with several, an object keeps the version
   * of its request when that is one of these.
   *
   * @default the version of the resource type
   */
  readonly versions?: readonly string[] | undefined;
  /** The path on the server. @default as kubebuilder's, as `/validate-apps-v1-deployment` */
  readonly path?: string | undefined;
}

/** Options of `webhookFor`, for all webhooks of one resource. */
export interface WebhookForOptions extends Omit<WebhookOptions, "path" | "operations"> {
  /**
   * The subresource that the webhooks are for, as `status` or `scale`. The webhooks of the objects
   * themselves are not called for subresources.
   *
   * @default the objects themselves
   */
  readonly subresource?: string | undefined;
  /**
   * The objects that rules in CEL compare with as `params`. Rules that refer to them are in a
   * ValidatingAdmissionPolicy, also those of a kind that the operator defines.
   *
   * @default none
   */
  readonly parameters?: RuleParameters | undefined;
}

/** The webhooks of one resource as data and functions; `webhookFor` makes it. Immutable. */
export interface WebhookDefinition<T extends KubeObject = KubeObject> extends OperatorWebhook {
  /** The resource of the webhooks. */
  readonly type: ResourceType<T>;
  /** The function that sets the defaults of objects; `undefined` for none. */
  readonly defaulting: Defaulter<T> | undefined;
  /** The functions that validate requests, by operation; `undefined` for none. */
  readonly validating: Validator<T> | undefined;
}
