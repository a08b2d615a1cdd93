import type { WebhookClientConfig } from "../../machinery/call_webhook.ts";
import type { LabelSelectorFields } from "@xca/apimachinery/internal/validation";

/** The writes that a webhook or a policy matches. */
export interface MatchRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
  /** In policies only. */
  readonly resourceNames?: readonly string[];
}

/** A condition that a write must meet. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** A webhook of a mutating or validating configuration. */
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
