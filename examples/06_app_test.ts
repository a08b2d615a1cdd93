import assert from "node:assert/strict";
import {
  type Client,
  createClient,
  Deployment,
  isNotFound,
  mergePatch,
  type ResourceType,
  runOperator,
} from "@xca/operator";
import {
  CustomResourceDefinition,
  Namespace,
  type OwnerReference,
  StatefulSet,
  type UnstructuredObject,
} from "@xca/operator/meta";
import { planeSuite } from "../tests/real/suite.ts";
import type { Plane } from "../tests/support/planes/plane.ts";
import { until } from "../tests/support/until.ts";
import { createTransport, type MergeFields } from "@xca/operator/client";
import { App, operator } from "./06_app.ts";

interface Spec {
  replicas: number;
  template: { spec: { containers: { name: string; image: string }[] } };
}

/** A namespace with an App `web`, and a running operator of that namespace. */
class Rig implements AsyncDisposable {
  readonly client: Client;
  readonly namespace: string;
  readonly #running;

  private constructor(client: Client, namespace: string) {
    this.client = client;
    this.namespace = namespace;
    this.#running = runOperator(operator, { client, namespace });
  }

  static async start(plane: Plane, namespace: string): Promise<Rig> {
    const client = createClient(plane.config);
    await client.create(CustomResourceDefinition, App.crd).catch(() => {});
    await until(() => client.list(App).then(() => true, () => false));
    await client.create(Namespace, { metadata: { name: namespace } });
    return new Rig(client, namespace);
  }

  get key(): string {
    return `${this.namespace}/web`;
  }

  create(): Promise<App> {
    const metadata = { name: "web", namespace: this.namespace };
    return this.client.create(App, { metadata, spec: { image: "nginx:1", replicas: 2 } });
  }

  ask(spec: MergeFields<App["spec"]>): Promise<App> {
    return this.client.patch(App, this.key, mergePatch({ spec }));
  }

  patch(type: ResourceType, body: unknown): Promise<unknown> {
    const patch = mergePatch(body);
    return this.client.patch(type, this.key, patch);
  }

