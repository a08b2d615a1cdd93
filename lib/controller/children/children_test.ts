/** The guards of children: foreign objects, refused children, and changes since the cache was read. */
import assert from "node:assert/strict";
import {
  type Client,
  clientOfCluster,
  withCluster,
} from "../../../tests/support/in_process/helper_cluster.ts";
import { refusal } from "../../../tests/support/in_process/fake_cluster.ts";
import { isConflict } from "../../client/errors/api_error.ts";
import {
  ClusterRole,
  ConfigMap,
  controllerOf,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerV1,
  Secret,
  setControllerReference,
} from "@xca/apimachinery/meta";
import type { V1ConfigMap, V1Secret } from "@xca/apimachinery/kubernetes-types";
import { controllerFor, type OwnsOptions } from "../definition/controller_builder.ts";
import { intercept } from "../../client/scoped/scoped_interceptor.ts";
import type { ReconcileContext } from "../definition/reconciler.ts";
import { reconcileOnce } from "../operator/reconcile_once.ts";
import { applyChild, type ChildContext, type ChildResult } from "./apply_child.ts";
import { type ChildOwner, ForeignChildError } from "./child_ownership.ts";
import { type Child, child, ChildSet } from "./child_set.ts";
import { childSource } from "./child_source.ts";
import { createOrUpdate } from "./create_or_update.ts";
import { pruneChildren } from "./prune_children.ts";

const key = "default/web";

/** Calls a function in a run for the ConfigMap `web`, which owns Secrets. */
async function inRun<T>(
  client: Client,
  call: (context: ReconcileContext, owner: ChildOwner) => Promise<T>,
): Promise<T> {
  let result: { readonly value: T } | undefined;
  const controller = controllerFor(ConfigMap).owns(Secret, childSource).owns(ClusterRole)
    .reconcile(async (context) => {
      const object = context.cache.get(ConfigMap, key)!;
      result = { value: await call(context, { type: ConfigMap, object }) };
    });
  await reconcileOnce(controller, key, { client });
  return result!.value;
}

async function owned(client: Client, map: V1ConfigMap, name: string): Promise<V1Secret> {
  const secret: V1Secret = { metadata: { namespace: "default", name, labels: { made: "yes" } } };
  setControllerReference(secret, map, ConfigMap);
  return await client.create(Secret, secret);
}

const prune = (context: ChildContext, owner: ChildOwner): Promise<string[]> =>
  pruneChildren(context, { owner, type: Secret, labelSelector: "made=yes", keep: new Set() });

Deno.test("pruneChildren() deletes a child that has changed since it was cached, if it may still be deleted", async () => {
  await withCluster(async ({ client }) => {
    const map = await client.create(ConfigMap, { metadata: { name: "web" } });
    for (const name of ["touched", "released", "relabelled", "gone", "renewed"]) {
      await owned(client, map, name);
    }
    const deleted = await inRun(client, async (context, owner) => {
      const patch = (name: string, metadata: object) =>
        client.patch(Secret, `default/${name}`, { type: "merge", body: { metadata } });
      await patch("touched", { annotations: { changed: "yes" } });
      await patch("released", { ownerReferences: null });
      await patch("relabelled", { labels: { made: "no" } });
      await client.delete(Secret, "default/gone");
      await client.delete(Secret, "default/renewed");
      await client.create(Secret, { metadata: { name: "renewed", labels: { made: "yes" } } });
      return await prune(context, owner);
    });
    assert.deepEqual(deleted, ["default/touched"]);
    const { items } = await client.list(Secret, { namespace: "default" });
    assert.deepEqual(items.map(({ metadata }) => metadata.name), [
      "relabelled",
      "released",
      "renewed",
    ]);
  });
});

Deno.test("pruneChildren() does not count a child that somebody else deleted", async () => {
  await withCluster(async ({ client, server }) => {
    const map = await client.create(ConfigMap, { metadata: { name: "web" } });
    for (const name of ["a", "gone"]) await owned(client, map, name);
    // The deletion comes between the read of the cache and the request of pruneChildren().
    using late = clientOfCluster(server, async ({ method, url }) => {
      const isDeletion = method === "DELETE" && url.includes("/secrets/gone");
      if (isDeletion) await client.delete(Secret, "default/gone");
      return undefined;
    });
    assert.deepEqual(await inRun(late, prune), ["default/a"]);
  });
});

