import type { V1StatefulSet } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { PersistentVolumeClaim, Pod, StatefulSet } from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch, strategicPatch } from "../../../lib/client/mod.ts";
import type { Scenario, ScenarioArea } from "../world.ts";
import { isUpdated } from "./at_rest.ts";
import { create, deployment, image, SCRIPT, type Step } from "./parts.ts";

type Spec = NonNullable<V1StatefulSet["spec"]>;

function statefulSet(spec: Partial<V1StatefulSet["spec"]> = {}): V1StatefulSet {
  const { metadata, spec: { selector, template } } = deployment();
  return { metadata, spec: { replicas: 3, serviceName: "web", selector, template, ...spec } };
}

/**
 * Returns a scenario that creates a StatefulSet, and executes steps, waiting for a settled state
 * before each.
 */
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

const never = { [SCRIPT]: '{"*":{"readyAfterMs":"never"}}' };

/** A pod template whose pods never become ready. */
const brokenImage = {
  spec: {
    template: {
      metadata: { annotations: never },
      spec: { containers: [{ name: "app", image: "app:2" }] },
    },
  },
};

function rolling(rollingUpdate: Record<string, number | string>): Partial<Spec> {
  return { updateStrategy: { type: "RollingUpdate", rollingUpdate } };
}

const parallel: Partial<Spec> = { podManagementPolicy: "Parallel" };

/** Returns the retention policy of volume claims for scaling down and for deletion. */
function retention(whenScaled: string, whenDeleted: string): Partial<Spec> {
  return {
    volumeClaimTemplates: [claimTemplate],
    persistentVolumeClaimRetentionPolicy: { whenScaled, whenDeleted },
  };
}

/** Returns a scenario with steps that may settle before all pods are ready. */
function steps(name: string, spec: Partial<Spec>, ...all: readonly Step[]): Scenario {
  return {
    name: `StatefulSet ${name}`,
    kinds: [{ type: StatefulSet }],
    restMs: 2000,
    run: async (stage) => {
      await create(stage, StatefulSet, statefulSet(spec));
      for (const step of all) {
        await stage.settle();
        await step(stage);
      }
    },
  };
}

/**
 * The events about the creation of pods, and about failures. The controller sets the owners of a new
 * pod's claims while the volume binder writes them: a conflict, which differs between any two runs,
 * becomes a failure in place of the creation.
 */
const CONFLICTS = /^StatefulSet (Warning|Normal SuccessfulCreate: Create Pod)/;

/** Returns a scenario whose claims get owners, and which does not compare the events of conflicts. */
function withConflicts(scenario: Scenario): Scenario {
  const [own] = scenario.kinds ?? [];
  const sets = own ?? { type: StatefulSet, isAtRest: isUpdated };
  return {
    ...scenario,
    kinds: [{ ...sets, varyingEvents: CONFLICTS }, { type: PersistentVolumeClaim }],
  };
}

function patch(body: unknown): Step {
  return (stage) =>
    stage.client.patch(StatefulSet, stage.key("web"), strategicPatch(body as never));
}

/** Deletes the pod of an ordinal. */
function deletePod(ordinal: number): Step {
  return (stage) => stage.client.delete(Pod, stage.key(`web-${ordinal}`));
}

const GOOD: readonly Scenario[] = [
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
  withConflicts(stateful("with claims of the StatefulSet", {
    replicas: 2,
    volumeClaimTemplates: [claimTemplate],
    persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Delete" },
  })),
  stateful("from another ordinal", { replicas: 2, ordinals: { start: 5 } }),
  ...[0, 1, 2, 3, 5].map((partition) =>
    stateful(`updated from ${partition} on`, rolling({ partition }), image("app:2"))
  ),
  stateful("partition moved down step by step", rolling({ partition: 3 }), image("app:2"), {
    spec: rolling({ partition: 2 }),
  }, { spec: rolling({ partition: 0 }) }),
  stateful("larger under a partition", rolling({ partition: 2 }), image("app:2"), {
    spec: { replicas: 5 },
  }),
  ...[1, 2, "50%", "100%"].map((maxUnavailable) =>
    stateful(
      `with ${maxUnavailable} missing`,
      { replicas: 4, ...rolling({ maxUnavailable }) },
      image("app:2"),
    )
  ),
  stateful("with several missing, in parallel", {
    replicas: 4,
    ...parallel,
    ...rolling({ maxUnavailable: 2 }),
  }, image("app:2")),
  stateful("larger, in parallel", parallel, { spec: { replicas: 6 } }),
  stateful("smaller, in parallel", { replicas: 6, ...parallel }, { spec: { replicas: 1 } }),
  stateful("to zero and back", {}, { spec: { replicas: 0 } }, { spec: { replicas: 2 } }),
  stateful("to zero, in parallel", parallel, { spec: { replicas: 0 } }),
  stateful("without replicas", { replicas: 0 }),
  stateful("image and size at once", { replicas: 2 }, {
    spec: { replicas: 4, template: { spec: { containers: [{ name: "app", image: "app:2" }] } } },
  }),
  ...[0, 1].map((revisionHistoryLimit) =>
    stateful(
      `history of ${revisionHistoryLimit}`,
      { replicas: 2, revisionHistoryLimit },
      image("app:2"),
      image("app:3"),
      image("app:4"),
    )
  ),
  stateful("another label of the template", { replicas: 2 }, {
    spec: { template: { metadata: { labels: { tier: "back" } } } },
  }),
  stateful("without a service", { replicas: 2, serviceName: "" }),
  stateful("another first ordinal later", { replicas: 2 }, { spec: { ordinals: { start: 1 } } }),
  stateful("a first ordinal taken back", { replicas: 2, ordinals: { start: 3 } }, {
    spec: { ordinals: { start: 2 } },
  }),
  stateful("a first ordinal and a partition", {
    replicas: 3,
    ordinals: { start: 2 },
    ...rolling({ partition: 3 }),
  }, image("app:2")),
  withConflicts(
    stateful(
      "smaller with claims: scaled Retain, deleted Delete",
      { replicas: 3, ...retention("Retain", "Delete") },
      { spec: { replicas: 1 } },
    ),
  ),
  ...[["Retain", "Retain"], ["Delete", "Retain"]].map(([scaled, deleted]) =>
    stateful(
      `smaller with claims: scaled ${scaled}, deleted ${deleted}`,
      { replicas: 3, ...retention(scaled!, deleted!) },
      { spec: { replicas: 1 } },
    )
  ),
  stateful(
    "smaller and larger with claims kept",
    { replicas: 2, ...retention("Retain", "Retain") },
    {
      spec: { replicas: 1 },
    },
    { spec: { replicas: 2 } },
  ),
  stateful("another retention later", { replicas: 2, ...retention("Retain", "Retain") }, {
    spec: { persistentVolumeClaimRetentionPolicy: { whenScaled: "Retain", whenDeleted: "Delete" } },
  }),
];

