/**
 * The functions that reconcilers call, against a server: children by server-side apply without a needless
 * write, guarded finalizers and status, and events with series. Writes are counted at the client.
 */
import assert from "node:assert/strict";
import { type Client, createClient, intercept, mergePatch } from "../../../lib/client/mod.ts";
import {
  applyChild,
  child,
  ChildSet,
  childSource,
  type ControllerDefinition,
  controllerFor,
  createOrUpdate,
  defineOperator,
  finalize,
  ForeignChildError,
  patchStatus,
  reconcileOnce,
  runOperator,
  TerminalError,
} from "../../../lib/controller/mod.ts";
import { EventRecorder } from "../../../lib/events/mod.ts";
import type { V1ConfigMap } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import {
  ConfigMap,
  Deployment,
  Event,
  EventsEvent,
  Namespace,
  Secret,
  Service,
  StatefulSet,
} from "../../../lib/apimachinery/meta/mod.ts";
import type { Plane } from "../../support/planes/plane.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite();
const READS = ["get", "list", "pages", "watch", "raw", "request", "requestJson", "connect"];

/** Runs a test in a namespace of its own, with a client whose writes are recorded. */
async function withNamespace(
  plane: Plane,
  namespace: string,
  test: (client: Client, writes: string[]) => Promise<void>,
): Promise<void> {
  const writes: string[] = [];
  using client = intercept(createClient({ ...plane.config, namespace }), {
    around: (call, next) => {
      if ("type" in call && !READS.includes(call.verb)) {
        writes.push(`${call.verb} ${call.type.kind}`);
      }
      return next(call);
    },
  });
  await client.create(Namespace, { metadata: { name: namespace } });
  writes.length = 0;
  await test(client, writes);
}

/** The children of a ConfigMap: `plain` ones are stored as they are sent, the others are not. */
const children = new ChildSet<V1ConfigMap>({
  name: "web-operator",
  parent: ConfigMap,
  types: [Deployment, StatefulSet, Service, Secret],
  desired: ({ metadata: { name = "" }, data = {} }) => {
    const labels = { app: name };
    const container = {
      name: "web",
      image: data.image ?? "web:1",
      args: ["--verbose"],
      ports: [{ containerPort: 80 }, { containerPort: 81, name: "admin" }],
      env: [{ name: "COLOUR", value: "blue" }],
      resources: { requests: { cpu: data.cpu ?? "500m" } },
    };
    const template = { metadata: { labels }, spec: { containers: [container] } };
    const claim = {
      metadata: { name: "data" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
      },
    };
    return [
      child(Secret, { metadata: { name, labels: { tier: "web" } }, data: { token: "eA==" } }),
      child(Service, { metadata: { name }, spec: { selector: labels, ports: [{ port: 80 }] } }),
      child(Deployment, {
        metadata: { name, annotations: data.note ? { note: data.note } : {} },
        spec: { replicas: 1, selector: { matchLabels: labels }, template },
      }),
      ...data.claim
        ? [
          child(StatefulSet, {
            metadata: { name },
            spec: {
              serviceName: name,
              selector: { matchLabels: labels },
              template,
              volumeClaimTemplates: [claim],
            },
          }),
        ]
        : [],
    ];
  },
});

const controller: ControllerDefinition = controllerFor(ConfigMap, { labelSelector: "web" })
  .owns(Deployment, childSource)
  .owns(StatefulSet, childSource)
  .owns(Service, childSource)
  .owns(Secret, childSource)
  .reconcile(async (context) => {
    const map = context.cache.get(ConfigMap, context.key);
    if (map) await children.reconcile(context, map);
  });

const web = (data: Record<string, string>): V1ConfigMap => ({
  metadata: { name: "web", labels: { web: "" } },
  data,
});

