/**
 * A program that plays all scenarios with a crash of each controller at each of its writes, and prints
 * the number of writes of each. Arguments select controllers by their names.
 *
 * @module
 */
// deno-lint-ignore-file no-console -- the output of a program
import { CLUSTER_CONTROLLERS } from "../../lib/cluster/mod.ts";
import { crashAtEachWrite } from "./crash_at_each_write.ts";
import { SCENARIOS } from "./scenarios/mod.ts";

const controllers = Deno.args.length > 0 ? Deno.args : CLUSTER_CONTROLLERS;
let failures = 0;
for (const controller of controllers) {
  for (const scenario of SCENARIOS) {
    if (scenario.forgetful?.includes(controller)) continue;
    try {
      const writes = await crashAtEachWrite({ scenario, controllers: [controller] });
      if (writes > 0) console.log(`${controller}: ${scenario.name}: ${writes} writes`);
    } catch (error) {
      failures++;
      console.error(`${controller}: ${scenario.name}: ${error}`);
    }
  }
}
console.log(`${failures} scenarios end in another state`);
if (failures > 0) Deno.exit(1);