const DISTURBED: readonly Scenario[] = [
  steps("broken image", {}, patch(brokenImage)),
  steps("broken image, in parallel", parallel, patch(brokenImage)),
  steps(
    "broken image with two missing",
    { replicas: 4, ...rolling({ maxUnavailable: 2 }) },
    patch(brokenImage),
  ),
  steps("broken image and back", {}, patch(brokenImage), patch(image("app:1"))),
  steps("broken image under a partition", rolling({ partition: 2 }), patch(brokenImage)),
  steps(
    "broken image, and larger",
    { replicas: 2 },
    patch(brokenImage),
    patch({ spec: { replicas: 4 } }),
  ),
  steps(
    "broken image, and smaller",
    { replicas: 4 },
    patch(brokenImage),
    patch({ spec: { replicas: 2 } }),
  ),
  steps(
    "broken image on delete",
    { updateStrategy: { type: "OnDelete" } },
    patch(brokenImage),
    deletePod(1),
  ),
  steps("broken from the start", {
    template: {
      metadata: { labels: { app: "web" }, annotations: never },
      spec: { containers: [{ name: "app", image: "app:1" }] },
    },
  }),
  steps("broken from the start, in parallel", {
    ...parallel,
    template: {
      metadata: { labels: { app: "web" }, annotations: never },
      spec: { containers: [{ name: "app", image: "app:1" }] },
    },
  }),
  steps("first pod deleted", {}, deletePod(0)),
  steps("pod in the middle deleted", {}, deletePod(1)),
  steps(
    "pod deleted while it updates on delete",
    { updateStrategy: { type: "OnDelete" } },
    patch(image("app:2")),
    deletePod(2),
  ),
  steps(
    "all pods deleted",
    {},
    ({ client, namespace }) =>
      client.deleteCollection(Pod, { namespace, labelSelector: "app=web" }),
  ),
  steps(
    "all pods deleted, in parallel",
    parallel,
    ({ client, namespace }) =>
      client.deleteCollection(Pod, { namespace, labelSelector: "app=web" }),
  ),
  ...["Failed", "Succeeded"].map((phase) =>
    steps(`a pod that has ${phase.toLowerCase()}`, {}, async (stage) => {
      await stage.client.patchStatus(Pod, stage.key("web-1"), mergePatch({ status: { phase } }));
    })
  ),
  steps(
    "failed pods behind one whose name is taken",
    {},
    (stage) =>
      stage.client.patch(
        Pod,
        stage.key("web-0"),
        mergePatch({ metadata: { labels: { app: "other" } } }),
      ),
    async (stage) => {
      const failed = mergePatch({ status: { phase: "Failed" } });
      for (const name of ["web-1", "web-2"]) {
        await stage.client.patchStatus(Pod, stage.key(name), failed);
      }
    },
  ),
  steps(
    "a pod leaves the selector",
    {},
    (stage) =>
      stage.client.patch(
        Pod,
        stage.key("web-1"),
        mergePatch({ metadata: { labels: { app: "other" } } }),
      ),
  ),
  ...(["Background", "Foreground", "Orphan"] as const).map((propagationPolicy) =>
    steps(
      `deleted: ${propagationPolicy}`,
      {},
      (stage) => stage.client.delete(StatefulSet, stage.key("web"), { propagationPolicy }),
    )
  ),
  steps(
    "orphaned and adopted again",
    {},
    (stage) => stage.client.delete(StatefulSet, stage.key("web"), { propagationPolicy: "Orphan" }),
    (stage) => create(stage, StatefulSet, statefulSet()),
  ),
  withConflicts(steps(
    "deleted with claims of its own",
    { replicas: 2, ...retention("Retain", "Delete") },
    (stage) =>
      stage.client.delete(StatefulSet, stage.key("web"), { propagationPolicy: "Background" }),
  )),
  steps(
    "deleted with claims kept",
    { replicas: 2, ...retention("Delete", "Retain") },
    (stage) =>
      stage.client.delete(StatefulSet, stage.key("web"), { propagationPolicy: "Background" }),
  ),
  steps("available later", { replicas: 2, minReadySeconds: 1 }, patch(image("app:2"))),
];

/** The scenarios of the StatefulSet controller. */
export const STATEFUL_SET: ScenarioArea = {
  name: "stateful_set",
  kinds: [{ type: StatefulSet, isAtRest: isUpdated }, { type: PersistentVolumeClaim }],
  scenarios: [...GOOD, ...DISTURBED],
};
