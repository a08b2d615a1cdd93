import assert from "node:assert/strict";
import { FaultProxy } from "../../../lib/testing/faults/fault_proxy.ts";
import { FaultRig } from "../../support/faults/fault_rig.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite();

suite.test("F07 a version missing from the server's cache but not from its storage: pages of a newer version are listed", async (plane) => {
  await using proxy = FaultProxy.start({ target: plane.url });
  await using rig = await FaultRig.start(plane, {
    config: { ...plane.config, server: proxy.urlOf(plane.url) },
    reflector: { watchList: false, pageSize: 2 },
  });
  for (const name of ["a", "b", "c", "d", "e"]) await rig.create(name);
  await rig.converges();
  const { lists } = rig.informer.health;

  await proxy.refuse();
  proxy.cutAll();
  await rig.delete("b");
  for (const foo of ["1", "2", "3"]) await rig.change("a", foo);
  // Its watch cache begins at the newest version; nothing is compacted.
  await plane.restartApiserver();
  await proxy.resume();
  await rig.converges();
  assert.equal(rig.informer.health.lastError?.kind, "expired");
  assert.equal(rig.informer.health.lists, lists + 1);
  assert.deepEqual(rig.events.story(rig.key("b")).at(-1), "lost");
});
