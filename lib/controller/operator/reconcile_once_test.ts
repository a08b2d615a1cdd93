import assert from "node:assert/strict";
import { refusal } from "../../../tests/support/in_process/fake_cluster.ts";
import { CollectedLog } from "../../../tests/support/faults/collected_log.ts";
import type { Client } from "../../client/typed/client.ts";
import { ConfigMap, resourceType, type ResourceTypeInit, Secret } from "@xca/apimachinery/meta";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { CacheReadError } from "../../cache/readers/cache_read_error.ts";
import { controllerFor } from "../definition/controller_builder.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import { defineOperator } from "./operator.ts";
import { reconcileOnce } from "./reconcile_once.ts";
import { ResourceMismatchError } from "./resource_check.ts";
import { runOperator } from "./run_operator.ts";

function map(name: string, generation = 0) {
  return { metadata: { name, namespace: "default", labels: { generation: `${generation}` } } };
}

/** Returns a test controller that creates Secrets for each ConfigMap, one per run, up to three. */
function threeSecrets(runs: string[] = []): ControllerDefinition {
  return controllerFor(ConfigMap)
    .watches(Secret, ({ name }) => [`default/${name.split("-")[0]}`])
    .reconcile(async ({ key, name, cache, client }) => {
      const count = (await cache.list(Secret)).filter(({ metadata }) =>
        metadata.name!.startsWith(`${name}-`)
      ).length;
      runs.push(`${name} sees ${count}`);
      if (cache.get(ConfigMap, key) && count < 3) {
        await client.create(Secret, map(`${name}-${count + 1}`));
      }
    });
}

Deno.test("reconcileOnce() runs one step on the state that the server has at the call", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  await client.create(ConfigMap, map("a"));
  await client.create(ConfigMap, map("b"));
  const runs: string[] = [];
  for (let step = 0; step < 4; step++) {
    assert.equal(await reconcileOnce(threeSecrets(runs), "default/a", { client }), undefined);
  }
  assert.deepEqual(runs, ["a sees 0", "a sees 1", "a sees 2", "a sees 3"]);
  assert.equal((await client.list(Secret)).items.length, 3);
});

Deno.test("reconcileOnce() returns the reconciler's request, and throws its error", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const once = (
    reconcile: Parameters<ReturnType<typeof controllerFor>["reconcile"]>[0],
    options = {},
    key = "default/a",
  ) =>
    reconcileOnce(controllerFor(ConfigMap).options(options).reconcile(reconcile), key, { client });
  assert.deepEqual(await once(() => ({ requeueAfterMs: 5 })), { requeueAfterMs: 5 });
  const mine = new Error("mine");
  await assert.rejects(
    once(() => {
      throw mine;
    }),
    (error) => error === mine,
  );
  await assert.rejects(once(() => 7 as unknown as void), /Cannot use what reconcile returned/);
  await assert.rejects(
    once(({ cache }) => void cache.get(Secret, "default/a")),
    CacheReadError,
  );
  await assert.rejects(once(() => {}, {}, "a"), /namespaced, so its keys are namespace\/name/);
  await assert.rejects(
    once(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      {
        timeoutMs: 1,
      },
    ),
    { name: "TimeoutError" },
  );
  await assert.rejects(
    once(() => new Promise(() => {}), { timeoutMs: 1, abortGraceMs: 0 }),
    /ignores its aborted signal/,
  );
});

Deno.test("reconcileOnce() refuses a resource whose kind or scope differs from the server's", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const right: ResourceTypeInit = {
    group: "",
    version: "v1",
    kind: "ConfigMap",
    plural: "configmaps",
  };
  let runs = 0;
  for (
    const [wrong, key] of [
      [{ kind: "configmap" }, "default/a"],
      [{ scope: "Cluster" }, "a"],
    ] as const
  ) {
    const controller = controllerFor(resourceType({ ...right, ...wrong }))
      .reconcile(() => void runs++);
    await assert.rejects(reconcileOnce(controller, key, { client }), ResourceMismatchError);
  }
  assert.equal(runs, 0);
});