Deno.test("pruneChildren() needs the index of childSource, and says so", async () => {
  await withCluster(async ({ client }) => {
    await client.create(ConfigMap, { metadata: { name: "web" } });
    const plain = controllerFor(ConfigMap).owns(Secret).reconcile(async (context) => {
      const object = context.cache.get(ConfigMap, key)!;
      await prune(context, { type: ConfigMap, object });
    });
    await assert.rejects(reconcileOnce(plain, key, { client }), /controllerUid/);
  });
});

Deno.test("applyChild() adopts an object without a controller only when asked to", async () => {
  await withCluster(async ({ client }) => {
    await client.create(ConfigMap, { metadata: { name: "web" } });
    await client.create(Secret, { metadata: { name: "web" }, data: { other: "eA==" } });
    const apply = (adopt: boolean): Promise<ChildResult<V1Secret>> =>
      inRun(
        client,
        (context, owner) =>
          applyChild(context, Secret, { metadata: { name: "web" }, data: { token: "eQ==" } }, {
            owner,
            fieldManager: "web-operator",
            adopt,
          }),
      );
    await assert.rejects(apply(false), /has no controller; set the option adopt/);
    const { outcome, object } = await apply(true);
    assert.deepEqual([outcome, object.data], ["updated", { other: "eA==", token: "eQ==" }]);
    assert.equal(controllerOf(object.metadata)?.name, "web");
    assert.equal((await apply(false)).outcome, "unchanged");
  });
});

Deno.test("applyChild() leaves a child that is being deleted alone", async () => {
  await withCluster(async ({ client, requests }) => {
    const map = await client.create(ConfigMap, { metadata: { name: "web" } });
    const secret: V1Secret = {
      metadata: { namespace: "default", name: "web", finalizers: ["example.org/slow"] },
    };
    setControllerReference(secret, map, ConfigMap);
    await client.create(Secret, secret);
    await client.delete(Secret, key);
    requests.length = 0;
    const { outcome } = await inRun(
      client,
      (context, owner) =>
        applyChild(context, Secret, { metadata: { name: "web" } }, {
          owner,
          fieldManager: "web-operator",
        }),
    );
    assert.equal(outcome, "deleting");
    assert.deepEqual(requests.filter((line) => !line.startsWith("GET")), []);
  });
});

Deno.test("B70 applyChild() refuses a cluster-scoped child and one in another namespace, and sends nothing", async () => {
  await withCluster(async ({ client, requests }) => {
    await client.create(ConfigMap, { metadata: { name: "web" } });
    requests.length = 0;
    const fieldManager = "web-operator";
    await assert.rejects(
      inRun(
        client,
        (context, owner) =>
          applyChild(context, ClusterRole, { metadata: { name: "web" } }, { owner, fieldManager }),
      ),
      /a cluster-scoped object cannot have an owner in a namespace/,
    );
    const metadata = { namespace: "other", name: "web" };
    await assert.rejects(
      inRun(
        client,
        (context, owner) => applyChild(context, Secret, { metadata }, { owner, fieldManager }),
      ),
      /the owner is in namespace default, the object in other/,
    );
    assert.deepEqual(requests.filter((line) => !line.startsWith("GET")), []);
  });
});

Deno.test("ChildSet refuses a resource that it does not list, a name twice, and a label of its own, before any write", async () => {
  await withCluster(async ({ client, requests }) => {
    await client.create(ConfigMap, { metadata: { name: "web" } });
    requests.length = 0;
    const secret = child(Secret, { metadata: { name: "web" } });
    const label = { "app.kubernetes.io/managed-by": "other" };
    const cases: [Child[], RegExp][] = [
      [
        [secret, child(ConfigMap, { metadata: { name: "a" } })],
        /does not list configmaps.v1 in types/,
      ],
      [[secret, secret], /Cannot apply Secret default\/web: the set web-operator has it twice/],
      [
        [secret, child(Secret, { metadata: { name: "b", labels: label } })],
        /is "other"; leave it out/,
      ],
    ];
    for (const [desired, message] of cases) {
      const children = new ChildSet<V1ConfigMap>({
        name: "web-operator",
        parent: ConfigMap,
        types: [Secret],
        desired: () => desired,
      });
      await assert.rejects(
        inRun(client, (context, { object }) => children.reconcile(context, object as V1ConfigMap)),
        message,
      );
    }
    assert.deepEqual(requests.filter((line) => !line.startsWith("GET")), []);
    const nameless = { parent: ConfigMap, types: [], desired: () => [], name: "Web Operator" };
    assert.throws(() => new ChildSet(nameless), /its name must be at most 63 lower-case letters/);
  });
});

