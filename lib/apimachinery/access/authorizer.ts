/** The user on whose behalf a request is made: `k8s.io/apiserver/pkg/authentication/user`, `Info`. */
export interface UserInfo {
  /** As roles and the audit log name them. */
  readonly name: string;
  /** Tells users of one name apart. */
  readonly uid?: string;
  /** The groups that they are in. */
  readonly groups: readonly string[];
  /** Further facts about them. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What a request asks for, as authorization sees it. */
export interface AccessAttributes {
  readonly user: UserInfo;
  /** `get`, `list`...; for a path that is no resource the lower-case HTTP method. */
  readonly verb: string;
  /** Whether it is about a resource; else `path` counts alone. */
  readonly isResource: boolean;
  readonly group: string;
  readonly version: string;
  /** The plural. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
}

/** The answer of an {@linkcode Authorizer}. */
export interface AccessDecision {
  readonly allowed: boolean;
  readonly reason: string;
  readonly evaluationError?: string;
}

/** Decides whether a user may do something. Synchronous: rules are in storage. */
export type Authorizer = (attributes: AccessAttributes) => AccessDecision;
