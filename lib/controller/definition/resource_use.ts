import type { ResourceType } from "@xca/apimachinery/meta";

/** A verb of Kubernetes' RBAC, as an RBAC rule lists it. Never `*`: a rule names its verbs. */
export type AccessVerb =
  | "get"
  | "list"
  | "watch"
  | "create"
  | "update"
  | "patch"
  | "delete"
  | "deletecollection"
  | "approve"
  | "attest"
  | "bind"
  | "escalate"
  | "impersonate"
  | "sign"
  | "use";

/**
 * The RBAC verbs that one method of the client, or one helper of reconcilers, needs, in {@linkcode
 * CALL_NEEDS}; an absent field stands for none.
 */
export interface CallNeed {
  /** The RBAC verbs needed on the resource itself. */
  readonly verbs?: readonly AccessVerb[];
  /** The RBAC verbs needed on the subresource `status` of the resource. */
  readonly status?: readonly AccessVerb[];
  /** The RBAC verbs needed on the subresource `finalizers` of the resource. */
  readonly finalizers?: readonly AccessVerb[];
  /** The RBAC verbs needed on events of `events.k8s.io` about objects of the resource. */
  readonly events?: readonly AccessVerb[];
  /**
   * Reports whether the written objects refer to an object of the controller's resource as their
   * owner; absent means false.
   */
  readonly isOwned?: boolean;
}

/**
 * A call on a resource that {@linkcode ControllerBuilder.uses} declares: a verb of RBAC, which is
 * also the name of a client method in most cases, a further method of the client, or a helper of
 * reconcilers.
 */
export type AccessCall = AccessVerb | NamedCall;

/**
 * A call that {@linkcode ControllerBuilder.uses} declares by another name than an RBAC verb: a
 * method of the client, or a helper of reconcilers.
 */
export type NamedCall =
  | "apply"
  | "applyChild"
  | "applyStatus"
  | "childSet"
  | "createOrUpdate"
  | "deleteCollection"
  | "finalize"
  | "pages"
  | "patchStatus"
  | "pruneChildren"
  | "recordEvents"
  | "setControllerReference"
  | "updateStatus";

/** Options of {@linkcode resourceUse}, which restrict the declared access. */
export interface UseOptions {
  /**
   * The subresource that the calls are about, such as `scale`, `eviction` or `log`; the calls are
   * then named by RBAC verbs.
   *
   * @default the resource itself
   */
  readonly subresource?: string;
  /**
   * The namespaces in which a controller uses the resource.
   *
   * @default those in which the controller watches the resource, else those of the manager, else
   * all
   */
  readonly namespaces?: readonly string[];
  /**
   * The names of the objects that a controller uses. RBAC cannot restrict `create` (except on a
   * subresource) and `deletecollection` to names, and allows `list` and `watch` restricted to a
   * name only with a field selector of that name.
   *
   * @default all
   */
  readonly names?: readonly string[];
}

/**
 * A declared use of a resource: the API calls that a controller makes in addition to its watches.
 * {@linkcode resourceUse} makes the value.
 */
export interface ResourceUse extends UseOptions {
  /** The resource that the controller uses. */
  readonly type: ResourceType;
  /** The API calls that the controller makes on the resource, at least one. */
  readonly calls: readonly AccessCall[];
}

/**
 * The RBAC verbs needed by each call that a controller may declare by another name than a verb:
 * methods of the client (`apply`), and helpers of reconcilers (`applyChild`).
 */
export const CALL_NEEDS: Readonly<Record<NamedCall, CallNeed>> = {
  apply: { verbs: ["create", "patch"] },
  applyStatus: { status: ["patch"] },
  applyChild: { verbs: ["create", "get", "patch"], isOwned: true },
  childSet: { verbs: ["create", "delete", "get", "patch"], isOwned: true },
  createOrUpdate: { verbs: ["create", "get", "update"] },
  deleteCollection: { verbs: ["deletecollection"] },
  finalize: { verbs: ["get", "patch"] },
  pages: { verbs: ["list"] },
  patchStatus: { status: ["patch"] },
  pruneChildren: { verbs: ["delete", "get"] },
  recordEvents: { events: ["create", "patch"] },
  setControllerReference: { finalizers: ["update"] },
  updateStatus: { status: ["update"] },
};
