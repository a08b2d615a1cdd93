/** Tests of the API server in process with the controllers of a simulated cluster. */
import assert from "node:assert/strict";
import {
  ComponentStatus,
  CronJob,
  Deployment,
  Job,
  Namespace,
  Node,
  Pod,
  resourceType,
  Secret,
  ServiceAccount,
} from "@xca/apimachinery/meta";
import { systemClock } from "@xca/apimachinery/base";
import type { V1Pod } from "@xca/apimachinery/kubernetes-types";
import { podOf } from "../../tests/support/in_process/living_cluster.ts";
import { ConfigError } from "../client/config/config.ts";
import { podLogs } from "../client/pods/pod_log.ts";
import type { ContainerScript } from "../cluster/kubelet/container_script.ts";
import { ApiServer } from "./api_server.ts";
import { clientOf } from "./embedded_client.ts";
import { expectGone, expectObject } from "./expect_object.ts";
import { FakeClock } from "./fake_clock.ts";

const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "web:1" }] }
`;

function cronJob(name: string): string {
  return `
apiVersion: batch/v1
kind: CronJob
metadata: { name: ${name} }
spec:
  schedule: "* * * * *"
  successfulJobsHistoryLimit: 100
  jobTemplate:
    spec:
      template:
        metadata:
          annotations: { kubelet.xca.k8s.kb.cx/script: '{ "*": { "runMs": 1000 } }' }
        spec: { restartPolicy: Never, containers: [{ name: job, image: "job:1" }] }
