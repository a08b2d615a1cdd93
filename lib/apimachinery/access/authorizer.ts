// Mirrors `authorization/authorizer/interfaces.go, Attributes`.

/** The user on whose behalf a request is made: `k8s.io/apiserver/pkg/authentication/user`, `Info`. */
export interface RequestUser {
  /** The name of the user, as roles and the audit log use it. */
  readonly name: string;
  /** The identifier that distinguishes users of the same name over time. */
  readonly uid?: string;
  /** The groups that the user belongs to. */
  readonly groups: readonly string[];
  /** Further attributes of the user. */
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
   * Whether the request addresses a resource; otherwise authorization considers its `path` alone.
   */
  readonly isResource: boolean;
  readonly group: string;
  readonly version: string;
  /** The plural name of the requested resource. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  /** The field selector of a request for many objects, as it was sent. */
  readonly fieldSelector?: string;
}

/** The decision of an {@linkcode Authorizer}: whether access is allowed, and the reason. */
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