Deno.test("ChildSet keeps a child of one version when it lists another version of the resource", async () => {
  await withCluster(async ({ client }) => {
    await client.create(ConfigMap, { metadata: { name: "web" } });
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
    const children = new ChildSet<V1ConfigMap>({
      name: "web-operator",
      parent: ConfigMap,
      types: [HorizontalPodAutoscalerV1, HorizontalPodAutoscaler],
      desired: () => [
        child(HorizontalPodAutoscaler, {
          metadata: { name: "web" },
          spec: { maxReplicas: 2, scaleTargetRef },
        }),
      ],
    });
    const results: string[] = [];
    const controller = controllerFor(ConfigMap).owns(HorizontalPodAutoscaler, childSource)
      .owns(HorizontalPodAutoscalerV1, childSource).reconcile(async (context) => {
        const map = context.cache.get(ConfigMap, key)!;
        const result = await children.reconcile(context, map as V1ConfigMap);
        results.push(...result.children.map(({ outcome }) => outcome));
        results.push(...result.deleted.map(({ type }) => `deleted as ${type.id}`));
      });
    for (let run = 0; run < 2; run++) await reconcileOnce(controller, key, { client });
    assert.deepEqual(results, ["created", "unchanged"]);
    const { items } = await client.list(HorizontalPodAutoscaler, { namespace: "default" });
    assert.equal(items.length, 1);
  });
});

Deno.test("ChildSet refuses children that are no array, and pruneChildren() a name in place of a key", async () => {
  await withCluster(async ({ client }) => {
    const map = await client.create(ConfigMap, { metadata: { name: "web" } });
    await owned(client, map, "kept");
    const none = { *[Symbol.iterator]() {} } as unknown as Child[];
    const children = new ChildSet<V1ConfigMap>({
      name: "web-operator",
      parent: ConfigMap,
      types: [Secret],
      desired: () => none,
    });
    await assert.rejects(
      inRun(client, (context, { object }) => children.reconcile(context, object as V1ConfigMap)),
      { name: "TypeError", message: /desired must return an array, and returned object/ },
    );
    const options = { type: Secret, labelSelector: "made=yes", keep: new Set(["kept"]) };
    await assert.rejects(
      inRun(client, (context, owner) => pruneChildren(context, { owner, ...options })),
      /Cannot use "kept" as a key of secrets.v1/,
    );
    assert.ok(await client.get(Secret, "default/kept"));
  });
});

Deno.test("createOrUpdate() refuses a function that returns a promise, whose rejection ends nothing", async () => {
  await withCluster(async ({ client }) => {
    await client.create(ConfigMap, { metadata: { name: "web" } });
    const object = { metadata: { namespace: "default", name: "web" } };
    const late = async (): Promise<void> => {
      await Promise.resolve();
      throw new Error("no password");
    };
    await assert.rejects(
      inRun(client, (context) => createOrUpdate(context, Secret, object, late)),
      /Cannot change Secret default\/web: .* returned a promise; await what it needs before/,
    );
    await assert.rejects(client.get(Secret, key), /not found/);
  });
});

Deno.test("createOrUpdate() updates an object that the cache does not have, and refuses a new name", async () => {
  await withCluster(async ({ client }) => {
    await client.create(ConfigMap, { metadata: { name: "web" } });
    const object = { metadata: { namespace: "default", name: "web" } };
    const { outcome } = await inRun(client, async (context) => {
      await client.create(Secret, { metadata: { name: "web" }, data: { a: "eA==" } });
      return await createOrUpdate(context, Secret, object, (secret) => {
        secret.data = { ...secret.data, b: "eA==" };
      });
    });
    const { data } = await client.get(Secret, key);
    assert.deepEqual([outcome, data], ["updated", { a: "eA==", b: "eA==" }]);
    await assert.rejects(
      inRun(
        client,
        (context) =>
          createOrUpdate(
            context,
            Secret,
            object,
            (secret) => void (secret.metadata.name = "other"),
          ),
      ),
      /the function has renamed it to default\/other/,
    );
  });
});

/** Reconciles a set with one Secret once, whose source has options; returns the Secrets' names. */
async function childrenWith(
  client: Client,
  source: OwnsOptions<V1Secret>,
  labels: Record<string, string>,
): Promise<(string | undefined)[]> {
  const set = new ChildSet({
    name: "app",
    parent: ConfigMap,
    types: [Secret],
    desired: () => [child(Secret, { metadata: { name: "a", labels } })],
  });
  const controller = controllerFor(ConfigMap).owns(Secret, { ...childSource, ...source })
    .reconcile(async (context) => {
      await set.reconcile(context, context.cache.get(ConfigMap, key)!);
    });
  await reconcileOnce(controller, key, { client });
  const { items } = await client.list(Secret);
  return items.map(({ metadata }) => metadata.name);
}

