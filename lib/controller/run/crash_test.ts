/** Tests of F44: an operator dies before or after any of its writes, and another takes over. */
import assert from "node:assert/strict";
import {
  configMap,
  type Harness,
  harness,
} from "../../../tests/support/in_process/controller_harness.ts";
import { refusal } from "../../../tests/support/in_process/fake_cluster.ts";
import { isAlreadyExists } from "../../client/errors/api_error.ts";
import { ConfigMap, Secret } from "@xca/apimachinery/meta";
import { controllerFor } from "../definition/controller_builder.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";

/** A test controller that creates a child with a deterministic name, then writes the status. */
const twoSteps: ControllerDefinition = controllerFor(ConfigMap).owns(Secret)
  .options({ abortGraceMs: 0 })
  .reconcile(async ({ key, cache, client }) => {
    const map = cache.get(ConfigMap, key);
    if (!map || map.data?.done) return;
    const child = configMap(`${map.metadata.name}-child`);
    if (!cache.get(Secret, `${key}-child`)) {
      await client.create(Secret, child).catch((error) => {
        if (!isAlreadyExists(error)) throw error;
      });
    }
    await client.updateStatus(ConfigMap, { ...map, data: { done: "yes" } });
  });

/** Lets the operator of `h` die around its write number `at`: its calls never return. */
function dieAround(h: Harness, at: number, when: "before" | "after"): () => boolean {
  let writes = 0;
  let dead = false;
  const { client } = h.cluster;
  for (const verb of ["create", "updateStatus"] as const) {
    const write = client[verb].bind(client) as (...args: unknown[]) => Promise<unknown>;
    client[verb] = (async (...args: unknown[]) => {
      if (dead) return await new Promise(() => {});
      dead = ++writes === at;
      if (!dead) return await write(...args);
      if (when === "after") await write(...args);
      return await new Promise(() => {});
    }) as never;
  }
  return () => dead;
}

for (const at of [1, 2, 3, 4]) {
  for (const when of ["before", "after"] as const) {
    Deno.test(`F44 a crash ${when} write ${at} leads to the same state by the same writes`, async () => {
      await using h = harness();
      for (const name of ["a", "b"]) h.cluster.put(ConfigMap, configMap(name));
      const { client } = h.cluster;
      const whole = { create: client.create, updateStatus: client.updateStatus };
      const died = dieAround(h, at, when);
      const first = h.run(twoSteps, { gracePeriodMs: 0 });
      await h.clock.settle();
      assert.equal(died(), true);
      const stopped = first.stop();
      await h.clock.advance(1);
      await stopped;

      Object.assign(client, whole);
      h.run(twoSteps);
      await h.clock.advance(1_000);
      const counts = h.cluster.writes.map(({ verb, key }) => `${verb} ${key}`).sort();
      assert.deepEqual(counts, [
        "create default/a-child",
        "create default/b-child",
        "updateStatus default/a",
        "updateStatus default/b",
      ]);
      assert.deepEqual(h.cluster.keys(Secret).sort(), ["default/a-child", "default/b-child"]);
      for (const key of ["default/a", "default/b"]) {
        assert.equal(h.cluster.read(ConfigMap, key)!.data?.done, "yes");
      }
    });
  }
}

Deno.test("F44 a write whose answer was lost is not repeated blindly", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("a"));
  const { client } = h.cluster;
  const write = client.updateStatus.bind(client);
  let lost = 0;
  client.updateStatus = async (type, object) => {
    const written = await write(type, object);
    if (lost++ === 0) throw refusal(504, "Timeout", "the answer got lost");
    return written;
  };
  const handle = h.run(twoSteps);
  await h.clock.advance(1_000);
  assert.deepEqual(handle.progress().failing, []);
  assert.equal(h.cluster.writes.filter(({ verb }) => verb === "updateStatus").length, 1);
});
