import type { ResourceType } from "@xca/apimachinery/meta";
import type { CallOptions } from "../calls/options.ts";
import type { RestCalls } from "../calls/rest.ts";
import { expectField } from "../typed/expected_answer.ts";

/** A permission on a resource about which the server is asked (SubjectAccessReview). */
export interface ResourceAccess {
  /** The verb of the reviewed permission, such as `get`, `list`, `create`; `*` is every verb. */
  readonly verb: string;
  /** The resource of the reviewed permission. */
  readonly type: Pick<ResourceType, "group" | "version" | "plural">;
  /** The subresource of the reviewed permission, such as `status`. @default the resource itself */
  readonly subresource?: string | undefined;
  /**
   * The namespace of the reviewed permission.
   *
   * @default all namespaces; none for a cluster-scoped resource
   */
  readonly namespace?: string | undefined;
  /** The name of the only object of the reviewed permission. @default all objects */
  readonly name?: string | undefined;
}

/** The server's decision on a permission: the result of an access review. */
export interface AccessDecision {
  /** Reports whether the reviewed access is allowed. */
  readonly allowed: boolean;
  /**
   * Reports whether an authorizer denied the reviewed access explicitly, so that no other
   * authorizer can allow it; `false` or absent when none did, although `allowed` may be `false`.
   */
  readonly denied?: boolean;
  /** The reason of the access decision, for users; absent or empty when the server states none. */
  readonly reason?: string;
  /**
   * The error that occurred while the server evaluated the access, absent if none did; the decision
   * is valid nevertheless.
   */
  readonly evaluationError?: string;
}

/**
 * Returns the server's decision on whether the user of the client has a permission, as `kubectl
 * auth can-i` does. A missing permission is a result, not an error.
 *
 * @throws {DecodeError} When the response has no decision.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, reviewOwnAccess } from "@xca/operator/client";
 * import { Deployment } from "@xca/operator/meta";
 *
 * const fetch = () => Promise.resolve(Response.json({ status: { allowed: true } }));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const access = { verb: "create", type: Deployment, namespace: "default" };
 * const { allowed } = await reviewOwnAccess(client, access);
 * assert(allowed);
 * ```
 */
export async function reviewOwnAccess(
  client: RestCalls,
  access: ResourceAccess | {
    /** The verb of the request outside of resources, such as `get`. */
    readonly verb: string;
    /** The URL path of the request outside of resources, such as `/metrics`. */
    readonly path: string;
  },
  options: CallOptions = {},
): Promise<AccessDecision> {
  return await review(client, "SelfSubjectAccessReview", { spec: attributes(access), options });
}

/**
 * Returns the server's decision on whether the given user has a permission; a missing one is a
 * result, not an error. The client needs `create` of subjectaccessreviews.
 *
 * @throws {DecodeError} When the response has no decision.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, reviewAccess } from "@xca/operator/client";
 *
 * const fetch = () => Promise.resolve(Response.json({ status: { allowed: false, reason: "no rule" } }));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const decision = await reviewAccess(client, { user: "jane" }, { verb: "get", path: "/metrics" });
 * assert.deepEqual(decision, { allowed: false, reason: "no rule" });
 * ```
 */
export async function reviewAccess(
  client: RestCalls,
  subject: {
    /** The name of the user whose access is reviewed. The server requires a user or groups. */
    readonly user?: string | undefined;
    /** The groups of the user whose access is reviewed. */
    readonly groups?: readonly string[] | undefined;
    /** The UID of the user whose access is reviewed. */
    readonly uid?: string | undefined;
    /** The extra fields of the user whose access is reviewed: the values by name. */
    readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
  },
  access: Parameters<typeof reviewOwnAccess>[1],
  options: CallOptions = {},
): Promise<AccessDecision> {
  const spec = { ...subject, ...attributes(access) };
  return await review(client, "SubjectAccessReview", { spec, options });
}

async function review(
  client: RestCalls,
  kind: "SelfSubjectAccessReview" | "SubjectAccessReview",
  { spec, options }: { readonly spec: unknown; readonly options: CallOptions },
): Promise<AccessDecision> {
  const call = { method: "POST", path: `/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s` };
  const answer = await client.requestJson({
    ...options,
    ...call,
    body: { apiVersion: "authorization.k8s.io/v1", kind, spec },
  });
  const status = expectField<AccessDecision>(answer, {
    kind,
    field: "status",
    has: ["allowed", "boolean"],
  }, call);
  return status;
}

function attributes(access: Parameters<typeof reviewOwnAccess>[1]): Record<string, unknown> {
  if ("path" in access) {
    return { nonResourceAttributes: { verb: access.verb, path: access.path } };
  }
  const { verb, type, subresource, namespace, name } = access;
  const { group, version, plural: resource } = type;
  return {
    resourceAttributes: { verb, group, version, resource, subresource, namespace, name },
  };
}

/** The permissions of the client's user in a namespace; the result of {@linkcode listOwnRules}. */
export type OwnRules = Awaited<ReturnType<typeof listOwnRules>>;

/**
 * Returns the permissions of the user of the client in a namespace, as `kubectl auth can-i --list`
 * does.
 *
 * @throws {DecodeError} When the response has no permissions.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, listOwnRules } from "@xca/operator/client";
 *
 * const resourceRules = [{ verbs: ["get", "list"], apiGroups: [""], resources: ["pods"] }];
 * const fetch = () => Promise.resolve(Response.json({ status: { resourceRules, nonResourceRules: [], incomplete: false } }));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 * const rules = await listOwnRules(client, "default");
 * assert.deepEqual(rules.resourceRules[0]?.verbs, ["get", "list"]);
 * ```
 */
export async function listOwnRules(
  client: RestCalls,
  namespace: string,
  options: CallOptions = {},
): Promise<{
  /** The rules of the user's permissions on resources. */
  readonly resourceRules: readonly {
    /** The verbs that the permission rule allows; `*` is every verb. */
    readonly verbs: readonly string[];
    /** The API groups that the permission rule covers. */
    readonly apiGroups?: readonly string[];
    /** The resources that the permission rule covers, such as `pods` or `pods/log`. */
    readonly resources?: readonly string[];
    /** The names of the objects that the permission rule covers. @default all objects */
    readonly resourceNames?: readonly string[];
  }[];
  /** The rules of the user's permissions on URL paths outside of resources. */
  readonly nonResourceRules: readonly {
    readonly verbs: readonly string[];
    readonly nonResourceURLs?: readonly string[];
  }[];
  /**
   * Reports whether the list of permissions may be incomplete, because an authorizer cannot list
   * its rules.
   */
  readonly incomplete: boolean;
  /**
   * The error that occurred while the server evaluated the user's permissions; absent if none did.
   */
  readonly evaluationError?: string;
}> {
  const call = { method: "POST", path: "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews" };
  const answer = await client.requestJson({
    ...options,
    ...call,
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectRulesReview",
      spec: { namespace },
    },
  });
  const status = expectField<OwnRules>(
    answer,
    { kind: "SelfSubjectRulesReview", field: "status" },
    call,
  );
  return status;
}