Deno.test("applyChild() refuses a child that its source would never show, and names the selector", async () => {
  await withCluster(async ({ client }) => {
    await client.create(ConfigMap, { metadata: { name: "web" } });
    const outside: [OwnsOptions<V1Secret>, RegExp][] = [
      [{ labelSelector: "app" }, /Secret default\/a: it is outside of labelSelector "app", to/],
      [{ fieldSelector: "metadata.name=b" }, /no informer holds .* of the name a, only in .*=b/],
      [
        { namespaces: ["default"], labelSelector: "app=web" },
        /outside of namespace default with labelSelector "app=web"/,
      ],
    ];
    for (const [source, message] of outside) {
      await assert.rejects(childrenWith(client, source, {}), message);
      assert.deepEqual((await client.list(Secret)).items, []);
    }
    assert.deepEqual(await childrenWith(client, { labelSelector: "app" }, { app: "web" }), ["a"]);
  });
});

Deno.test("applyChild() judges the labels that the child has after the apply", async () => {
  await withCluster(async ({ client }) => {
    await client.create(ConfigMap, { metadata: { name: "web" } });
    const source = { labelSelector: "app" };
    await childrenWith(client, source, { app: "web" });
    // The apply would remove the label that it has set itself, and so hide the child.
    await assert.rejects(childrenWith(client, source, {}), /outside of labelSelector "app"/);
    const body = { metadata: { labels: { app: "others" } } };
    await client.patch(Secret, "default/a", { type: "merge", body });
    assert.deepEqual(await childrenWith(client, source, {}), ["a"]);
  });
});

Deno.test("applyChild() passes on a conflict that is not about an object of the child's name", async () => {
  await withCluster(async ({ client }) => {
    await client.create(ConfigMap, { metadata: { name: "web" } });
    const message =
      'Operation cannot be fulfilled on resourcequotas "q": the object has been modified';
    await inRun(client, async (context, owner) => {
      const quota = intercept(context.client, {
        onPatch: () => Promise.reject(refusal(409, "Conflict", message)),
      });
      const secret = { metadata: { name: "a" } };
      await assert.rejects(
        applyChild({ ...context, client: quota }, Secret, secret, { owner, fieldManager: "app" }),
        (error) => isConflict(error) && error.message === message,
      );
    });
  });
});

Deno.test("applyChild() does not take over an object that somebody creates just before the apply", async () => {
  await withCluster(async ({ client }) => {
    const map = await client.create(ConfigMap, { metadata: { name: "web" } });
    const applied = (given: ChildContext, owner: ChildOwner): Promise<ChildResult> =>
      applyChild(given, Secret, { metadata: { name: "a" }, data: { mine: "eA==" } }, {
        owner,
        fieldManager: "app",
      });
    const racing = (context: ReconcileContext, secret: V1Secret): ChildContext => ({
      ...context,
      client: intercept(context.client, {
        onPatch: async (call, next) => {
          await client.create(Secret, secret).catch(() => {}); // It exists at a further patch.
          return await next(call);
        },
      }),
    });
    const metadata = { name: "a", namespace: "default" };
    await inRun(client, async (context, owner) => {
      const foreign = racing(context, { metadata, data: { pw: "eA==" } });
      await assert.rejects(applied(foreign, owner), ForeignChildError);
    });
    const secret = await client.get(Secret, "default/a");
    assert.deepEqual([secret.data, controllerOf(secret.metadata)], [{ pw: "eA==" }, undefined]);

    await client.delete(Secret, "default/a");
    const own: V1Secret = { metadata };
    setControllerReference(own, map, ConfigMap);
    const { outcome } = await inRun(
      client,
      (context, owner) => applied(racing(context, own), owner),
    );
    assert.equal(outcome, "updated");
    assert.equal((await client.get(Secret, "default/a")).data?.mine, "eA==");
  });
});

