/**
 * Test of a crash of the operator at each of its writes, and of its reads of the registry.
 *
 * @module
 */
import assert from "node:assert/strict";
import { isConditionTrue } from "@xca/operator/meta";
import { type Crash, crashesAt } from "@xca/operator/testing";
import { numbered, THREE, THREE_ADDRESSES } from "./test_registry.ts";
import { Rig } from "./test_rig.ts";

Deno.test("example 14: a crash at any write or read leads to the same endpoints", async () => {
  const play = async (crash?: Crash): Promise<readonly string[]> => {
    await using rig = await Rig.start((registry) => registry.set("orders", numbered(1, 150)), {
      emptyAfterSeconds: 5,
    }, crash);
    rig.registry.set("orders", [...numbered(2, 90), { address: "2001:db8::1" }]);
    await rig.pass(6);
    rig.registry.set("orders", []);
    await rig.pass(12);
    rig.registry.set("orders", THREE);
    const what = `after a crash ${crash?.moment} step ${crash?.step}`;
    await rig.has(THREE_ADDRESSES, what);
    await rig.becomes(async () => (await rig.outside()).status?.ready, 3, what);
    const { status } = await rig.outside();
    assert.deepEqual(
      [status?.endpoints, status?.ready, status?.emptySince],
      [3, 3, undefined],
      what,
    );
    assert(isConditionTrue(status?.conditions, "Ready"), what);
    return rig.process.steps;
  };
  const steps = await play();
  assert(steps.length > 10, `${steps.length} steps`);
  const crashes = crashesAt(steps).values();
  await Promise.all(Array.from({ length: 8 }, async () => {
    for (const crash of crashes) await play(crash);
  }));
});