suite.test("children: applies are sent once; neither a second run nor a restart writes anything", async (plane) => {
  await withNamespace(plane, "children-quiet", async (client, writes) => {
    await client.create(ConfigMap, web({}));
    const key = "children-quiet/web";
    writes.length = 0;
    await reconcileOnce(controller, key, { client });
    assert.deepEqual(writes.splice(0), ["patch Secret", "patch Service", "patch Deployment"]);
    for (let restart = 0; restart < 2; restart++) await reconcileOnce(controller, key, { client });
    assert.deepEqual(writes, []);
  });
});

suite.test("children: what the server stores in another form is applied once per process, not on each run", async (plane) => {
  const namespace = "children-forms";
  await withNamespace(plane, namespace, async (client, writes) => {
    await client.create(ConfigMap, web({ cpu: "0.5", claim: "yes" }));
    writes.length = 0;
    const operator = runOperator(defineOperator({ name: "web", controllers: [controller] }), {
      client,
      namespace,
    });
    try {
      await operator.ready;
      await operator.idle();
      const made = writes.splice(0);
      assert.deepEqual([...new Set(made)].sort(), [
        "patch Deployment",
        "patch Secret",
        "patch Service",
        "patch StatefulSet",
      ]);
      // One apply creates each; one more finds that the stored form is the wanted one.
      for (const [kind, most] of [["Secret", 1], ["Service", 1], ["Deployment", 2]] as const) {
        assert(made.filter((write) => write === `patch ${kind}`).length <= most, `${made}`);
      }
      for (const touch of ["1", "2", "3"]) {
        await client.patch(ConfigMap, `${namespace}/web`, mergePatch({ data: { touch } }));
        writes.length = 0;
        await operator.idle();
        assert.deepEqual(writes, []);
      }
    } finally {
      await operator.stop();
    }
  });
});

suite.test("children: a change by others is corrected, a field that is no longer wanted is removed, other fields are kept", async (plane) => {
  const namespace = "children-drift";
  await withNamespace(plane, namespace, async (client, writes) => {
    const key = `${namespace}/web`;
    await client.create(ConfigMap, web({ note: "first" }));
    await reconcileOnce(controller, key, { client });
    const foreign = { metadata: { labels: { foreign: "kept" } }, spec: { replicas: 5 } };
    await client.patch(Deployment, key, mergePatch(foreign), { fieldManager: "somebody" });
    writes.length = 0;
    await reconcileOnce(controller, key, { client });
    const corrected = await client.get(Deployment, key);
    assert.deepEqual(writes.splice(0), ["patch Deployment"]);
    assert.equal(corrected.spec?.replicas, 1);
    assert.equal(corrected.metadata.labels?.foreign, "kept");
    assert.equal(corrected.metadata.annotations?.note, "first");

    await client.patch(ConfigMap, key, mergePatch({ data: { note: null } }));
    writes.length = 0;
    await reconcileOnce(controller, key, { client });
    assert.deepEqual(writes.splice(0), ["patch Deployment"]);
    const cleared = await client.get(Deployment, key);
    assert.equal(cleared.metadata.annotations?.note, undefined);
    assert.equal(cleared.metadata.labels?.foreign, "kept");
    await reconcileOnce(controller, key, { client });
    assert.deepEqual(writes, []);
  });
});

