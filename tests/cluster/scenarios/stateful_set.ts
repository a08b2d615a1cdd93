import type { V1StatefulSet } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { PersistentVolumeClaim, StatefulSet } from "../../../lib/apimachinery/meta/mod.ts";
import { strategicPatch } from "../../../lib/client/mod.ts";
import type { Scenario, ScenarioArea } from "../world.ts";
import { isUpdated } from "./at_rest.ts";
import { create, deployment, image } from "./parts.ts";

function statefulSet(spec: Partial<V1StatefulSet["spec"]> = {}): V1StatefulSet {
  const { metadata, spec: { selector, template } } = deployment();
  return { metadata, spec: { replicas: 3, serviceName: "web", selector, template, ...spec } };
}

/** Returns a scenario that creates a StatefulSet, and takes steps with a rest before each. */
function stateful(
  name: string,
  spec: Partial<V1StatefulSet["spec"]>,
  ...patches: readonly unknown[]
): Scenario {
  return {
    name: `StatefulSet ${name}`,
    run: async (stage) => {
      await create(stage, StatefulSet, statefulSet(spec));
      for (const patch of patches) {
        await stage.settle();
        await stage.client.patch(StatefulSet, stage.key("web"), strategicPatch(patch as never));
      }
    },
  };
}

const claimTemplate = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};

/** The scenarios of the controller of StatefulSets. */
export const STATEFUL_SET: ScenarioArea = {
  name: "stateful_set",
  kinds: [{ type: StatefulSet, isAtRest: isUpdated }, { type: PersistentVolumeClaim }],
  scenarios: [
    stateful("create", {}),
    stateful("scale", {}, { spec: { replicas: 5 } }, { spec: { replicas: 2 } }),
    stateful("new image", {}, image("app:2")),
    stateful("new image and back", { replicas: 2 }, image("app:2"), image("app:1")),
    stateful("in parallel", { podManagementPolicy: "Parallel" }, image("app:2")),
    stateful(
      "partition",
      { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } } },
      image("app:2"),
    ),
    stateful("on delete", { updateStrategy: { type: "OnDelete" } }, image("app:2")),
    stateful("with claims", { replicas: 2, volumeClaimTemplates: [claimTemplate] }, {
      spec: { replicas: 3 },
    }),
    stateful("with claims of the StatefulSet", {
      replicas: 2,
      volumeClaimTemplates: [claimTemplate],
      persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Delete" },
    }),
    stateful("from another ordinal", { replicas: 2, ordinals: { start: 5 } }),
  ],
};
