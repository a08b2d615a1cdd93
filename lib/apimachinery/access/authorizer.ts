/** The user on whose behalf a request is made: `k8s.io/apiserver/pkg/authentication/user`, `Info`. */
export interface RequestUser {
  /** The name, as roles and the audit log use it. */
  readonly name: string;
  /** Distinguishes users of the same name over time. */
  readonly uid?: string;
  /** The groups that the user belongs to. */
  readonly groups: readonly string[];
  /** Further attributes of the user. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The attributes of a request that authorization considers (`authorizer.Attributes`). */
export interface AccessAttributes {
  readonly user: RequestUser;
  /** `get`, `list` and so on; for a path without a resource, the HTTP method in lower case. */
  readonly verb: string;
  /** Whether the request addresses a resource; otherwise `path` alone counts. */
  readonly isResource: boolean;
  readonly group: string;
  readonly version: string;
  /** The plural. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  /** The field selector of a request for many objects, as it was sent. */
  readonly fieldSelector?: string;
}

/** The decision of an {@linkcode Authorizer}. */
export interface AccessDecision {
  readonly allowed: boolean;
  readonly reason: string;
  readonly evaluationError?: string;
}

/** Decides whether a user may do something. Synchronous, since the rules are in memory. */
export type Authorizer = (attributes: AccessAttributes) => AccessDecision;