suite.test("children: only the owner's own are pruned, and a foreign object of the name of a child is never changed", async (plane) => {
  const namespace = "children-prune";
  await withNamespace(plane, namespace, async (client, writes) => {
    const key = `${namespace}/web`;
    const labels = { "app.kubernetes.io/managed-by": "web-operator" };
    const map = await client.create(ConfigMap, web({ claim: "yes" }));
    await client.create(Secret, { metadata: { name: "same-label", labels } });
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "web", uid: map.metadata.uid! };
    await client.create(Secret, {
      metadata: { name: "same-owner", ownerReferences: [{ ...owner, controller: true }] },
    });
    await client.create(Secret, {
      metadata: { name: "no-controller", labels, ownerReferences: [owner] },
    });
    await reconcileOnce(controller, key, { client });
    await client.patch(ConfigMap, key, mergePatch({ data: { claim: null } }));
    writes.length = 0;
    await reconcileOnce(controller, key, { client });
    assert.deepEqual(writes.splice(0), ["delete StatefulSet"]);
    const { items } = await client.list(Secret, { namespace });
    assert.deepEqual(items.map(({ metadata }) => metadata.name), [
      "no-controller",
      "same-label",
      "same-owner",
      "web",
    ]);

    const other = await client.create(ConfigMap, {
      metadata: { name: "same-label", labels: { web: "" } },
    });
    writes.length = 0;
    await assert.rejects(
      reconcileOnce(controller, `${namespace}/same-label`, { client }),
      (error) => error instanceof ForeignChildError && /has no controller/.test(error.message),
    );
    await client.patch(
      Secret,
      `${namespace}/same-label`,
      mergePatch({
        metadata: {
          ownerReferences: [{ ...owner, uid: map.metadata.uid!, controller: true }],
        },
      }),
    );
    writes.length = 0;
    await assert.rejects(
      reconcileOnce(controller, `${namespace}/same-label`, { client }),
      /Cannot change Secret .*\/same-label .*: its controller is ConfigMap web/,
    );
    assert.deepEqual(writes, []);
    assert.equal(other.metadata.name, "same-label");
  });
});

suite.test("children: an apply from an old cache does not change a new object of the same name", async (plane) => {
  const namespace = "children-uid";
  await withNamespace(plane, namespace, async (client) => {
    const map = await client.create(ConfigMap, web({}));
    const owner = { type: ConfigMap, object: map };
    const fields = { metadata: { name: "web" }, data: { token: "eA==" } };
    const options = { owner, fieldManager: "web-operator" };
    const adopting = controllerFor(ConfigMap, { labelSelector: "web" }).owns(Secret).reconcile(
      async (context) => {
        const old = context.cache.get(Secret, context.key);
        await client.delete(Secret, `${namespace}/web`);
        await client.create(Secret, { metadata: { name: "web" } });
        assert.notEqual(old, undefined);
        await applyChild(context, Secret, { ...fields, data: { token: "eQ==" } }, options);
      },
    );
    const making = controllerFor(ConfigMap, { labelSelector: "web" }).owns(Secret).reconcile(
      async (context) => void await applyChild(context, Secret, fields, options),
    );
    await reconcileOnce(making, `${namespace}/web`, { client });
    // The cache may have heard of the new object by the time of the apply.
    await assert.rejects(
      reconcileOnce(adopting, `${namespace}/web`, { client }),
      /uid|UID|has no controller/,
    );
    assert.equal((await client.get(Secret, `${namespace}/web`)).data, undefined);
  });
});

suite.test("createOrUpdate: one write creates, none follows, and a change is one update", async (plane) => {
  const namespace = "create-or-update";
  await withNamespace(plane, namespace, async (client, writes) => {
    await client.create(ConfigMap, web({}));
    let replicas = 1;
    const labels = { app: "web" };
    const updating = controllerFor(ConfigMap, { labelSelector: "web" }).owns(Deployment).reconcile(
      async (context) => {
        const { name } = context;
        const template = {
          metadata: { labels },
          spec: { containers: [{ name: "web", image: "web" }] },
        };
        const spec = { selector: { matchLabels: labels }, template };
        const object = { metadata: { namespace, name }, spec };
        await createOrUpdate(context, Deployment, object, (deployment) => {
          deployment.spec.replicas = replicas;
        });
      },
    );
    writes.length = 0;
    const run = (): Promise<unknown> => reconcileOnce(updating, `${namespace}/web`, { client });
    await run();
    await run();
    assert.deepEqual(writes.splice(0), ["create Deployment"]);
    replicas = 2;
    await run();
    await run();
    assert.deepEqual(writes, ["update Deployment"]);
  });
});

