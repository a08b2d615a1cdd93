/** Tests of a controller whose gate is closed, as in a replica that does not lead. */
import assert from "node:assert/strict";
import {
  configMap,
  forMaps,
  type Harness,
  harness,
} from "../../../tests/support/in_process/controller_harness.ts";
import { ConfigMap } from "@xca/apimachinery/meta";
import type { OperatorHandle } from "../ports/operator_progress.ts";
import type { Reconciler } from "../definition/reconciler.ts";

/** Runs a controller of ConfigMaps behind a gate that `open` opens, until it stands by. */
async function standby(
  h: Harness,
  reconcile: Reconciler,
): Promise<{ readonly handle: OperatorHandle; readonly open: () => void }> {
  const { promise, resolve: open } = Promise.withResolvers<void>();
  const gate = { opened: () => promise, admit: () => {}, closed: false, remainingMs: Infinity };
  const handle = h.run(forMaps(reconcile), { gate });
  await h.clock.settle();
  assert.equal(handle.report().controllers[0]?.stage, "standby");
  return { handle, open };
}

Deno.test("a standby keeps no key, neither of objects that exist nor of those that came and went", async () => {
  await using h = harness();
  h.cluster.put(ConfigMap, configMap("old"));
  const seen: string[] = [];
  const { handle, open } = await standby(h, ({ name }) => void seen.push(name));
  for (let at = 0; at < 100; at++) {
    h.cluster.put(ConfigMap, configMap(`short-${at}`));
    h.cluster.put(ConfigMap, configMap("old", { data: { at: `${at}` } }));
    h.cluster.remove(ConfigMap, `default/short-${at}`);
  }
  await h.clock.settle();
  assert.equal(handle.progress().queued, 0);
  open();
  await h.clock.settle();
  assert.deepEqual(seen, ["old"]);
  assert.equal(handle.progress().initialKeys, 1);
});

Deno.test("a change after a standby leads goes before all that changed while it stood by", async () => {
  await using h = harness();
  const seen: string[] = [];
  const { open } = await standby(h, ({ name }) => {
    if (seen.push(name) === 1) h.cluster.put(ConfigMap, configMap("new"));
  });
  for (let at = 0; at < 50; at++) h.cluster.put(ConfigMap, configMap(`old-${at}`));
  await h.clock.advance(3_600_000);
  open();
  await h.clock.settle();
  assert.deepEqual(seen.slice(0, 3), ["old-0", "new", "old-1"]);
  assert.equal(seen.length, 51);
});
