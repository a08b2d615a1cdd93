// Mirrors `admissionregistration/validation/warnings.go, WarningsForValidatingWebhookRules`.
import { FieldPath } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { REVIEWS } from "../matching.ts";

interface Rule {
  readonly apiGroups?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
}

/**
 * Returns the warnings about rules of a webhook configuration that name reviews, such as
 * TokenReview, for which the API server calls no webhook.
 */
export function reviewWarnings(object: ApiObject): string[] {
  const webhooks = (object["webhooks"] ?? []) as readonly { readonly rules?: readonly Rule[] }[];
  return webhooks.flatMap(({ rules }, index) =>
    (rules ?? []).flatMap((rule, at) => {
      const path = FieldPath.of("webhooks").index(index).child("rules").index(at);
      return reviewsNamedBy(rule).map((review) =>
        `${path}: ${review} is excluded from admission webhooks; this rule will have no effect`
      );
    })
  );
}

/**
 * Returns the review resources, such as `tokenreviews.authentication.k8s.io`, that a webhook's rule
 * names; a wildcard names none.
 */
function reviewsNamedBy({ apiGroups, resources }: Rule): string[] {
  const groups = apiGroups ?? [];
  const names = resources ?? [];
  if (groups.includes("*") || names.includes("*")) return [];
  const named = groups.flatMap((group) => names.map((resource) => `${resource}.${group}`));
  return [...new Set(named)].filter((name) => REVIEWS.has(name));
}
