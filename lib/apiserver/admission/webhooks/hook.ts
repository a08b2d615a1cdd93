import type { WebhookClientConfig } from "../../machinery/call_webhook.ts";
import type { LabelSelectorFields } from "@xca/apimachinery/internal/validation";

/** A rule of a webhook or an admission policy: the operations and resources that it matches. */
export interface MatchRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
  /** The names of the objects that the rule matches, in policies only. */
  readonly resourceNames?: readonly string[];
}

/**
 * An entry of `matchConditions` of a webhook or an admission policy: a CEL expression that a write
 * must meet.
 */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** A webhook of a MutatingWebhookConfiguration or a ValidatingWebhookConfiguration. */
export interface Hook {
  readonly name: string;
  readonly clientConfig: WebhookClientConfig;
  readonly rules?: readonly MatchRule[];
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelectorFields;
  readonly objectSelector?: LabelSelectorFields;
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly reinvocationPolicy?: string;
  readonly matchConditions?: readonly MatchCondition[];
}
