import type { V1ReplicaSet } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { Pod, ReplicaSet, ResourceQuota } from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch } from "../../../lib/client/mod.ts";
import type { ScenarioArea } from "../world.ts";
import { isFilled } from "./at_rest.ts";
import { create, deployment } from "./parts.ts";

function replicaSet(replicas: number): V1ReplicaSet {
  const { metadata, spec: { selector, template } } = deployment();
  return { metadata, spec: { replicas, selector, template } };
}

/** The scenarios of the controller of ReplicaSets. */
export const REPLICA_SET: ScenarioArea = {
  name: "replica_set",
  kinds: [{ type: ReplicaSet, isAtRest: isFilled }],
  scenarios: [
    {
      name: "quota",
      run: async (stage) => {
        const quota = await create(stage, ResourceQuota, {
          metadata: { name: "few" },
          spec: { hard: { pods: "2" } },
        });
        const status = { hard: { pods: "2" }, used: { pods: "0" } };
        await stage.client.updateStatus(ResourceQuota, { ...quota, status });
        await create(stage, ReplicaSet, replicaSet(2));
      },
    },
    {
      name: "ReplicaSet alone",
      run: async (stage) => {
        await create(stage, ReplicaSet, replicaSet(4));
        await stage.settle();
        await stage.client.patch(
          ReplicaSet,
          stage.key("web"),
          mergePatch({ spec: { replicas: 1 } }),
        );
      },
    },
    {
      name: "adopt and release",
      run: async (stage) => {
        await create(stage, Pod, {
          metadata: { name: "lonely", labels: { app: "web" } },
          spec: { containers: [{ name: "app", image: "app:1" }] },
        });
        await stage.settle();
        await create(stage, ReplicaSet, replicaSet(2));
        await stage.settle();
        const labels = { app: "other" };
        await stage.client.patch(Pod, stage.key("lonely"), mergePatch({ metadata: { labels } }));
      },
    },
  ],
};
