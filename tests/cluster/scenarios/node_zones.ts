/**
 * Scenarios of the limits on the evictions of a zone. Each scenario has its own zone of several
 * nodes; other zones are healthy.
 *
 * @module
 */
import { Node } from "../../../lib/apimachinery/meta/mod.ts";
import type { Scenario } from "../world.ts";
import { nodeOf, REACTION_MS, registerNode, reportConditions } from "./node_reports.ts";
import type { Step } from "./parts.ts";

/** The time between two evictions of a zone, and the reaction to them, in milliseconds. */
const EVICTION_MS = 10_000;

const EXCLUDED = { "node.kubernetes.io/exclude-disruption": "true" };

/** Reports nodes of the zone as not ready, at once, and waits for a number of evictions. */
const fail = (members: readonly number[], evictions = 1): Step => async (stage) => {
  await Promise.all(
    members.map((member) => reportConditions(stage, nodeOf(stage, member), { Ready: "False" })),
  );
  await stage.pass(REACTION_MS + (evictions - 1) * EVICTION_MS);
};

const recover = (members: readonly number[], evictions = 0): Step => async (stage) => {
  await Promise.all(members.map((member) => reportConditions(stage, nodeOf(stage, member))));
  await stage.pass(REACTION_MS + evictions * EVICTION_MS);
};

/** Returns a scenario of a zone of ready nodes; the first `excluded` do not count for its health. */
function zone(
  name: string,
  size: number,
  steps: readonly Step[],
  excluded = 0,
): Scenario {
  const members = Array.from({ length: size }, (_, index) => index + 1);
  return {
    name: `Zone ${name}`,
    restMs: 1500,
    run: async (stage) => {
      for (const member of members) {
        const labels = member <= excluded ? EXCLUDED : {};
        await registerNode(stage, nodeOf(stage, member), labels);
        await reportConditions(stage, nodeOf(stage, member));
      }
      await stage.pass(REACTION_MS);
      for (const step of steps) await step(stage);
    },
    after: async (stage) => {
      for (const member of members) {
        await stage.client.delete(Node, nodeOf(stage, member)).catch(() => {});
      }
    },
  };
}

/** The scenarios of the limits on the evictions of a zone. */
export const ZONES: readonly Scenario[] = [
  zone("with two of three nodes not ready", 3, [fail([1, 2], 2)]),
  zone("with three of four nodes not ready", 4, [fail([1, 2, 3], 2)]),
  zone("with three of six nodes not ready", 6, [fail([1, 2, 3], 3)]),
  zone("with no ready node", 2, [fail([1, 2], 2)]),
  zone("with many nodes not ready after the first", 4, [fail([1]), fail([2, 3], 2)]),
  zone("with nodes that are ready again", 4, [fail([1, 2, 3]), recover([2, 3], 1)]),
  zone("with unready nodes that do not count", 4, [fail([1, 2, 3], 3)], 2),
];
