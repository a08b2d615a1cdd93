/** Tests of recorded accesses, and of their comparison with what controllers declare. */
import assert from "node:assert/strict";
import { ConfigMap, Deployment, Namespace, Secret } from "@xca/apimachinery/meta";
import { ApiServer } from "../../apiserver/server.ts";
import type { RestRequest } from "../../client/calls/rest.ts";
import { mergePatch } from "../../client/typed/patch.ts";
import type { Client } from "../../client/typed/client.ts";
import { applyChild } from "../../controller/children/apply_child.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import { finalize } from "../../controller/finalizer/finalize.ts";
import { runOperator } from "../../controller/operator/run_operator.ts";
import { defineOperator } from "../../controller/operator/operator.ts";
import { clientOf } from "../../testing/embedded_client.ts";
import { needsOf } from "../rules_of.ts";
import { accessOfAudit, parseAudit } from "./audit_access.ts";
import { compareAccess } from "./compare_access.ts";
import { type ObservedAccess, parseObservation } from "./observed_access.ts";
import { recordAccess } from "./record_access.ts";

/** Returns recorded accesses as lines. */
function lines(accesses: readonly ObservedAccess[]): string[] {
  return accesses.map(({ controller, verb, resource, group, namespace, name }) =>
    [controller || "-", verb, group ? `${resource}.${group}` : resource, namespace, name ?? ""]
      .join(" ").trim()
  ).sort();
}

/** Runs a controller on the ConfigMap `default/web` until it is idle, and returns the observed accesses. */
async function observe(controller: ControllerDefinition): Promise<ObservedAccess[]> {
  using server = await ApiServer.start();
  using own = clientOf(server);
  await own.create(ConfigMap, { metadata: { name: "web", namespace: "default" } });
  const recording = recordAccess(own);
  const operator = defineOperator({ name: "copier", controllers: [controller] });
  const handle = runOperator(operator, { client: recording.client, namespace: "default" });
  await handle.settled();
  await handle.stop();
  assert.deepEqual(parseObservation(recording.text), recording.accesses);
  return [...recording.accesses];
}

Deno.test("rbac: each call of a client is recorded with its verb, resource, namespace and name", async () => {
  using server = await ApiServer.start();
  using own = clientOf(server);
  const recording = recordAccess(own);
  const client: Client = recording.client;
  const made = await client.create(Secret, { metadata: { namespace: "default", name: "a" } });
  await client.update(Secret, made);
  await client.get(Secret, "default/a");
  await client.patch(Secret, "default/a", mergePatch({ metadata: { labels: { a: "b" } } }));
  await client.apply(ConfigMap, { metadata: { namespace: "default", name: "b" } });
  await client.list(Secret, { fieldSelector: "metadata.name=a" });
  for await (const _ of client.pages(ConfigMap, { namespace: "default" })) break;
  await client.delete(Secret, "default/a");
  await client.deleteCollection(ConfigMap, { namespace: "default" });
  await client.get(Namespace, "default");
  await client.patchStatus(Deployment, "default/x", mergePatch({ status: {} })).catch(() => {});
  await client.requestJson({ path: "/apis/apps/v1/namespaces/default/deployments/x/scale" })
    .catch(() => {});
  await client.requestJson({ path: "/version" });
  await client.connect({ path: "/api/v1/namespaces/default/pods/a/exec", protocols: [] })
    .catch(() => {});
  assert.deepEqual(lines(recording.accesses), [
    "- create configmaps default b",
    "- create pods/exec default a",
    "- create secrets default",
    "- delete secrets default a",
    "- deletecollection configmaps default",
    "- get deployments/scale.apps default x",
    "- get namespaces  default",
    "- get pods/exec default a",
    "- get secrets default a",
    "- list configmaps default",
    "- list secrets  a",
    "- patch configmaps default b",
    "- patch deployments/status.apps default x",
    "- patch secrets default a",
    "- update secrets default a",
  ]);
});

/** The access that the API server takes from each request (requestinfo.go, NewRequestInfo). */
const REQUESTS: readonly (readonly [RestRequest, string])[] = [
  [{ path: "/api/v1/namespaces/a/pods/b/proxy/metrics/x" }, "get pods/proxy a b"],
  [{ path: "/api/v1/nodes/b/proxy/metrics" }, "get nodes/proxy  b"],
  [{ path: "/api/v1/namespaces/a/pods/b", query: { watch: true } }, "get pods a b"],
  [{ path: "/api/v1/namespaces/a/pods", query: { watch: "yes" } }, "watch pods a"],
  [{ path: "/api/v1/namespaces/a/pods", query: { watch: "False" } }, "list pods a"],
  [{ path: "/api/v1/namespaces/a/pods", query: { watch: 0 } }, "list pods a"],
  [{ path: "/api/v1/namespaces/a/pods", query: { watch: "" } }, "list pods a"],
  [
    { path: "/api/v1/namespaces/a/pods", query: { watch: 1, fieldSelector: "metadata.name=b" } },
    "watch pods a b",
  ],
  [{ path: "/api/v1/watch/namespaces/a/pods" }, "watch pods a"],
  [{ path: "/api/v1/watch/namespaces/a/pods/b" }, "watch pods a b"],
  [
    { path: "/api/v1/watch/pods", query: { fieldSelector: "metadata.name=b" } },
    "watch pods",
  ],
  [{ method: "delete", path: "/api/v1/namespaces/a/pods" }, "deletecollection pods a"],
  [{ method: "post", path: "/api/v1/namespaces/a/pods" }, "create pods a"],
];