suite.test("finalize and patchStatus: a new object of the same name is not changed", async (plane) => {
  const namespace = "guarded";
  await withNamespace(plane, namespace, async (client) => {
    const labels = { app: "web" };
    const spec = {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } },
    };
    const create = () => client.create(Deployment, { metadata: { name: "web" }, spec });
    const old = await create();
    await client.delete(Deployment, `${namespace}/web`, { propagationPolicy: "Background" });
    const renewed = await create();
    assert.notEqual(old.metadata.uid, renewed.metadata.uid);
    await assert.rejects(patchStatus({ client }, Deployment, old, { replicas: 1 }), /uid|UID/);
    const finalizer = "example.org/cleanup";
    const cleanup = (): void => assert.fail("the cleanup must not run");
    assert.equal(await finalize({ client }, Deployment, old, { finalizer, cleanup }), undefined);
    const now = await client.get(Deployment, `${namespace}/web`);
    assert.equal(now.metadata.resourceVersion, renewed.metadata.resourceVersion);

    const live = await finalize({ client }, Deployment, now, { finalizer, cleanup });
    await client.delete(Deployment, `${namespace}/web`, { propagationPolicy: "Background" });
    const going = await client.get(Deployment, `${namespace}/web`);
    let cleaned = 0;
    const done = { finalizer, cleanup: () => void cleaned++ };
    assert.equal(await finalize({ client }, Deployment, going, done), undefined);
    assert.deepEqual([live?.metadata.finalizers, cleaned], [[finalizer], 1]);
    assert.equal((await client.list(Deployment, { namespace })).items.length, 0);
  });
});

suite.test("F33 a server's refusals of a status that is too large are terminal errors", async (plane) => {
  await withNamespace(plane, "too-large", async (client) => {
    const labels = { app: "web" };
    const web = await client.create(Deployment, {
      metadata: { name: "web" },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } },
      },
    });
    for (const megabytes of [2, 4]) {
      const message = "x".repeat(megabytes * 1_000_000);
      const conditions = [{ type: "Available", status: "True", reason: "Enough", message }];
      await assert.rejects(
        patchStatus({ client }, Deployment, web, { conditions }),
        (error) => error instanceof TerminalError,
      );
    }
  });
});

suite.test("B72 a server accepts events and their series, in both of its APIs for events", async (plane) => {
  const namespace = "recorded";
  await withNamespace(plane, namespace, async (client) => {
    const map = await client.create(ConfigMap, web({}));
    {
      await using events = new EventRecorder({ client, controller: "example.org/web" });
      const related = { type: ConfigMap, object: map };
      events.record(ConfigMap, map, { reason: "Greeted", note: "Hello", related });
      await events.flush();
      for (let time = 0; time < 4; time++) {
        events.record(ConfigMap, map, { reason: "Greeted", note: "Hello", related });
        await events.flush();
      }
      events.record(Namespace, { metadata: { name: namespace } }, {
        type: "Warning",
        reason: "Seen",
        note: "€".repeat(2_000),
      });
      for (let number = 0; number < 12; number++) {
        events.record(ConfigMap, map, { reason: "Tried", note: `try ${number}` });
      }
      await events.flush();
      assert.equal(events.dropped, 0);
    }
    const { items } = await client.list(EventsEvent, { namespace });
    const greeted = items.filter(({ reason }) => reason === "Greeted");
    assert.deepEqual(greeted.map(({ series }) => series?.count), [5]);
    assert.equal(items.filter(({ reason }) => reason === "Tried").length, 10);
    const core = await client.list(Event, { namespace });
    assert.equal(core.items.find(({ reason }) => reason === "Greeted")?.series?.count, 5);
    const cluster = await client.list(EventsEvent, { namespace: "default" });
    assert(cluster.items.some(({ regarding }) => regarding?.name === namespace));
  });
});
