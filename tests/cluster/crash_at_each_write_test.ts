/**
 * Tests of crashes at the writes of the simulated cluster's controllers, at the first and the last
 * write of each kind. The task `cluster:crashes` crashes them at each write, in all scenarios.
 *
 * @module
 */
import assert from "node:assert/strict";
import { CLUSTER_CONTROLLERS } from "../../lib/cluster/mod.ts";
import { crashAtEachWrite, crashesOfKinds } from "./crash_at_each_write.ts";
import { CRASHES, named } from "./crash_scenarios.ts";

for (const [controller, scenario, options] of CRASHES) {
  Deno.test(`a crash of ${controller} at any write leads to the same state: ${scenario.name}`, async () => {
    const writes = await crashAtEachWrite({
      ...options,
      scenario,
      controllers: [controller],
      crashes: crashesOfKinds,
    });
    assert(writes > 0, `${controller} writes nothing in the scenario`);
  });
}

Deno.test("a crash of all controllers at any write leads to the same state", async () => {
  const scenario = named("Job create");
  const crashes = crashesOfKinds;
  assert(await crashAtEachWrite({ scenario, controllers: CLUSTER_CONTROLLERS, crashes }) > 0);
});

Deno.test("crashes happen before and after the first write of a kind, and after its last write", () => {
  assert.deepEqual(crashesOfKinds(["create pods", "patch jobs", "create pods", "create pods"]), [
    { write: 1, moment: "before" },
    { write: 1, moment: "after" },
    { write: 2, moment: "before" },
    { write: 2, moment: "after" },
    { write: 4, moment: "after" },
  ]);
});