for (const [request, access] of REQUESTS) {
  Deno.test(`rbac: ${JSON.stringify(request)} is recorded as ${access}`, async () => {
    using server = await ApiServer.start();
    using client = clientOf(server);
    const recording = recordAccess(client);
    const signal = AbortSignal.abort();
    await assert.rejects(recording.client.request({ ...request, signal }));
    assert.deepEqual(lines(recording.accesses), [`- ${access}`]);
  });
}

const copier = controllerFor(ConfigMap).owns(Secret).named("copier");

Deno.test("rbac: what controllers declare and what they were observed to do are equal", async () => {
  const controller = copier
    .uses(Secret, ["applyChild"])
    .uses(ConfigMap, ["finalize", "recordEvents"])
    .reconcile(async (context) => {
      const object = context.cache.get(ConfigMap, context.key);
      if (!object) return;
      const finalizer = "example.org/copier";
      await finalize(context, ConfigMap, object, { finalizer, cleanup: () => Promise.resolve() });
      const owner = { type: ConfigMap, object };
      const metadata = { name: context.name };
      await applyChild(context, Secret, { metadata }, { owner, fieldManager: "copier" });
      const event = { type: "Normal", reason: "Copied", note: "Copied" } as const;
      context.events.record(ConfigMap, object, event);
    });
  const observed = await observe(controller);
  assert.deepEqual(
    // A second run of the key, by its own writes, may repeat the event.
    lines(observed).filter((line) => !/ (list|watch|patch events\S*) /.test(line)),
    [
      "- create events.events.k8s.io default",
      "copier create secrets default web",
      "copier get secrets default web",
      "copier patch configmaps default web",
      "copier patch secrets default web",
    ],
  );
  const needs = needsOf({ controllers: [controller] }, { namespaces: ["default"] });
  assert.deepEqual(compareAccess(needs, observed), []);
});

Deno.test("rbac: a lack and an excess name the rule, the controller, and the request that showed it", async () => {
  const controller = copier
    .uses(Secret, ["delete"])
    .uses(ConfigMap, ["updateStatus"])
    .reconcile(async ({ client, name }) => {
      await client.apply(Secret, { metadata: { name } });
    });
  const needs = needsOf({ controllers: [controller] });
  const differences = compareAccess(needs, await observe(controller));
  assert.deepEqual(differences.map(({ message }) => message), [
    "controller copier needs create secrets in namespace default, as PATCH " +
    "/api/v1/namespaces/default/secrets/web showed, and no controller declares it; declare it by " +
    '.uses(), which gives {"apiGroups":[""],"resources":["secrets"],"verbs":["create"]}',
    "controller copier needs patch secrets in namespace default, as PATCH " +
    "/api/v1/namespaces/default/secrets/web showed, and no controller declares it; declare it by " +
    '.uses(), which gives {"apiGroups":[""],"resources":["secrets"],"verbs":["patch"]}',
    "controller copier: it declares delete of Secret, and no request showed the use of " +
    '{"apiGroups":[""],"resources":["secrets"],"verbs":["delete"]}; remove the declaration, or ' +
    "observe a run that needs it",
    "controller copier: it declares updateStatus of ConfigMap, and no request showed the use of " +
    '{"apiGroups":[""],"resources":["configmaps/status"],"verbs":["update"]}; remove the ' +
    "declaration, or observe a run that needs it",
  ]);
});

Deno.test("rbac: the audit log of the embedded server shows the same accesses as the recorder", async () => {
  const log: string[] = [];
  using server = await ApiServer.start({ audit: (line) => void log.push(line) });
  using own = clientOf(server);
  const recording = recordAccess(own);
  const { client } = recording;
  await client.apply(Secret, { metadata: { namespace: "default", name: "a" } });
  await client.get(Secret, "default/a");
  await client.list(ConfigMap, { namespace: "default" });
  await client.delete(Secret, "default/a");
  const audited = accessOfAudit(parseAudit(log.join("\n")) ?? []);
  assert.deepEqual(lines(audited), lines(recording.accesses));
});

Deno.test("rbac: a recording of another version, and a damaged one, are refused; other text is no recording", () => {
  assert.throws(() => parseObservation('{"observedAccess":9}'), /its version is 9, and not 1/);
  assert.throws(() => parseObservation('{"observedAccess":1,"accesses":[{}]}'), /damaged/);
  assert.equal(parseObservation("kind: Role"), undefined);
  assert.equal(parseObservation("{}"), undefined);
  assert.equal(parseAudit("kind: Role"), undefined);
  assert.equal(parseAudit('{"verb":"get"}'), undefined);
  const event = { verb: "get", requestURI: "/x", user: {} };
  assert.equal(parseAudit(JSON.stringify(event))?.length, 1);
  for (const objectRef of [null, "a", { resource: 5 }]) {
    assert.equal(parseAudit(JSON.stringify({ ...event, objectRef })), undefined);
  }
});
