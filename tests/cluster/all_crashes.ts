/**
 * A program that plays all scenarios with a crash of each controller at each of its writes, first
 * those of `crash_scenarios.ts` for the controller, and prints the number of writes of each.
 * Arguments select controllers by their names; `--only=text` selects the scenarios whose name
 * contains the text.
 *
 * A scenario may end differently without a fault if a user acts or pods terminate while the
 * controller is down: of two pods that a Job creates, the first may fail before the second is
 * created.
 *
 * @module
 */
// deno-lint-ignore-file no-console -- the output of a program
import { parseArgs } from "node:util";
import { CLUSTER_CONTROLLERS, selectedControllers } from "../../lib/cluster/mod.ts";
import { crashAtEachWrite } from "./crash_at_each_write.ts";
import { CRASHES } from "./crash_scenarios.ts";
import { SCENARIOS } from "./scenarios/mod.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", default: "" } },
});
const controllers = positionals.length > 0 ? selectedControllers(positionals) : CLUSTER_CONTROLLERS;
let failures = 0;
for (const controller of controllers) {
  const own = CRASHES.filter(([name]) => name === controller).map(([, ...rest]) => rest);
  const others = SCENARIOS.filter((scenario) => !own.some(([{ name }]) => name === scenario.name));
  for (const [scenario, options] of [...own, ...others.map((each) => [each, {}] as const)]) {
    if (!scenario.name.includes(values.only)) continue;
    if (scenario.forgetful?.includes(controller)) continue;
    try {
      const writes = await crashAtEachWrite({ ...options, scenario, controllers: [controller] });
      if (writes > 0) console.log(`${controller}: ${scenario.name}: ${writes} writes`);
    } catch (error) {
      failures++;
      console.error(`${controller}: ${scenario.name}: ${error}`);
    }
  }
}
console.log(`${failures} scenarios end in another state`);
if (failures > 0) Deno.exit(1);
