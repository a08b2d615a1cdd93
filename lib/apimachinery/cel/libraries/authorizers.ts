// Mirrors `cel/library/authz.go, Authz`.
import { labelNameProblems, subdomainNameProblems } from "../../validation/names.ts";
import type { AccessAttributes, Authorizer } from "../../access/authorizer.ts";
import type { RequestUser } from "../../access/authorizer.ts";
import { type Library, namedType } from "../declarations.ts";
import type { CelType } from "../types/cel_type.ts";
import { CelError, CelObject, type CelValue } from "../values/value.ts";

abstract class Receiver extends CelObject {
  override readonly type: CelType;

  constructor(name: string) {
    super();
    this.type = namedType(`kubernetes.authorization.${name}`);
  }

  override equals(other: CelObject): boolean {
    return this === other;
  }
}

/**
 * The value of the CEL variable `authorizer`, or of `authorizer.serviceAccount(…)`: a user, and the
 * authorizer that decides about the user's access.
 */
export class AuthorizerValue extends Receiver {
  constructor(readonly authorizer: Authorizer, readonly user: RequestUser) {
    super("Authorizer");
  }

  /**
   * Returns the CEL object (`ResourceCheck`) that checks the user's access to a resource with the
   * given attributes.
   */
  resourceCheck(about: Partial<AccessAttributes>): CelObject {
    return new ResourceCheck(this, about);
  }
}

class PathCheck extends Receiver {
  constructor(readonly authorizer: AuthorizerValue, readonly path: string) {
    super("PathCheck");
  }
}

class GroupCheck extends Receiver {
  constructor(readonly authorizer: AuthorizerValue, readonly group: string) {
    super("GroupCheck");
  }
}

class ResourceCheck extends Receiver {
  constructor(readonly authorizer: AuthorizerValue, readonly about: Partial<AccessAttributes>) {
    super("ResourceCheck");
  }

  with(more: Partial<AccessAttributes>): ResourceCheck {
    return new ResourceCheck(this.authorizer, { ...this.about, ...more });
  }
}

class Decision extends Receiver {
  constructor(readonly allowed: boolean, readonly reason: string, readonly error: string) {
    super("Decision");
  }
}

function decide(
  { authorizer, user }: AuthorizerValue,
  attributes: Partial<AccessAttributes>,
): Decision {
  const { allowed, reason, evaluationError } = authorizer({
    user,
    verb: "",
    isResource: false,
    group: "",
    version: "*",
    resource: "",
    subresource: "",
    namespace: "",
    name: "",
    path: "",
    ...attributes,
  });
  return new Decision(allowed, reason, evaluationError ?? "");
}

function serviceAccount(
  authorizer: AuthorizerValue,
  namespace: string,
  name: string,
): CelValue {
  if (subdomainNameProblems(name, false).length > 0) {
    return new CelError("Invalid service account name");
  }
  if (labelNameProblems(namespace, false).length > 0) {
    return new CelError("Invalid service account namespace");
  }
  return new AuthorizerValue(authorizer.authorizer, {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: [
      "system:serviceaccounts",
      `system:serviceaccounts:${namespace}`,
    ],
  });
}

function about(key: keyof AccessAttributes): (check?: CelValue, value?: CelValue) => CelValue {
  return (check, value) => (check as ResourceCheck).with({ [key]: value as string });
}

const same = (check?: CelValue): CelValue => check!;

const A = "kubernetes.authorization";

/**
 * The CEL library of authorization checks: `authorizer.group(…).resource(…).check(…)` and the like.
 * Field and label selectors of a check are ignored.
 */
export const AUTHORIZERS: Library = {
  signatures: `
    path authorizer_path.(${A}.Authorizer, string) ${A}.PathCheck
    group authorizer_group.(${A}.Authorizer, string) ${A}.GroupCheck
    serviceAccount authorizer_serviceaccount.(${A}.Authorizer, string, string) ${A}.Authorizer
    resource groupcheck_resource.(${A}.GroupCheck, string) ${A}.ResourceCheck
    subresource resourcecheck_subresource.(${A}.ResourceCheck, string) ${A}.ResourceCheck
    namespace resourcecheck_namespace.(${A}.ResourceCheck, string) ${A}.ResourceCheck
    name resourcecheck_name.(${A}.ResourceCheck, string) ${A}.ResourceCheck
    fieldSelector authorizer_fieldselector.(${A}.ResourceCheck, string) ${A}.ResourceCheck
    labelSelector authorizer_labelselector.(${A}.ResourceCheck, string) ${A}.ResourceCheck
    check pathcheck_check.(${A}.PathCheck, string) ${A}.Decision
    check resourcecheck_check.(${A}.ResourceCheck, string) ${A}.Decision
    errored decision_errored.(${A}.Decision) bool
    error decision_error.(${A}.Decision) string
    allowed decision_allowed.(${A}.Decision) bool
    reason decision_reason.(${A}.Decision) string`,
  implementations: {
    authorizer_path: (authorizer, path) =>
      (path as string).trim() === ""
        ? new CelError("path must not be empty")
        : new PathCheck(authorizer as AuthorizerValue, path as string),
    authorizer_group: (authorizer, group) =>
      new GroupCheck(authorizer as AuthorizerValue, group as string),
    authorizer_serviceaccount: (authorizer, namespace, name) =>
      serviceAccount(authorizer as AuthorizerValue, namespace as string, name as string),
    groupcheck_resource: (check, resource) =>
      (resource as string).trim() === ""
        ? new CelError("resource must not be empty")
        : new ResourceCheck((check as GroupCheck).authorizer, {
          group: (check as GroupCheck).group,
          resource: resource as string,
        }),
    resourcecheck_subresource: about("subresource"),
    resourcecheck_namespace: about("namespace"),
    resourcecheck_name: about("name"),
    // Field and label selectors are ignored: rules of roles have none, so they do not affect the
    // decision.
    authorizer_fieldselector: same,
    authorizer_labelselector: same,
    pathcheck_check: (check, verb) =>
      decide((check as PathCheck).authorizer, {
        path: (check as PathCheck).path,
        verb: verb as string,
      }),
    resourcecheck_check: (check, verb) =>
      decide((check as ResourceCheck).authorizer, {
        ...(check as ResourceCheck).about,
        isResource: true,
        verb: verb as string,
      }),
    decision_errored: (decision) => (decision as Decision).error !== "",
    decision_error: (decision) => (decision as Decision).error,
    decision_allowed: (decision) => (decision as Decision).allowed,
    decision_reason: (decision) => (decision as Decision).reason,
  },
};

/** The CEL library for JSON patches, with the function `jsonpatch.escapeKey`. */
export const JSON_PATCHES: Library = {
  signatures: `jsonpatch.escapeKey string_jsonpatch_escapeKey_string(string) string`,
  implementations: {
    string_jsonpatch_escapeKey_string: (key) =>
      (key as string).replace(/[~/]/g, (each) => each === "/" ? "~1" : "~0"),
  },
};