  async find(type: ResourceType<UnstructuredObject>): Promise<UnstructuredObject | undefined> {
    try {
      return await this.client.get(type, this.key);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Waits until the workload of the App exists and has the expected state. */
  async untilIs(
    type: ResourceType<UnstructuredObject>,
    condition: (spec: Spec, object: UnstructuredObject) => boolean = () => true,
  ): Promise<UnstructuredObject> {
    let found: UnstructuredObject | undefined;
    await until(async () => {
      found = await this.find(type);
      return found !== undefined && condition(found["spec"] as Spec, found);
    }, () => `${type.kind} is as asked for (it is ${JSON.stringify(found)})`);
    return found!;
  }

  /** Stops the operator; the client stays open. */
  async stop(): Promise<void> {
    await this.#running.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.client[Symbol.dispose]();
  }
}

const image = (spec: Spec): string | undefined => spec.template.spec.containers[0]?.image;
const owners = (object: UnstructuredObject): OwnerReference[] =>
  object.metadata.ownerReferences ?? [];

const suite = planeSuite({ audit: true });

suite.test("example 06: an App gets a Deployment of its own, which follows it", async (plane) => {
  await using rig = await Rig.start(plane, "follows");
  const app = await rig.create();
  const child = await rig.untilIs(Deployment, (spec) => spec.replicas === 2);
  assert.equal(image(child["spec"] as Spec), "nginx:1");
  assert.deepEqual(owners(child).map(({ uid, controller }) => ({ uid, controller })), [
    { uid: app.metadata.uid, controller: true },
  ]);
  await rig.ask({ replicas: 3, image: "nginx:2" });
  await rig.untilIs(Deployment, (spec) => spec.replicas === 3 && image(spec) === "nginx:2");

  const status = { replicas: 3, readyReplicas: 1 };
  await rig.client.patchStatus(Deployment, rig.key, mergePatch({ status }));
  await until(async () => (await rig.client.get(App, rig.key)).status?.readyReplicas === 1);
  assert.equal((await rig.client.get(App, rig.key)).status?.workload, "Deployment");
});

suite.test("example 06: drift made by hand is put back, and a deleted child returns", async (plane) => {
  await using rig = await Rig.start(plane, "drifts");
  await rig.create();
  const { metadata: { uid } } = await rig.untilIs(Deployment);
  await rig.patch(Deployment, { spec: { replicas: 7 } });
  await rig.untilIs(Deployment, (spec) => spec.replicas === 2);
  const containers = ["main", "stowaway"].map((name) => ({ name, image: "other" }));
  await rig.patch(Deployment, { spec: { template: { spec: { containers } } } });
  await rig.untilIs(Deployment, (spec) => {
    return image(spec) === "nginx:1" && spec.template.spec.containers.length === 1;
  });
  await rig.patch(Deployment, { metadata: { ownerReferences: null } });
  const last = await rig.untilIs(Deployment, (_, object) => owners(object).length === 1);
  assert.equal(last.metadata.uid, uid, "it was corrected, not replaced");

  await rig.client.delete(Deployment, rig.key);
  await rig.untilIs(Deployment, (_, object) => object.metadata.uid !== uid);
});

suite.test("example 06: storage makes it a StatefulSet, and a Deployment again", async (plane) => {
  await using rig = await Rig.start(plane, "stores");
  await rig.create();
  await rig.untilIs(Deployment);
  await rig.ask({ storage: "1024Mi" });
  await rig.untilIs(StatefulSet);
  assert.equal(await rig.find(Deployment), undefined);
  await until(async () => (await rig.client.get(App, rig.key)).status?.workload === "StatefulSet");
  await rig.patch(StatefulSet, { spec: { replicas: 9 } });
  await rig.untilIs(StatefulSet, (spec) => spec.replicas === 2);
  await assert.rejects(rig.ask({ storage: "2Gi" }), /its size cannot be changed/);

  await rig.ask({ storage: null });
  await rig.untilIs(Deployment);
  assert.equal(await rig.find(StatefulSet), undefined);
});

suite.test("example 06: a Deployment of someone else that has the name is left alone", async (plane) => {
  await using rig = await Rig.start(plane, "foreign");
  await rig.create();
  const child = await rig.untilIs(Deployment);
  const other = { ...owners(child)[0]!, name: "other", uid: crypto.randomUUID() };
  await rig.patch(Deployment, { metadata: { ownerReferences: [other] }, spec: { replicas: 5 } });
  await rig.ask({ storage: "1Gi" });
  await rig.untilIs(StatefulSet);
  assert.deepEqual(owners(await rig.untilIs(Deployment)), [other]);
  assert.equal(((await rig.untilIs(Deployment))["spec"] as Spec).replicas, 5);
});

suite.test("example 06: a Deployment that is taken over just before its deletion is left alone", async (plane) => {
  const namespace = "taken";
  await using rig = await Rig.start(plane, namespace);
  await rig.create();
  const child = await rig.untilIs(Deployment);
  const other = { ...owners(child)[0]!, name: "other", uid: crypto.randomUUID() };
  await rig.stop();
  let deletions = 0;
  using transport = createTransport(plane.config);
  using client = createClient(plane.config, {
    fetch: async (request) => {
      if (request.method === "DELETE" && deletions++ === 0) {
        await rig.patch(Deployment, { metadata: { ownerReferences: [other] } });
      }
      return await transport.fetch(request);
    },
  });
  const running = runOperator(operator, { client, namespace });
  await rig.ask({ storage: "1Gi" });
  await rig.untilIs(StatefulSet);
  await running.stop();
  assert.equal(deletions, 1);
  assert.deepEqual(owners(await rig.untilIs(Deployment)), [other]);
});

suite.test("example 06: a second pass over what is right writes nothing", async (plane) => {
  const namespaces = ["plain", "stored"];
  for (const namespace of namespaces) {
    await using rig = await Rig.start(plane, namespace);
    await rig.create();
    if (namespace === "stored") await rig.ask({ storage: "1024Mi" });
    const type = namespace === "stored" ? StatefulSet : Deployment;
    await rig.untilIs(type);
    await until(async () => (await rig.client.get(App, rig.key)).status?.workload === type.kind);
  }
  for (const namespace of namespaces) {
    const userAgent = `second-pass-${namespace}`;
    using client = createClient({ ...plane.config, userAgent });
    const second = runOperator(operator, { client, namespace });
    const { initialKeys, failed } = await second.settled();
    await second.stop();
    assert.deepEqual({ initialKeys, failed }, { initialKeys: 1, failed: [] });
    const asked = (await plane.auditEvents()).filter((event) => event.userAgent === userAgent);
    assert(asked.some(({ objectRef }) => objectRef?.resource === "apps"), "the audit log shows it");
    // Discovery requests at the start have no object.
    const ofObjects = asked.filter(({ objectRef }) => objectRef);
    assert.deepEqual(
      ofObjects.map(({ verb }) => verb).filter((verb) => verb !== "list" && verb !== "watch"),
      [],
    );
  }
});
