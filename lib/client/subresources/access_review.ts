import type { ResourceType } from "@xca/apimachinery/meta";
import type { CallOptions } from "../calls/options.ts";
import type { RestDoor } from "../calls/rest.ts";
import { expectField } from "../typed/expected_answer.ts";

/** What somebody may or may not do to a resource. */
export interface ResourceAccess {
  /** The verb, as `get`, `list`, `create`; `*` is every one. */
  readonly verb: string;
  /** The resource. */
  readonly type: Pick<ResourceType, "group" | "version" | "plural">;
  /** The part of it, as `status`. */
  readonly subresource?: string | undefined;
  /** The namespace. @default all of them, or none for a cluster-scoped resource */
  readonly namespace?: string | undefined;
  /** The object. @default all of them */
  readonly name?: string | undefined;
}

/** What the server decided. */
export interface AccessDecision {
  /** Whether it is allowed. */
  readonly allowed: boolean;
  /** Whether it is forbidden whatever another authorizer says. */
  readonly denied?: boolean;
  /** Why, for people. */
  readonly reason?: string;
  /** What went wrong on the way; the decision stands nevertheless. */
  readonly evaluationError?: string;
}

/**
 * Asks the server whether we may do something: what `kubectl auth can-i` asks.
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
  client: RestDoor,
  access: ResourceAccess | {
    /** The verb, as `get`. */
    readonly verb: string;
    /** The path, as `/metrics`. */
    readonly path: string;
  },
  options: CallOptions = {},
): Promise<AccessDecision> {
  return await review(client, "SelfSubjectAccessReview", { spec: attributes(access), options });
}

/**
 * Asks the server whether somebody else may do something.
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
  client: RestDoor,
  subject: {
    /** The name. */
    readonly user?: string | undefined;
    /** The groups. */
    readonly groups?: readonly string[] | undefined;
    /** The UID. */
    readonly uid?: string | undefined;
    /** Whatever else is known. */
    readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
  },
  access: Parameters<typeof reviewOwnAccess>[1],
  options: CallOptions = {},
): Promise<AccessDecision> {
  const spec = { ...subject, ...attributes(access) };
  return await review(client, "SubjectAccessReview", { spec, options });
}

async function review(
  client: RestDoor,
  kind: "SelfSubjectAccessReview" | "SubjectAccessReview",
  { spec, options }: { readonly spec: unknown; readonly options: CallOptions },
): Promise<AccessDecision> {
  const call = { method: "POST", path: `/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s` };
  const answer = await client.requestJson({
    ...options,
    ...call,
    body: { apiVersion: "authorization.k8s.io/v1", kind, spec },
  });
  const status = expectField<AccessDecision>(answer, { kind, field: "status" }, call);
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

/** What we may do in a namespace, as far as the server can list it. */
export type OwnRules = Awaited<ReturnType<typeof listOwnRules>>;

/**
 * Lists what we may do in a namespace: what `kubectl auth can-i --list` prints.
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
  client: RestDoor,
  namespace: string,
  options: CallOptions = {},
): Promise<{
  /** To resources. */
  readonly resourceRules: readonly {
    /** The verbs; `*` is every one. */
    readonly verbs: readonly string[];
    /** The groups. */
    readonly apiGroups?: readonly string[];
    /** The resources, as `pods` or `pods/log`. */
    readonly resources?: readonly string[];
    /** The objects; absent means all of them. */
    readonly resourceNames?: readonly string[];
  }[];
  /** To paths that are no resources. */
  readonly nonResourceRules: readonly {
    readonly verbs: readonly string[];
    readonly nonResourceURLs?: readonly string[];
  }[];
  /** Whether there may be more: an authorizer cannot list its rules. */
  readonly incomplete: boolean;
  /** What went wrong on the way. */
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
