/**
 * The operators of the examples on a kube-apiserver, with controllers of kube-controller-manager and a
 * kubelet that pretends, each as a user with the rights that it declares.
 */
import assert from "node:assert/strict";
import * as backup from "../../examples/10_backup/operator.ts";
import { Database } from "../../examples/10_backup/database.ts";
import { Outside } from "../../examples/10_backup/test_server.ts";
import * as leader from "../../examples/11_leader/election.ts";
import { WebApp } from "../../examples/12_app/app.ts";
import * as app from "../../examples/12_app/operator.ts";
import * as upgrade from "../../examples/13_upgrade/operator.ts";
import { Shop } from "../../examples/13_upgrade/shop.ts";
import * as outside from "../../examples/14_outside_service/operator.ts";
import { OutsideService } from "../../examples/14_outside_service/outside_service.ts";
import { Registry } from "../../examples/14_outside_service/registry.ts";
import { TestRegistry } from "../../examples/14_outside_service/test_registry.ts";
import { Chaos } from "../../examples/15_chaos/chaos.ts";
import { BY_LABEL } from "../../examples/15_chaos/injector.ts";
import * as chaos from "../../examples/15_chaos/operator.ts";
import { systemClock } from "../../lib/apimachinery/base/mod.ts";
import type { V1Pod } from "../../lib/apimachinery/kubernetes_types/mod.ts";
import {
  Deployment,
  EndpointSlice,
  EventsEvent,
  findCondition,
  HorizontalPodAutoscaler,
  Ingress,
  Pod,
  PodDisruptionBudget,
  Service,
} from "../../lib/apimachinery/meta/mod.ts";
import { mergePatch } from "../../lib/client/mod.ts";
import type { Operator } from "../../lib/controller/mod.ts";
import type { ControlPlane } from "../../lib/testing/mod.ts";
import { UPSTREAM_CONTROLLERS } from "../cluster/play.ts";
import {
  dueClock,
  type ExampleOptions,
  ExamplePlane,
  install,
} from "../support/planes/example_plane.ts";
import { deploymentOf } from "../support/in_process/living_cluster.ts";
import { until } from "../support/until.ts";
import { realSuite } from "./suite.ts";

const suite = realSuite({
  controllers: UPSTREAM_CONTROLLERS,
  // Only this plugin asks for the right to update the finalizers of an owner.
  apiserverFlags: ["--enable-admission-plugins=OwnerReferencesPermissionEnforcement"],
});

const SCRIPT = "kubelet.xca.k8s.kb.cx/script";

/**
 * Starts the operator of an example. The definitions of all are installed before the first, since the
 * garbage collector of kube-controller-manager looks for new kinds every half a minute.
 */
async function start(
  plane: ControlPlane,
  operator: Operator,
  options: ExampleOptions = {},
): Promise<ExamplePlane> {
  const all = [backup, leader, app, upgrade, outside, chaos].map((example) => example.operator);
  await install(plane, all);
  return await ExamplePlane.start(plane, operator, options);
}

/** Creates three pods of an application, and waits until they are ready. */
async function deploy({ client, namespace }: ExamplePlane, app = "web"): Promise<void> {
  const deployment = deploymentOf(app);
  deployment.metadata!.namespace = namespace;
  await client.create(Deployment, deployment);
  await until(async () => {
    const { status } = await client.get(Deployment, `${namespace}/${app}`);
    return status?.availableReplicas === 3;
  }, `the pods of ${app} are available`);
}

async function podsOf({ client, namespace }: ExamplePlane, labelSelector = ""): Promise<V1Pod[]> {
  return (await client.list(Pod, { namespace, labelSelector })).items;
}

suite.test("example 10: a backup is made at its time, verified, restored and deleted", async (plane) => {
  await using store = new Outside();
  await using example = await start(plane, backup.operator, { clock: dueClock() });
  const { client, namespace } = example;
  const key = example.key("orders");
  await client.create(Database, {
    metadata: { name: "orders", namespace },
    spec: {
      url: store.url("database"),
      store: store.url("store"),
      schedule: "* * * * *",
      deletionPolicy: "Delete",
    },
  });
  await until(async () => (await client.get(Database, key)).status?.backups?.length === 1);
  assert.deepEqual([...store.stored.values()], ["day 0"]);
  store.data = "lost";
  const [name] = store.names();
  await client.patch(Database, key, mergePatch({ spec: { restore: name! } }));
  await until(async () => (await client.get(Database, key)).status?.restored === name);
  assert.equal(store.data, "day 0");
  await client.delete(Database, key);
  await until(async () => (await client.list(Database, { namespace })).items.length === 0);
  assert.deepEqual(store.names(), []);
});