`;
}

Deno.test("an API server with controllers makes a Deployment available, and ends them before itself", async () => {
  await using server = await ApiServer.start({ controllers: ["*"] });
  await server.seed(DEPLOYMENT);
  await expectObject(server, Deployment, "default/web", { status: { availableReplicas: 3 } });
  const { cluster } = server;
  await server[Symbol.asyncDispose]();
  await cluster?.done;
});

Deno.test("a client with groups and no user, which would be the administrator, is refused", async () => {
  using server = await ApiServer.start();
  assert.throws(
    () => clientOf(server, { groups: ["viewers"] }),
    (error) =>
      error instanceof ConfigError &&
      /groups \["viewers"\] without a user: .* administrator; give user too/.test(error.message),
  );
});

Deno.test("a virtual clock makes a Deployment available in no time", async () => {
  const clock = new FakeClock();
  await using server = await ApiServer.start({ controllers: ["*"], clock });
  await server.seed(DEPLOYMENT);
  await expectObject(server, Deployment, "default/web", { status: { availableReplicas: 3 } });
  assert.equal(clock.monotonicMs(), 0);
});

Deno.test("a virtual clock passes during an expectation, and until its timeout at most", async () => {
  const clock = new FakeClock();
  await using server = await ApiServer.start({ controllers: ["*"], clock, nodes: 1 });
  using client = clientOf(server);
  const script = JSON.stringify({ "*": { readyAfterMs: 30_000 } });
  const annotations = { "kubelet.xca.k8s.kb.cx/script": script };
  const { metadata, spec } = podOf("slow");
  await client.create(Pod, { metadata: { ...metadata, annotations }, spec: spec! });
  const conditions = { status: { containerStatuses: [] } };
  await assert.rejects(
    expectObject(server, Pod, "default/slow", conditions, { timeoutMs: 10_000 }),
    /within 10 s/,
  );
  assert.equal(clock.monotonicMs(), 10_000);
  const isReady = ({ status }: { readonly status?: V1Pod["status"] }): boolean =>
    status?.containerStatuses?.[0]?.ready === true;
  await expectObject(server, Pod, "default/slow", isReady);
  assert.equal(clock.monotonicMs(), 30_000);
  await client.delete(Pod, "default/slow");
  await expectGone(server, Pod, "default/slow");
});

Deno.test("a virtual clock runs all Jobs of an hour of a CronJob", async () => {
  const clock = new FakeClock();
  await using server = await ApiServer.start({ controllers: ["*"], clock });
  await server.seed(cronJob("report"));
  await clock.advance(3_610_000);
  using client = clientOf(server);
  const { items } = await client.list(Job);
  const done = items.filter(({ status }) => status?.succeeded === 1);
  assert.deepEqual([items.length, done.length], [60, 60]);
  const [created] = items.map(({ metadata }) => metadata.creationTimestamp).toSorted();
  assert.equal(created, "2026-01-01T00:01:00Z");
  assert.equal((await client.get(CronJob, "default/report")).status?.active, undefined);
});

Deno.test("controllers are selected by the names of kube-controller-manager, those of the server too", async () => {
  const controllers = ["*", "-scheduler", "-namespace-controller"];
  await using server = await ApiServer.start({ controllers, clock: new FakeClock(), nodes: 1 });
  await server.seed(DEPLOYMENT);
  await expectObject(server, Deployment, "default/web", { status: { unavailableReplicas: 3 } });
  using client = clientOf(server);
  const { items } = await client.list(Pod);
  assert.deepEqual(items.map(({ spec }) => spec?.nodeName), [undefined, undefined, undefined]);
  await client.create(Namespace, { metadata: { name: "left" } });
  await client.delete(Namespace, "left");
  await assert.rejects(
    expectGone(server, Namespace, "left"),
    /was not gone within 60 s; it was last .*Terminating/,
  );
});

Deno.test("without a controller of a cluster the server starts none", async () => {
  for (const controllers of [undefined, true, false, [], ["namespace-controller"]]) {
    await using server = await ApiServer.start(controllers === undefined ? {} : { controllers });
    assert.equal(server.cluster, undefined);
    using client = clientOf(server);
    await client.create(Pod, podOf("alone"));
    assert.deepEqual((await client.list(ServiceAccount)).items, []);
  }
});

Deno.test("component statuses report the components that run in the process as healthy", async () => {
  const cases: [string[] | boolean, string[]][] = [
    [true, ["etcd-0"]],
    [["*"], ["controller-manager", "etcd-0", "scheduler"]],
    [["*", "-scheduler"], ["controller-manager", "etcd-0"]],
    [["kubelet", "scheduler"], ["etcd-0", "scheduler"]],
  ];
  for (const [controllers, expected] of cases) {
    await using server = await ApiServer.start({ controllers, clock: new FakeClock() });
    using client = clientOf(server, { onWarning: () => {} });
    const { items } = await client.list(ComponentStatus);
    const healthy = items.filter(({ conditions = [] }) => conditions[0]?.status === "True");
    assert.deepEqual(healthy.map(({ metadata }) => metadata.name).sort(), expected);
    assert.equal(items.length, 3);
  }
});

Deno.test("pods have a service account at once, and Secrets of tokens get one", async () => {
  await using server = await ApiServer.start({ controllers: ["*"], clock: new FakeClock() });
  using client = clientOf(server);
  const pod = await client.create(Pod, podOf("early"));
  assert.equal(pod.spec?.serviceAccountName, "default");
  const annotations = { "kubernetes.io/service-account.name": "default" };
  const type = "kubernetes.io/service-account-token";
  await client.create(Secret, { metadata: { name: "token", annotations }, type });
  await expectObject(server, Secret, "default/token", ({ data }) => Boolean(data?.["token"]));
});

Deno.test("logs come from the kubelet, which nodes name by the same port in each run", async () => {
  const script = (): ContainerScript => ({ logs: ["started"] });
  await using server = await ApiServer.start({ controllers: ["*"], nodes: 1, script });
  using client = clientOf(server);
  await client.create(Pod, podOf("logging"));
  await expectObject(server, Pod, "default/logging", { status: { phase: "Running" } });
  const log = await new Response(await podLogs(client, "default/logging")).text();
  assert.equal(log, "started\n");
  const { status } = await client.get(Node, "node-1");
  assert.equal(status?.daemonEndpoints?.kubeletEndpoint?.Port, 10_250);
});

Deno.test("a server with controllers is not ended by using alone, which the error says", async () => {
  const server = await ApiServer.start({ controllers: ["scheduler"], clock: new FakeClock() });
  const { cluster } = server;
  assert.throws(() => server[Symbol.dispose](), /in one step: declare it by `await using`/);
  await server[Symbol.asyncDispose]();
  await cluster?.done;
});

Deno.test("options that select or affect no controller are refused", async () => {
  const refused: [Parameters<typeof ApiServer.start>[0], RegExp][] = [
    [
      { controllers: ["kublet"] },
      /controller "kublet": known are .*clusterrole-aggregation-.*, ttl-after/,
    ],
    [{ controllers: ["*", "-gc"] }, /controller "gc": known are/],
    [{ controllers: ["-kubelet"] }, /\["-kubelet"\] selects none, add "\*" for all others/],
    [{ nodes: 3 }, /option nodes without a simulated cluster: give controllers, such as \["\*"\]/],
    [{ controllers: ["*"], nodes: -1 }, /-1 nodes: give a number from 0 to 1000/],
  ];
  for (const [options, message] of refused) {
    await assert.rejects(ApiServer.start(options), (error: Error) => {
      assert(error instanceof RangeError);
      assert.match(error.message, message);
      return true;
    });
  }
});

const WIDGETS = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.org }
spec:
  group: example.org
  scope: Namespaced
  names: { kind: Widget, plural: widgets }
  versions:
  - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
  - { name: v0, served: false, storage: false, schema: { openAPIV3Schema: { type: object } } }
`;

const Widget = resourceType({
  group: "example.org",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
});

Deno.test("seed() of a definition resolves when its kind is served", async () => {
  for (const clock of [systemClock, new FakeClock()]) {
    using server = await ApiServer.start({ clock });
    using client = clientOf(server);
    await server.seed(WIDGETS);
    const { metadata } = await client.create(Widget, { metadata: { name: "a" } });
    assert.equal(metadata.name, "a");
  }
});

Deno.test("seed() of a definition whose names are taken does not wait for ever", async () => {
  using server = await ApiServer.start({ clock: new FakeClock() });
  await server.seed(WIDGETS);
  const [second] = await server.seed(
    WIDGETS.replaceAll("widgets", "others"), // The kind is taken.
  );
  assert.equal(second?.metadata.name, "others.example.org");
});
