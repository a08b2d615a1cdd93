import type { V1ReplicaSet } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { Pod, ReplicaSet, ResourceQuota } from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch, strategicPatch } from "../../../lib/client/mod.ts";
import type { Scenario, ScenarioArea, Stage } from "../world.ts";
import { isFilled } from "./at_rest.ts";
import { create, deployment, image, SCRIPT, type Step } from "./parts.ts";

function replicaSet(replicas: number): V1ReplicaSet {
  const { metadata, spec: { selector, template } } = deployment();
  return { metadata, spec: { replicas, selector, template } };
}

function scale(replicas: number): Step {
  return (stage) =>
    stage.client.patch(ReplicaSet, stage.key("web"), mergePatch({ spec: { replicas } }));
}

/**
 * Returns a scenario that creates a ReplicaSet, and executes steps, waiting for a settled state
 * before each.
 */
function replicas(
  name: string,
  count: number,
  spec: Partial<V1ReplicaSet["spec"]> = {},
  ...steps: readonly Step[]
): Scenario {
  return {
    name: `ReplicaSet ${name}`,
    restMs: 1500,
    run: async (stage) => {
      const set = replicaSet(count);
      await create(stage, ReplicaSet, { ...set, spec: { ...set.spec!, ...spec } });
      for (const step of steps) {
        await stage.settle();
        await step(stage);
      }
    },
  };
}

/** The scenarios of the ReplicaSet controller. */
export const REPLICA_SET: ScenarioArea = {
  name: "replica_set",
  kinds: [{ type: ReplicaSet, isAtRest: isFilled }],
  scenarios: [
    ...(["Background", "Foreground", "Orphan"] as const).map((propagationPolicy) =>
      replicas(
        `deleted: ${propagationPolicy}`,
        2,
        {},
        (stage) => stage.client.delete(ReplicaSet, stage.key("web"), { propagationPolicy }),
      )
    ),
    replicas("none", 0),
    replicas("to zero", 3, {}, scale(0)),
    replicas("larger and smaller", 2, {}, scale(6), scale(3)),
    replicas(
      "another image, which running pods do not get",
      2,
      {},
      (stage) =>
        stage.client.patch(ReplicaSet, stage.key("web"), strategicPatch(image("app:2") as never)),
    ),
    replicas(
      "another image, and larger",
      2,
      {},
      (stage) =>
        stage.client.patch(ReplicaSet, stage.key("web"), strategicPatch(image("app:2") as never)),
      scale(3),
    ),
    replicas(
      "pods deleted",
      3,
      {},
      ({ client, namespace }) =>
        client.deleteCollection(Pod, { namespace, labelSelector: "app=web" }),
    ),
    ...["Failed", "Succeeded"].map((phase) =>
      replicas(`a pod that has ${phase.toLowerCase()}`, 2, {}, async (stage) => {
        const { items } = await stage.client.list(Pod, { namespace: stage.namespace });
        const key = stage.key(items[0]!.metadata.name!);
        await stage.client.patchStatus(Pod, key, mergePatch({ status: { phase } }));
      })
    ),
    replicas("smaller by deletion cost", 3, {}, async (stage) => {
      const { items } = await stage.client.list(Pod, { namespace: stage.namespace });
      for (const [index, { metadata }] of items.entries()) {
        const annotations = { "controller.kubernetes.io/pod-deletion-cost": String(index) };
        const patch = mergePatch({ metadata: { annotations } });
        await stage.client.patch(Pod, stage.key(metadata.name!), patch);
      }
    }, scale(1)),
    replicas("smaller, those that are not ready first", 3, {}, async (stage) => {
      const { items } = await stage.client.list(Pod, { namespace: stage.namespace });
      const patch = mergePatch({
        metadata: { annotations: { [SCRIPT]: '{"*":{"readyAfterMs":"never"}}' } },
      });
      await stage.client.patch(Pod, stage.key(items[0]!.metadata.name!), patch);
    }, scale(1)),
    replicas("a selector that no longer selects a pod", 2, {}, async (stage) => {
      const { items } = await stage.client.list(Pod, { namespace: stage.namespace });
      const patch = mergePatch({ metadata: { labels: { app: null } } } as never);
      await stage.client.patch(Pod, stage.key(items[0]!.metadata.name!), patch);
    }),
    replicas("a released pod that comes back", 2, {}, async (stage) => {
      const { items } = await stage.client.list(Pod, { namespace: stage.namespace });
      const key = stage.key(items[0]!.metadata.name!);
      await stage.client.patch(Pod, key, mergePatch({ metadata: { labels: { app: "other" } } }));
      await stage.settle();
      await stage.client.patch(Pod, key, mergePatch({ metadata: { labels: { app: "web" } } }));
    }),
    replicas("available later", 2, { minReadySeconds: 1 }),
    ...[1, 3, 5].map((count) => ({
      name: `ReplicaSet of 3 that finds ${count} pods`,
      run: async (stage: Stage) => {
        for (let index = 0; index < count; index++) {
          await create(stage, Pod, {
            // Names that are taken for random ones: which pods are deleted varies.
            metadata: { name: `lonely-xxxx${index + 4}`, labels: { app: "web" } },
            spec: { containers: [{ name: "app", image: "app:1" }] },
          });
        }
        await stage.settle();
        await create(stage, ReplicaSet, replicaSet(3));
      },
    })),
    {
      name: "two ReplicaSets of one selector",
      run: async (stage) => {
        await create(stage, ReplicaSet, replicaSet(2));
        await stage.settle();
        const other = replicaSet(2);
        await create(stage, ReplicaSet, { ...other, metadata: { name: "web-b" } });
      },
    },
    {
      name: "quota",
      run: async (stage) => {
        await create(stage, ResourceQuota, {
          metadata: { name: "few" },
          spec: { hard: { pods: "2" } },
        });
        await stage.settle();
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
