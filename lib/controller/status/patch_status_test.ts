import assert from "node:assert/strict";
import { isConflict } from "../../client/errors/api_error.ts";
import type { V1Deployment } from "@xca/apimachinery/kubernetes-types";
import { Deployment, keyOf, type KubeObject, type ResourceType } from "@xca/apimachinery/meta";
import { printedRandom } from "../../../tests/support/seed.ts";
import { type Client, withCluster } from "../../../tests/support/in_process/helper_cluster.ts";
import { controllerFor } from "../definition/controller_builder.ts";
import { reconcileOnce } from "../operator/reconcile_once.ts";
import type { ReconcileContext } from "../definition/reconciler.ts";
import { TerminalError } from "../definition/terminal_error.ts";
import { mergeDifference } from "./merge_difference.ts";
import { patchStatus } from "./patch_status.ts";

async function deployment(client: Client): Promise<KubeObject & V1Deployment> {
  const labels = { app: "web" };
  return await client.create(Deployment, {
    metadata: { name: "web" },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } },
    },
  });
}

const available = {
  type: "Available",
  status: "True",
  reason: "Enough",
  message: "3 of 3",
  lastTransitionTime: "2026-01-02T03:04:05Z",
  lastUpdateTime: "2026-01-02T03:04:05Z",
};

Deno.test("patchStatus() sends only what differs, and nothing when nothing does", async () => {
  await withCluster(async ({ client, requests }) => {
    const made = await deployment(client);
    const first = await patchStatus({ client }, Deployment, made, {
      replicas: 3,
      readyReplicas: 2,
      conditions: [available],
    });
    requests.length = 0;
    const same = { replicas: 3, readyReplicas: 2, conditions: [available] };
    assert.equal(await patchStatus({ client }, Deployment, first, same), first);
    assert.equal(await patchStatus({ client }, Deployment, first, { replicas: undefined }), first);
    assert.deepEqual(requests, []);
    const second = await patchStatus({ client }, Deployment, first, { ...same, replicas: 2 });
    assert.deepEqual([second.status?.replicas, second.status?.readyReplicas], [2, 2]);
    assert.deepEqual(second.status?.conditions, first.status?.conditions);
    const removed = await patchStatus({ client }, Deployment, second, { readyReplicas: null });
    assert.deepEqual([removed.status?.replicas, removed.status?.readyReplicas], [2, undefined]);
    assert.equal(requests.length, 2);
  });
});

Deno.test("patchStatus() keeps fields of another writer, and conflicts only where it replaces a list", async () => {
  await withCluster(async ({ client }) => {
    const made = await deployment(client);
    await patchStatus({ client }, Deployment, made, { readyReplicas: 1, replicas: 1 });
    const merged = await patchStatus({ client }, Deployment, made, { updatedReplicas: 1 });
    assert.deepEqual([merged.status?.readyReplicas, merged.status?.updatedReplicas], [1, 1]);
    await assert.rejects(
      patchStatus({ client }, Deployment, made, { conditions: [available] }),
      isConflict,
    );
    const newest = await client.get(Deployment, "default/web");
    const listed = await patchStatus({ client }, Deployment, newest, { conditions: [available] });
    assert.equal(listed.status?.conditions?.length, 1);
  });
});

Deno.test("patchStatus() does not change a new object of the same name", async () => {
  await withCluster(async ({ client }) => {
    const made = await deployment(client);
    await client.delete(Deployment, "default/web");
    await deployment(client);
    await assert.rejects(patchStatus({ client }, Deployment, made, { replicas: 1 }));
    assert.equal((await client.get(Deployment, "default/web")).status?.replicas, undefined);
  });
});

