/**
 * Each rule that is generated for an operator is used by it: without the rule, and without the check at
 * the start, the embedded API server refuses a request that the rule would allow. So no rule is there
 * that the operator does not need.
 */
import assert from "node:assert/strict";
import { ApiServer } from "../../lib/apiserver/mod.ts";
import type { UnstructuredObject } from "../../lib/apimachinery/meta/mod.ts";
import { createManager } from "../../lib/manager/mod.ts";
import { type PolicyRule, type RbacManifest, rbacManifests } from "../../lib/rbac/mod.ts";
import { clientOf } from "../../lib/testing/mod.ts";
import { greeter, greeterSetup } from "../support/operators/rbac_operator.ts";
import { until } from "../support/until.ts";

const NAMESPACE = "greeter-system";
const SETUP = greeterSetup("greeter", "127.0.0.1:0", "127.0.0.1:0");
const MANIFESTS = rbacManifests(greeter, { ...SETUP, namespace: NAMESPACE, userRoles: false });

/** The fields of an audit event that the test looks at. */
interface Audited {
  readonly verb: string;
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly subresource?: string;
  };
  readonly responseStatus?: { readonly code?: number };
}

/** Returns whether an audited request was refused for want of a rule. */
function isRefusedBy(rule: PolicyRule, { verb, objectRef, responseStatus }: Audited): boolean {
  const { apiGroup = "", resource, subresource } = objectRef ?? {};
  const full = subresource === undefined ? resource ?? "" : `${resource}/${subresource}`;
  return responseStatus?.code === 403 && (rule.apiGroups ?? []).includes(apiGroup) &&
    (rule.resources ?? []).includes(full) && rule.verbs.includes(verb);
}

/** Runs the operator as its account under the given manifests until `isEnough` holds. */
async function runUnder(
  manifests: readonly RbacManifest[],
  isEnough: (events: readonly Audited[], greeted: boolean) => boolean,
): Promise<void> {
  const events: Audited[] = [];
  using server = await ApiServer.start({ audit: (line) => void events.push(JSON.parse(line)) });
  await server.seed([...greeter.crds]);
  await server.seed([
    { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } },
    ...manifests as unknown as UnstructuredObject[],
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "default", name: "words" },
      data: { hello: "Hello" },
    } as UnstructuredObject,
    {
      apiVersion: "example.org/v1",
      kind: "Greeting",
      metadata: { namespace: "default", name: "first" },
      spec: { name: "world" },
    } as UnstructuredObject,
  ]);
  using client = clientOf(server, {
    user: `system:serviceaccount:${NAMESPACE}:greeter`,
    groups: ["system:serviceaccounts", "system:authenticated"],
    namespace: NAMESPACE,
  });
  const manager = createManager({ client, ...SETUP, check: false });
  manager.add(greeter);
  await using running = manager.start();
  running.done.catch(() => {});
  const isGreeted = (): boolean =>
    events.some(({ verb, objectRef, responseStatus }) =>
      verb === "create" && objectRef?.resource === "events" && responseStatus?.code === 201
    );
  await until(() => isEnough(events, isGreeted()), () => {
    const refused = events.filter(({ responseStatus }) => responseStatus?.code === 403);
    return `what the rule is for, among refused ${JSON.stringify(refused.slice(0, 3))}`;
  });
}

Deno.test("rbac: the generated rules of an operator allow all its requests", async () => {
  await runUnder(MANIFESTS, (events, greeted) => {
    assert.deepEqual(events.filter(({ responseStatus }) => responseStatus?.code === 403), []);
    return greeted;
  });
});

const GRANTED = MANIFESTS.flatMap(({ roleRef }) => roleRef?.name ?? []);

for (const [at, { kind, metadata, rules = [] }] of MANIFESTS.entries()) {
  if (!kind.endsWith("Role") || !GRANTED.includes(metadata.name)) continue;
  // The metrics server asks for its own rights in place of using them.
  if (metadata.name.endsWith("-metrics-auth")) continue;
  for (const [index, rule] of rules.entries()) {
    // The admission plugin alone asks for it; the test on a kube-apiserver has it enabled.
    if (rule.resources?.some((resource) => resource.endsWith("/finalizers"))) continue;
    const [resource] = rule.resources ?? [];
    Deno.test(`rbac: without the rule of ${resource} (${rule.verbs.join()}) a request of the operator is refused`, async () => {
      const without = MANIFESTS.map((object, place) =>
        place === at ? { ...object, rules: object.rules!.toSpliced(index, 1) } : object
      );
      await runUnder(without, (events) => events.some((event) => isRefusedBy(rule, event)));
    });
  }
}