suite.test("example 11: a ready pod leads, and another one after its end or its Lease's", async (plane) => {
  await using example = await start(plane, leader.operator);
  const { client, namespace } = example;
  await deploy(example);
  await client.create(leader.Election, {
    metadata: { name: "web", namespace },
    spec: { matchLabels: { app: "web" }, leaseSeconds: 3, port: 5432 },
  });
  const next = async (former?: string): Promise<string> => {
    let names: string[] = [];
    await until(async () => {
      const pods = await podsOf(example, `${leader.LEADER_LABEL}=web`);
      assert(pods.length <= 1, "no two pods lead");
      names = pods.map(({ metadata }) => metadata!.name!);
      return names.length === 1 && names[0] !== former;
    }, "a pod leads");
    return names[0]!;
  };
  const first = await next();
  await client.delete(Pod, example.key(first));
  const second = await next(first);
  const annotations = { [SCRIPT]: '{ "*": { "readyAfterMs": "never" } }' };
  await client.patch(Pod, example.key(second), mergePatch({ metadata: { annotations } }));
  const third = await next(second);
  await until(async () => {
    const labelSelector = "kubernetes.io/service-name=web-leader";
    const { items } = await client.list(EndpointSlice, { namespace, labelSelector });
    const endpoints = items.flatMap(({ endpoints }) => endpoints ?? []);
    return endpoints.length === 1 && endpoints[0]?.targetRef?.name === third;
  }, "the Service has the leader as its endpoint");
  assert.equal((await client.get(leader.Election, example.key("web"))).status?.failovers, 2);
});

suite.test("example 12: an application is installed, changed, scaled, and ends with its lifetime", async (plane) => {
  await using example = await start(plane, app.operator);
  const { client, namespace } = example;
  const key = example.key("web");
  const settings = { COLOUR: "blue" };
  await client.create(WebApp, {
    metadata: { name: "web", namespace },
    spec: { image: "web:1", replicas: 2, settings, host: "web.example.org" },
  });
  const set = (spec: Partial<Record<keyof WebApp["spec"], unknown>>): Promise<WebApp> =>
    client.patch(WebApp, key, mergePatch({ spec } as never));
  const untilAvailable = (count: number): Promise<void> =>
    until(async () => {
      const { status } = await client.get(WebApp, key);
      return findCondition(status?.conditions, "Ready")?.status === "True" &&
        status?.available === count;
    }, `${count} pods are available`);
  const names = async () => (await podsOf(example)).map(({ metadata }) => metadata!.name!);
  await untilAvailable(2);
  assert.equal((await client.get(Ingress, key)).spec?.rules?.[0]?.host, "web.example.org");
  const before = await names();
  await set({ settings: { COLOUR: "red" } });
  await until(async () => (await names()).every((name) => !before.includes(name)), "new pods");
  await untilAvailable(2);
  await set({ host: null, scale: { minimum: 3, maximum: 5, cpuPercent: 50 } });
  await untilAvailable(3);
  const { spec } = await client.get(HorizontalPodAutoscaler, key);
  assert.deepEqual([spec?.minReplicas, spec?.scaleTargetRef.name], [3, "web"]);
  assert.deepEqual((await client.list(Ingress, { namespace })).items, []);
  await set({ lifetimeSeconds: 1 });
  await until(async () => (await names()).length === 0, "no pod is left");
  assert((await client.get(WebApp, key)).status?.expired);
});

suite.test("example 13: a version whose pods do not start is taken back, and the next one serves", async (plane) => {
  await using example = await start(plane, upgrade.operator, {
    script: ({ spec }) =>
      spec?.containers[0]?.image === "shop:1.1.0" && !spec.containers[0].args
        ? { readyAfterMs: "never" }
        : undefined,
  });
  const { client, namespace } = example;
  const key = example.key("shop");
  await client.create(Shop, {
    metadata: { name: "shop", namespace },
    spec: { image: "shop", version: "1.0.0", startSeconds: 110 },
  });
  const untilStatus = (version: string, failed?: string): Promise<void> =>
    until(async () => {
      const { status } = await client.get(Shop, key);
      return !status?.upgrade && status?.version === version && status.failed?.version === failed;
    }, `version ${version} serves`);
  await untilStatus("1.0.0");
  await client.patch(Shop, key, mergePatch({ spec: { version: "1.1.0", startSeconds: 3 } }));
  await untilStatus("1.0.0", "1.1.0");
  await client.patch(Shop, key, mergePatch({ spec: { version: "1.2.0", startSeconds: 110 } }));
  await untilStatus("1.2.0");
  const { status, spec } = await client.get(Deployment, key);
  assert.equal(status?.availableReplicas, 2);
  assert.equal(spec?.template.spec?.containers[0]?.image, "shop:1.2.0");
});