Deno.test("reconcileOnce() runs, with a warning, where discovery is forbidden", async () => {
  await using log = await CollectedLog.start();
  using server = await ApiServer.start();
  using client = clientOf(server);
  const forbidden: Client = Object.create(client, {
    requestJson: { value: () => Promise.reject(refusal(403, "Forbidden", "you may not")) },
  });
  for (const name of ["get", "list", "pages", "watch", "raw", "request"] as const) {
    Object.defineProperty(forbidden, name, { value: client[name]?.bind(client) });
  }
  let runs = 0;
  const controller = controllerFor(ConfigMap).reconcile(() => void runs++);
  await reconcileOnce(controller, "default/a", { client: forbidden });
  assert.equal(runs, 1);
  const [warning] = log.messages("warning");
  assert.match(
    warning!,
    /cannot tell whether kind and scope of configmaps\.v1 are right: .*you may/,
  );
});

Deno.test("reconcileOnce() ends with its signal", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const stop = new AbortController();
  const reason = new Error("enough");
  const run = reconcileOnce(
    controllerFor(ConfigMap).reconcile(({ signal }) => {
      stop.abort(reason);
      return new Promise((_, reject) => reject(signal.reason));
    }),
    "default/a",
    { client, signal: stop.signal },
  );
  await assert.rejects(run, (error) => error === reason);
  await assert.rejects(
    reconcileOnce(threeSecrets(), "default/a", { client, signal: stop.signal }),
    (error) => error === reason,
  );
});

Deno.test("idle() resolves when no work is left, at any time", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  const runs: string[] = [];
  const operator = defineOperator({ name: "test", controllers: [threeSecrets(runs)] });
  await using handle = runOperator(operator, { client });
  assert.deepEqual(await handle.idle(), { initialKeys: 0, failed: [], scheduled: [] });
  for (const name of ["a", "b", "c"]) {
    await client.create(ConfigMap, map(name));
    await handle.idle();
    assert.equal(runs.at(-1), `${name} sees 3`);
  }
  assert.equal((await client.list(Secret)).items.length, 9);
  const before = runs.length;
  await client.delete(Secret, "default/b-3");
  await client.delete(ConfigMap, "default/a");
  await handle.idle();
  assert.deepEqual(runs.slice(before).filter((run) => run.startsWith("a")), ["a sees 3"]);
  assert.equal((await client.get(Secret, "default/b-3")).metadata.name, "b-3");
  const [first, second] = await Promise.all([handle.idle(), handle.idle()]);
  assert.deepEqual(first, second);
});

Deno.test("idle() waits for what a run under way at the call writes", async () => {
  using server = await ApiServer.start();
  const listed = Promise.withResolvers<void>();
  const listedAgain = Promise.withResolvers<void>();
  let lists = 0;
  // The watch of Secrets brings the child only after a second list, so that idle() depends on asking again.
  using client = clientOf(server, {
    through: (fetch) => async (request) => {
      const response = await fetch(request);
      const { pathname, searchParams } = new URL(request.url);
      if (request.method !== "GET" || !pathname.endsWith("/secrets")) return response;
      if (!searchParams.has("watch")) {
        [listed, listedAgain][lists++]?.resolve();
        return response;
      }
      const held = new TransformStream<Uint8Array, Uint8Array>({
        transform: async (chunk, controller) => {
          if (lists > 0) await listedAgain.promise;
          controller.enqueue(chunk);
        },
      });
      return new Response(response.body!.pipeThrough(held), response);
    },
  });
  const runs: string[] = [];
  const began = Promise.withResolvers<void>();
  const inner = threeSecrets(runs);
  const controller: ControllerDefinition = {
    ...inner,
    reconcile: async (context) => {
      began.resolve();
      await listed.promise;
      await inner.reconcile(context);
    },
  };
  const operator = defineOperator({ name: "test", controllers: [controller] });
  await using handle = runOperator(operator, { client });
  await handle.ready;
  await client.create(ConfigMap, map("a"));
  await began.promise;
  await handle.idle();
  listedAgain.resolve();
  assert.equal(runs.at(-1), "a sees 3");
});

Deno.test("idle() counts keys that keep failing as failed, and rejects when the operator stops", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  await client.create(ConfigMap, map("a"));
  const controller = controllerFor(ConfigMap).reconcile(() => {
    throw new Error("no");
  });
  const operator = defineOperator({ name: "test", controllers: [controller] });
  const handle = runOperator(operator, { client });
  const { failed } = await handle.idle();
  assert.deepEqual(failed.map(({ key, error }) => [key, error]), [["default/a", "no"]]);
  assert(failed[0]!.attempts >= 5);
  const idle = handle.idle();
  await handle.stop();
  await assert.rejects(idle, /Operator test stopped before everything was done/);
});