Deno.test("applyChild() judges a child again that changed since it was cached, and changes only its own", async () => {
  await withCluster(async ({ client, server }) => {
    const map = await client.create(ConfigMap, { metadata: { name: "web" } });
    const other = await client.create(ConfigMap, { metadata: { name: "other" } });
    const others: V1Secret = { metadata: { namespace: "default" } };
    setControllerReference(others, other, ConfigMap);
    const { ownerReferences } = others.metadata;
    const cases: Record<string, [object, RegExp | "updated"]> = {
      touched: [{ annotations: { changed: "yes" } }, "updated"],
      released: [{ ownerReferences: null }, /has no controller/],
      taken: [{ ownerReferences }, /its controller is ConfigMap other/],
    };
    for (const name of Object.keys(cases)) await owned(client, map, name);
    const changes = new Map(Object.entries(cases));
    // The change comes between the read of the cache and the request of applyChild().
    using late = clientOfCluster(server, async ({ method, url }) => {
      const name = new URL(url).pathname.split("/").at(-1)!;
      const [metadata] = method === "PATCH" ? changes.get(name) ?? [] : [];
      changes.delete(name);
      if (metadata) {
        await client.patch(Secret, `default/${name}`, { type: "merge", body: { metadata } });
      }
      return undefined;
    });
    for (const [name, [, expected]] of Object.entries(cases)) {
      const applied = inRun(
        late,
        (context, owner) =>
          applyChild(context, Secret, { metadata: { name }, data: { mine: "eA==" } }, {
            owner,
            fieldManager: "app",
          }),
      );
      if (expected === "updated") assert.equal((await applied).outcome, expected);
      else {
        await assert.rejects(applied, (error) => {
          assert(error instanceof ForeignChildError);
          assert.match(error.message, expected);
          return true;
        });
        assert.equal((await client.get(Secret, `default/${name}`)).data, undefined, name);
      }
    }
    assert.equal(changes.size, 0);
    assert.equal((await client.get(Secret, "default/touched")).data?.mine, "eA==");
  });
});

Deno.test("applyChild() adopts no object that another controller has adopted since it was cached", async () => {
  await withCluster(async ({ client }) => {
    await client.create(ConfigMap, { metadata: { name: "web" } });
    const other = await client.create(ConfigMap, { metadata: { name: "other" } });
    await client.create(Secret, { metadata: { name: "a" } });
    const refused = inRun(client, async (context, owner) => {
      const body = { metadata: { ...(await client.get(Secret, "default/a")).metadata } };
      setControllerReference(body as V1Secret, other, ConfigMap);
      await client.patch(Secret, "default/a", { type: "merge", body });
      return await applyChild(context, Secret, { metadata: { name: "a" } }, {
        owner,
        fieldManager: "app",
        adopt: true,
      });
    });
    await assert.rejects(refused, ForeignChildError);
    const { metadata } = await client.get(Secret, "default/a");
    assert.equal(controllerOf(metadata)?.name, "other");
  });
});

Deno.test("applyChild() without force throws the conflict of another field manager, and asks once more whether the child changed", async () => {
  await withCluster(async ({ client }) => {
    const map = await client.create(ConfigMap, { metadata: { name: "web" } });
    const secret: V1Secret = { metadata: { name: "a", namespace: "default" }, data: { a: "eA==" } };
    setControllerReference(secret, map, ConfigMap);
    await client.create(Secret, secret);
    let patches = 0;
    await inRun(client, async (context, owner) => {
      const counted = intercept(context.client, {
        onPatch: (call, next) => (patches++, next(call)),
      });
      await assert.rejects(
        applyChild(
          { ...context, client: counted },
          Secret,
          { metadata: { name: "a" }, data: { a: "eQ==" } },
          { owner, fieldManager: "app", force: false },
        ),
        /conflict/,
      );
    });
    assert.equal(patches, 1);
  });
});

Deno.test("createOrUpdate() updates the object that the function saw, also when the function replaces all metadata", async () => {
  await withCluster(async ({ client }) => {
    await client.create(ConfigMap, { metadata: { name: "web" } });
    await client.create(Secret, { metadata: { name: "web" }, data: { old: "eA==" } });
    const metadata = { name: "web", namespace: "default" };
    const written = inRun(client, async (context) => {
      const late = intercept(context.client, {
        onUpdate: async (call, next) => {
          await client.delete(Secret, key);
          await client.create(Secret, { metadata, data: { foreign: "eA==" } });
          return await next(call);
        },
      });
      return await createOrUpdate({ ...context, client: late }, Secret, { metadata }, (secret) => {
        secret.metadata = { ...metadata };
        secret.data = { mine: "eA==" };
      });
    });
    await assert.rejects(written, isConflict);
    assert.deepEqual((await client.get(Secret, key)).data, { foreign: "eA==" });
  });
});
