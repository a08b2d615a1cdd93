/**
 * Users of a conformance case: the administrator speaks for them, by impersonation.
 *
 * @module
 */
import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import type { CallOptions, Target } from "../target.ts";

export const RBAC = "rbac.authorization.k8s.io/v1";
const REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

/** Speaks for a user, in one group at most. */
export function as(user: string, group?: string): CallOptions {
  return { headers: { "Impersonate-User": user, ...(group && { "Impersonate-Group": group }) } };
}

/** The access of a user, as in a SubjectAccessReview. */
export interface Allowed {
  readonly verb: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
}

/**
 * Waits, unrecorded, until a new role has reached the authorizer, which kube-apiserver informs
 * later.
 */
export async function untilAllowed(
  t: Target,
  user: string,
  allowed: Allowed,
  groups: readonly string[] = [],
): Promise<void> {
  const spec = {
    user,
    groups,
    ...(allowed.path
      ? { nonResourceAttributes: allowed }
      : { resourceAttributes: { namespace: t.namespace, ...allowed } }),
  };
  await until(async () => {
    const { body } = await t.post(REVIEWS, { spec }, { unrecorded: true });
    return body.status?.allowed === true;
  }, `that ${user} is allowed ${JSON.stringify(allowed)}`);
}

type Rule = Readonly<Record<string, readonly string[]>>;

/** Creates a Role with some rules in the case's namespace, and binds it to a user; unrecorded. */
export async function grant(
  t: Target,
  user: string,
  rules: readonly Rule[],
  { name = "granted", await: allowed }: { readonly name?: string; readonly await: Allowed },
): Promise<void> {
  const role = await t.post(t.path("roles", RBAC), { metadata: { name }, rules }, quiet);
  assert.equal(role.code, 201, JSON.stringify(role.body));
  await bind(t, name, [{ kind: "User", name: user }]);
  await untilAllowed(t, user, allowed);
}

/** Binds a Role of the case's namespace; unrecorded. */
export async function bind(
  t: Target,
  role: string,
  subjects: readonly Readonly<Record<string, string>>[],
  kind: "Role" | "ClusterRole" = "Role",
): Promise<void> {
  const binding = {
    metadata: { name: `bind-${role.replaceAll(":", "-")}` },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: role },
    subjects: subjects.map((each) =>
      each["kind"] === "ServiceAccount" ? each : { apiGroup: "rbac.authorization.k8s.io", ...each }
    ),
  };
  const made = await t.post(t.path("rolebindings", RBAC), binding, quiet);
  assert.equal(made.code, 201, JSON.stringify(made.body));
}

/** Creates a cluster-scoped RBAC object, and deletes it when the scope ends; unrecorded. */
export async function clusterScoped(
  t: Target,
  plural: "clusterroles" | "clusterrolebindings",
  object: { readonly metadata: { readonly name: string } } & Record<string, unknown>,
): Promise<AsyncDisposable> {
  const path = `/apis/${RBAC}/${plural}`;
  const made = await t.post(path, object, quiet);
  assert.equal(made.code, 201, JSON.stringify(made.body));
  return {
    [Symbol.asyncDispose]: async () => {
      await t.delete(`${path}/${object.metadata.name}`, undefined, quiet);
    },
  };
}

/** Leaves a call out of the record. */
export const quiet: CallOptions = { unrecorded: true };
