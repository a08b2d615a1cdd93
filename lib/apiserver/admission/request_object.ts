// Mirrors `admission/plugin/cel/condition.go, CreateAdmissionRequest`.
import type { Authorizer } from "@xca/apimachinery/internal/access";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { AdmissionAttributes } from "./attributes.ts";
import type { Match } from "./matching.ts";

/** The inputs from which the variables of a CEL expression of a policy or webhook are computed. */
export interface ExpressionInput {
  readonly attributes: AdmissionAttributes;
  readonly match: Match;
  readonly object: ApiObject | undefined;
  readonly old: ApiObject | undefined;
  readonly params?: ApiObject | null;
  readonly namespace?: ApiObject | undefined;
  readonly authorizer?: Authorizer | undefined;
}

/**
 * Returns the description of a write for the CEL variable `request` and for the field `request` of
 * an AdmissionReview, without the uid and the objects.
 */
export function requestObject({ attributes, match }: ExpressionInput): Record<string, unknown> {
  const { request, subresource, namespace, name } = attributes;
  const { user, dryRun } = request.context;
  return {
    kind: match.kind,
    resource: match.resource,
    ...(subresource !== "" && { subResource: subresource }),
    requestKind: attributes.kind,
    requestResource: attributes.resource,
    ...(subresource !== "" && { requestSubResource: subresource }),
    ...(name !== "" && { name }),
    ...(namespace !== "" && { namespace }),
    operation: request.operation,
    userInfo: {
      username: user.name,
      ...(user.uid && { uid: user.uid }),
      groups: user.groups,
      ...(user.extra && Object.keys(user.extra).length > 0 && { extra: user.extra }),
    },
    dryRun,
    options: request.options ?? null,
  };
}
