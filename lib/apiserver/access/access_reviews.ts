// Mirrors `registry/authorization/subjectaccessreview/rest.go, REST.Create` and its siblings for
// the own user and for rules.
import type { Authorizer, RequestUser } from "@xca/apimachinery/internal/access";
import {
  badRequest,
  type FieldError,
  FieldPath,
  invalid,
  invalidObject,
} from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { Endpoint, Endpoints } from "../machinery/endpoint.ts";
import {
  asShown,
  attributesOf,
  ignoredSelectors,
  type ReviewSpec,
  subjectOf,
  wrongQuestions,
  wrongSelectors,
  wrongSubject,
} from "./review_attributes.ts";
import type { PolicyRule } from "./policy_rule.ts";
import { isNode } from "./node_authorizer.ts";
import { aggregateText, missingRoles } from "./role_authorizer.ts";
import type { RoleRef, RoleRules } from "./role_rules.ts";

const GROUP = "authorization.k8s.io";

/**
 * Returns the endpoints of group `authorization.k8s.io`: the access reviews, such as
 * SubjectAccessReview.
 */
export function accessReviews(authorize: Authorizer, rules: RoleRules): Endpoints {
  const review = (body: ApiObject, user: RequestUser): ApiObject => {
    const spec = specOf(body);
    const { allowed, reason } = authorize(attributesOf(user, spec));
    const evaluationError = ignoredSelectors(spec);
    return {
      ...body,
      status: {
        allowed,
        ...(reason && { reason }),
        ...(evaluationError && { evaluationError }),
      },
    };
  };
  return {
    [`subjectaccessreviews.${GROUP}`]: {
      create(body) {
        const spec = specOf(body);
        check([...wrongSpec(spec), ...wrongMetadata(body, [], "must be empty")]);
        return review(body, subjectOf(spec));
      },
    },
    [`localsubjectaccessreviews.${GROUP}`]: {
      create(body, context) {
        const spec = specOf(body);
        const why = "must be empty except for namespace";
        check([
          ...wrongSpec(spec),
          ...wrongMetadata(body, ["namespace"], why),
          ...wrongPlace(spec, context.namespace),
        ]);
        return review(body, subjectOf(spec));
      },
    },
    [`selfsubjectaccessreviews.${GROUP}`]: {
      create(body, context) {
        const spec = specOf(body);
        check([
          ...wrongQuestions(spec),
          ...wrongSelectors(spec),
          ...wrongMetadata(body, [], "must be empty"),
        ]);
        return review(body, context.user);
      },
    },
    [`selfsubjectrulesreviews.${GROUP}`]: rulesReview(rules),
  };
}

function rulesReview(rules: RoleRules): Endpoint {
  return {
    create(body, context) {
      const { namespace } = (body["spec"] ?? {}) as { namespace?: string };
      if (!namespace) throw badRequest("no namespace on request");
      const found: PolicyRule[] = [];
      const missing: RoleRef[] = [];
      for (const granted of rules.of(context.user, namespace)) {
        if (granted.missing) missing.push(granted.missing);
        else found.push(granted.rule);
      }
      const ofNode = isNode(context.user);
      const errors = [
        ...ofNode ? ["node authorizer does not support user rule resolution"] : [],
        ...missingRoles(missing),
      ];
      const { apiVersion, kind } = body;
      return {
        ...(apiVersion && { apiVersion }),
        ...(kind && { kind }),
        metadata: {},
        spec: {},
        status: {
          resourceRules: found.filter(({ resources }) => resources?.length).map(resourceRule),
          nonResourceRules: found.filter(({ nonResourceURLs }) => nonResourceURLs?.length)
            .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
          incomplete: ofNode,
          ...(errors.length > 0 && { evaluationError: aggregateText(errors) }),
        },
      };
    },
  };
}

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule): PolicyRule {
  return {
    ...(verbs && { verbs }),
    ...(apiGroups && { apiGroups }),
    ...(resources && { resources }),
    ...(resourceNames && { resourceNames }),
  };
}

function specOf(body: ApiObject): ReviewSpec {
  return (body["spec"] ?? {}) as ReviewSpec;
}

function* wrongSpec(spec: ReviewSpec): Iterable<FieldError> {
  yield* wrongQuestions(spec);
  yield* wrongSubject(spec);
  yield* wrongSelectors(spec);
}

function* wrongMetadata(
  { metadata }: ApiObject,
  allowed: readonly string[],
  why: string,
): Iterable<FieldError> {
  const { managedFields: _, ...rest } = metadata;
  const left = Object.keys(rest).filter((name) => !allowed.includes(name));
  if (left.length > 0) yield invalid(FieldPath.of("metadata"), metadata, why);
}

function* wrongPlace(spec: ReviewSpec, namespace: string): Iterable<FieldError> {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const given = resourceAttributes?.namespace ?? "";
  if (resourceAttributes && given !== namespace) {
    const path = FieldPath.of("spec", "resourceAttributes", "namespace");
    yield invalid(path, given, "must match metadata.namespace");
  }
  if (nonResourceAttributes) {
    const path = FieldPath.of("spec", "nonResourceAttributes");
    yield invalid(path, asShown(nonResourceAttributes), "disallowed on this kind of request");
  }
}

/**
 * Throws a 422 error with the validation errors of an access review, if there are any. As in
 * kube-apiserver, the error names no kind.
 */
function check(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidObject({ group: GROUP, kind: "" }, "", errors);
}
