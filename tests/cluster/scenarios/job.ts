import type { V1Job } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { Job } from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch } from "../../../lib/client/mod.ts";
import type { Scenario, ScenarioArea } from "../world.ts";
import { isOver } from "./at_rest.ts";
import { create, SCRIPT } from "./parts.ts";

/** Returns a scenario that creates a Job, whose pods end by a script. */
function job(
  name: string,
  spec: Partial<NonNullable<V1Job["spec"]>>,
  script: unknown = {},
  ...patches: readonly unknown[]
): Scenario {
  const annotations = { [SCRIPT]: JSON.stringify({ "*": { runMs: 0, ...script as object } }) };
  const containers = [{ name: "app", image: "app:1" }];
  const template = { metadata: { annotations }, spec: { containers, restartPolicy: "Never" } };
  return {
    name: `Job ${name}`,
    run: async (stage) => {
      await create(stage, Job, { metadata: { name: "work" }, spec: { template, ...spec } });
      for (const patch of patches) {
        await stage.settle();
        await stage.client.patch(Job, stage.key("work"), mergePatch(patch as never));
      }
    },
  };
}

/** The scenarios of the controller of Jobs. */
export const JOB: ScenarioArea = {
  name: "job",
  kinds: [{ type: Job, isAtRest: isOver }],
  scenarios: [
    job("create", {}),
    job("several", { completions: 5, parallelism: 2 }),
    job("indexed", { completions: 4, parallelism: 4, completionMode: "Indexed" }),
    job("failing", { backoffLimit: 0 }, { exitCode: 3 }),
    job("suspended", { suspend: true }),
    job("suspended and resumed", { suspend: true }, {}, { spec: { suspend: false } }),
    job("past its deadline", { activeDeadlineSeconds: 2 }, { runMs: 60_000 }),
  ],
};