suite.test("example 15: a budget bounds a round that kills, and a frozen pod is restored", async (plane) => {
  await using example = await start(plane, chaos.operator, { clock: dueClock() });
  const { client, namespace } = example;
  await Promise.all([deploy(example), deploy(example, "db")]);
  await client.create(PodDisruptionBudget, {
    metadata: { name: "web", namespace },
    spec: { minAvailable: 2, selector: { matchLabels: { app: "web" } } },
  });
  await until(async () => {
    const { status } = await client.get(PodDisruptionBudget, example.key("web"));
    return status?.disruptionsAllowed === 1;
  }, "the budget allows one disruption");
  const uids = async (): Promise<unknown[]> =>
    (await podsOf(example, "app=web")).map(({ metadata }) => metadata?.uid);
  const before = await uids();
  const spec = { schedule: "* * * * *", namespaces: [namespace], maximum: 3 };
  await client.create(Chaos, {
    metadata: { name: "killer" },
    spec: { ...spec, fault: "kill", matchLabels: { app: "web" } },
  });
  await client.create(Chaos, {
    metadata: { name: "freezer" },
    spec: { ...spec, fault: "freeze", seconds: 5, matchLabels: { app: "db" }, percentage: 50 },
  });
  await until(async () => {
    const frozen = await podsOf(example, BY_LABEL);
    return frozen.length === 1 &&
      findCondition(frozen[0]?.status?.conditions, "Ready")?.status === "False";
  }, "a pod is frozen");
  for (const name of ["killer", "freezer"]) {
    await until(async () => {
      const { round, history } = (await client.get(Chaos, name)).status ?? {};
      return round !== undefined || history?.[0]?.outcome === "Recovered";
    }, `a round of ${name} has begun`);
    await client.patch(Chaos, name, mergePatch({ spec: { schedule: "@yearly" } })); // no further one
  }
  for (const name of ["killer", "freezer"]) {
    await until(async () => {
      const { status } = await client.get(Chaos, name);
      return status?.history?.[0]?.outcome === "Recovered";
    }, `the pods have recovered from ${name}`);
  }
  const after = await uids();
  assert.equal(after.filter((uid) => before.includes(uid)).length, 2, "one pod is replaced");
  for (const { metadata, status } of await podsOf(example, "app=db")) {
    assert.equal(metadata?.annotations?.[SCRIPT], undefined);
    assert.equal(findCondition(status?.conditions, "Ready")?.status, "True");
  }
  await client.delete(Chaos, "freezer");
  await until(async () => (await client.list(Chaos)).items.length === 1, "its finalizer is gone");
  const reasons = (await client.list(EventsEvent)).items.map(({ reason }) => reason);
  assert(reasons.includes("PodHarmed") && reasons.includes("Chaos"), reasons.join());
});

suite.test("example 14: endpoints follow the registry, survive its failure, and go with their object", async (plane) => {
  await using registry = new TestRegistry(systemClock);
  const instances = Array.from({ length: 120 }, (_, index) => ({ address: `10.9.0.${index + 1}` }));
  registry.set("orders", instances);
  await using example = await start(
    plane,
    outside.outsideServices(new Registry(registry.url)),
  );
  const { client, namespace } = example;
  const key = example.key("orders");
  await client.create(OutsideService, {
    metadata: { name: "orders", namespace },
    spec: { service: "orders", ports: [{ name: "http", port: 80, targetPort: 8080 }] },
  });
  const sizes = async (): Promise<number[]> => {
    const labelSelector = "kubernetes.io/service-name=orders";
    const { items } = await client.list(EndpointSlice, { namespace, labelSelector });
    return items.map(({ endpoints }) => endpoints?.length ?? 0).sort((a, b) => a - b);
  };
  const untilSizes = (...wanted: number[]): Promise<void> =>
    until(async () => (await sizes()).join() === wanted.join(), `slices of ${wanted}`);
  await untilSizes(20, 100);
  registry.set("orders", [...instances.slice(0, 118), { address: "2001:db8::1" }]);
  await untilSizes(1, 20, 98);
  registry.fault = "refuse";
  registry.release();
  await until(async () => {
    const { status } = await client.get(OutsideService, key);
    return findCondition(status?.conditions, "Degraded")?.reason === "RegistryUnreachable";
  }, "the failure is in the condition");
  assert.equal((await sizes()).length, 3);
  registry.fault = undefined;
  registry.set("orders", [{ address: "2001:db8::1" }]);
  await untilSizes(1);
  await client.delete(OutsideService, key);
  await untilSizes();
  await until(async () => (await client.list(Service, { namespace })).items.length === 0);
});