Deno.test("F33 patchStatus() of a status that is too large is a terminal error with an event", async () => {
  await withCluster(async ({ client }) => {
    const made = await deployment(client);
    const recorded: string[] = [];
    const events: ReconcileContext["events"] = {
      record: (_type, _object, { type, reason }) => void recorded.push(`${type} ${reason}`),
    };
    for (const megabytes of [2, 4]) {
      const condition = { ...available, message: "x".repeat(megabytes * 1_000_000) };
      await assert.rejects(
        patchStatus({ client, events }, Deployment, made, { conditions: [condition] }),
        (error) => {
          assert(error instanceof TerminalError);
          assert.match(error.message, /status of Deployment default\/web: the status is larger/);
          return true;
        },
      );
    }
    assert.deepEqual(recorded, ["Warning StatusTooLarge", "Warning StatusTooLarge"]);
  });
});

Deno.test("a status whose unchanged integers are beyond 2^53 is patched in its other fields", async () => {
  const startedNs = Number("1764283512000000001");
  const type = Deployment as unknown as ResourceType<KubeObject & { status: object }>;
  const object = {
    metadata: { namespace: "default", name: "web" },
    status: { startedNs, phase: "Pending" },
  };
  const bodies: unknown[] = [];
  const patchStatusOf = (_type: unknown, _key: string, patch: unknown): Promise<KubeObject> => {
    bodies.push(patch);
    return Promise.resolve(object);
  };
  const context = { client: { patchStatus: patchStatusOf } } as unknown as ReconcileContext;
  await patchStatus(context, type, object, { ...object.status, phase: "Running" });
  assert.equal(bodies.length, 1);
  assert.match(JSON.stringify(bodies[0]), /"status":\{"phase":"Running"\}/);
});

Deno.test("a status with a value that JSON lacks is refused with its path, and no field is removed", async () => {
  await withCluster(async ({ client, requests }) => {
    const made = await deployment(client);
    const controller = controllerFor(Deployment).reconcile(async (context) => {
      const web = context.cache.get(Deployment, context.key)!;
      requests.length = 0;
      const wrong = { replicas: Infinity } as const;
      await assert.rejects(patchStatus(context, Deployment, web, wrong), {
        name: "TypeError",
        message: /Cannot patch the status of Deployment default\/web: status.replicas is Infinity/,
      });
      const update = context.client.updateStatus(Deployment, { ...web, status: wrong });
      await assert.rejects(update, /Cannot send PUT .*: status.replicas is Infinity/);
      const body = { status: { conditions: [undefined!] } };
      const patch = context.client.patchStatus(Deployment, context.key, { type: "merge", body });
      await assert.rejects(patch, /a merge patch: status.conditions\[0\] is undefined/);
      assert.deepEqual(requests, []);
    });
    await reconcileOnce(controller, keyOf(made), { client });
  });
});

/** Applies a JSON Merge Patch as RFC 7386, section 2, describes it, for comparison. */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const isMap = typeof target === "object" && target !== null && !Array.isArray(target);
  const result: Record<string, unknown> = isMap ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  }
  return result;
}

Deno.test("mergeDifference() of random values has the effect of the whole patch, and is empty after it", () => {
  const { seed, random } = printedRandom();
  const pick = (limit: number): number => Math.floor(random.next() * limit);
  const value = (depth: number, nulls: boolean): unknown => {
    const kind = pick(depth > 0 ? 6 : 4);
    if (kind === 0) return nulls ? null : "none";
    if (kind < 3) return pick(3);
    if (kind === 3) return [pick(2), { a: pick(2) }].slice(pick(3));
    return map(depth - 1, nulls);
  };
  const map = (depth: number, nulls: boolean): Record<string, unknown> =>
    Object.fromEntries(
      ["a", "b", "c"].filter(() => pick(2) === 0).map((name) => [name, value(depth, nulls)]),
    );
  for (let round = 0; round < 2_000; round++) {
    const [current, wanted] = [map(3, false), map(3, true)];
    const whole = merged(current, wanted);
    const about = `seed ${seed}, ${JSON.stringify({ current, wanted })}`;
    assert.deepEqual(merged(current, mergeDifference(current, wanted) ?? {}), whole, about);
    assert.equal(mergeDifference(whole, wanted), undefined, about);
  }
});
