import assert from "node:assert/strict";
import { createClient } from "@xca/operator/client";
import {
  type KubeObject,
  Namespace,
  Pod,
  resourceType,
  type UnstructuredObject,
} from "@xca/operator/meta";
import { FakeClock, FaultProxy } from "@xca/operator/testing";
import { planeSuite } from "../tests/real/suite.ts";
import { until } from "../tests/support/until.ts";
import { LABEL, labelPods, type LabelPodsOptions } from "./03_label_pods.ts";

interface Role extends KubeObject {
  rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[];
}
interface RoleBinding extends KubeObject {
  roleRef: { apiGroup: string; kind: string; name: string };
  subjects: { apiGroup: string; kind: string; name: string }[];
}
const rbac = { group: "rbac.authorization.k8s.io", version: "v1" };
const Role = resourceType<Role>({ ...rbac, kind: "Role", plural: "roles" });
const RoleBinding = resourceType<RoleBinding>({
  ...rbac,
  kind: "RoleBinding",
  plural: "rolebindings",
});

function pod(name: string, nodeName = "node-1"): UnstructuredObject {
  return {
    metadata: { name },
    spec: { nodeName, containers: [{ name: "main", image: "example" }] },
  };
}

/** Returns the options of the pod labeller for a test, with the printed lines. */
function asking(namespace: string): LabelPodsOptions & { stop: () => void; lines: string[] } {
  const abort = new AbortController();
  const lines: string[] = [];
  return {
    namespace,
    fieldSelector: "spec.nodeName=node-1",
    signal: abort.signal,
    print: (line) => lines.push(line),
    stop: () => abort.abort(),
    lines,
  };
}

const suite = planeSuite();

suite.test("example 03: labels the selected pods of its namespace and no others", async (plane) => {
  using client = createClient(plane.config);
  const isLabelled = async (key: string): Promise<boolean> =>
    (await client.get(Pod, key)).metadata.labels?.["example.org/seen"] === "true";
  await client.create(Namespace, { metadata: { name: "mine" } });
  await client.create(Pod, pod("early"), { namespace: "mine" });
  await client.create(Pod, pod("elsewhere", "node-2"), { namespace: "mine" });
  await client.create(Pod, pod("foreign"), { namespace: "default" });
  const options = asking("mine");
  const labelling = labelPods(client, options);

  await until(() => isLabelled("mine/early"));
  await client.create(Pod, pod("late"), { namespace: "mine" });
  await until(() => isLabelled("mine/late"));
  const without = {
    type: "merge",
    body: { metadata: { labels: { "example.org/seen": null } } },
  } as const;
  await client.patch(Pod, "mine/late", without);
  await until(() => options.lines.filter((line) => line === "mine/late is labelled").length === 2);
  assert(await isLabelled("mine/late"), "a label taken away by hand comes back");
  assert(!await isLabelled("mine/elsewhere"), "the field selector leaves it out");
  assert(!await isLabelled("default/foreign"), "it is in another namespace");
  options.stop();
  await labelling;
});

Deno.test("example 03: a stop before the first list ends it without an error", async () => {
  using client = createClient({ server: "http://127.0.0.1:9" });
  const stop = new AbortController();
  const labelling = labelPods(client, {
    namespace: "default",
    fieldSelector: "spec.nodeName=node-1",
    signal: stop.signal,
    print: () => {},
  });
  stop.abort();
  await labelling;
});

suite.test("example 03: a pod it gave up on is labelled at a resync, once it may be", async (plane) => {
  using admin = createClient(plane.config);
  await admin.create(Namespace, { metadata: { name: "guarded" } });
  await admin.create(Pod, pod("web"), { namespace: "guarded" });
  const grant = async (name: string, verbs: string[]): Promise<void> => {
    const metadata = { name, namespace: "guarded" };
    await admin.create(Role, {
      metadata,
      rules: [{ apiGroups: [""], resources: ["pods"], verbs }],
    });
    const apiGroup = rbac.group;
    await admin.create(RoleBinding, {
      metadata,
      roleRef: { apiGroup, kind: "Role", name },
      subjects: [{ apiGroup, kind: "User", name: "labeller" }],
    });
  };
  await grant("reads", ["get", "list", "watch"]);
  using client = createClient((await plane.addUser("labeller")).config);
  await until(() => client.list(Pod, { namespace: "guarded" }).then(() => true, () => false));

  const clock = new FakeClock();
  const options = { ...asking("guarded"), resyncPeriodMs: 300_000, clock };
  const labelling = labelPods(client, options);
  const givesUp = (): boolean =>
    options.lines.some((line) => line.includes("left to the next resync"));
  await until(async () => {
    await clock.advance(100);
    return givesUp();
  });
  await grant("writes", ["patch"]);
  const mayPatch = (): Promise<boolean> =>
    client.patch(Pod, "guarded/web", { type: "merge", body: {} }, { dryRun: true })
      .then(() => true, () => false);
  await until(mayPatch);
  assert.equal(options.lines.length, 4, "nothing brings the pod again but time");
  clock.step(300_000);
  await until(() => options.lines.includes("guarded/web is labelled"));
  options.stop();
  await labelling;
});

suite.test("example 03: a pod deleted while the connection is down is told by a tombstone", async (plane) => {
  using direct = createClient(plane.config);
  await using proxy = FaultProxy.start({ target: plane.url });
  using client = createClient({ ...plane.config, server: proxy.urlOf(plane.url) });
  await direct.create(Namespace, { metadata: { name: "cut" } });
  for (const name of ["stays", "goes"]) await direct.create(Pod, pod(name), { namespace: "cut" });
  const options = asking("cut");
  const labelling = labelPods(client, options);
  await until(() => options.lines.includes("cut/goes is labelled"));
  await until(() => options.lines.includes("cut/stays is labelled"));

  await proxy.refuse();
  proxy.cutAll();
  await direct.delete(Pod, "cut/goes", { gracePeriodSeconds: 0 });
  await plane.expireHistory();
  await proxy.resume();
  await until(() => options.lines.includes("cut/goes is gone"));
  assert(options.lines.includes("cut/goes was deleted while nobody watched"));
  assert.deepEqual((await direct.get(Pod, "cut/stays")).metadata.labels, LABEL);
  options.stop();
  await labelling;
});
