// Mirrors `authorization/authorizer/interfaces.go, Attributes`.

/**
 * The user on whose behalf a request is made: `k8s.io/apiserver/pkg/authentication/user`, `Info`.
 */
export interface RequestUser {
  /** The name of the user, as role bindings and the audit log contain it. */
  readonly name: string;
  /** The UID of the user, which distinguishes users of the same name over time. */
  readonly uid?: string;
  /** The groups that the user belongs to. */
  readonly groups: readonly string[];
  /** Further attributes of the user that the authenticator provides: lists of values by key. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The attributes of a request that authorization considers:
 * `k8s.io/apiserver/pkg/authorization/authorizer`, `Attributes`.
 */
export interface AccessAttributes {
  readonly user: RequestUser;
  /**
   * The verb of the request: `get`, `list` and so on; for a path without a resource, the HTTP
   * method in lower case.
   */
  readonly verb: string;
  /**
   * Reports whether the request addresses a resource; if not, authorization considers only the
   * `user`, the `verb` and the `path`.
   */
  readonly isResource: boolean;
  readonly group: string;
  readonly version: string;
  /** The plural name of the requested resource; empty if `isResource` is false. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  /** The text of the field selector in the URL of a request for many objects, not parsed. */
  readonly fieldSelector?: string;
}

/**
 * The decision of an {@linkcode Authorizer}: whether access is allowed (`false` also when no rule
 * applies), the reason, which may be empty, and the error that occurred while the rules were
 * evaluated, absent if there was none.
 */
export interface AccessDecision {
  readonly allowed: boolean;
  readonly reason: string;
  readonly evaluationError?: string;
}

/**
 * A function that decides whether a user may make a request. Synchronous, since the rules are in
 * memory.
 */
export type Authorizer = (attributes: AccessAttributes) => AccessDecision;
