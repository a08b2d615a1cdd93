/**
 * Scenarios of Jobs that adopt pods, and of pods whose Job was deleted.
 *
 * @module
 */
import type { V1Job, V1Pod } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { Job, Pod } from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch } from "../../../lib/client/mod.ts";
import type { Scenario, Stage } from "../world.ts";
import { create, SCRIPT, type Step } from "./parts.ts";

type Spec = NonNullable<V1Job["spec"]>;

/** The finalizer of pods whose termination their Job has not counted. */
const TRACKING = "batch.kubernetes.io/job-tracking";

/** The script of a pod that runs until it is deleted. */
const FOREVER = JSON.stringify({ "*": { runMs: 3_600_000 } });

const labels = { app: "work" };

/** Creates a Job with a user-defined pod selector. */
function selecting(name: string, spec: Partial<Spec> = {}): Step {
  return (stage) =>
    create(stage, Job, {
      metadata: { name },
      spec: {
        manualSelector: true,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, annotations: { [SCRIPT]: FOREVER } },
          spec: { containers: [{ name: "app", image: "app:1" }], restartPolicy: "Never" },
        },
        ...spec,
      },
    });
}

/** Creates a pod without a controller that the Jobs select. */
function pod(name: string, metadata: Partial<V1Pod["metadata"]> = {}): Step {
  return (stage) =>
    create(stage, Pod, {
      metadata: { name, labels, annotations: { [SCRIPT]: FOREVER }, ...metadata },
      spec: { containers: [{ name: "app", image: "app:1" }], restartPolicy: "Never" },
    });
}

/** Sets the phase of a pod, as a kubelet does. */
function ended(name: string, phase: string): Step {
  return async (stage) => {
    const { client } = stage;
    const found = await client.get(Pod, stage.key(name));
    await client.updateStatus(Pod, { ...found, status: { ...found.status, phase } });
  };
}

/** Sets a label of the pod `own`. */
function relabelled(labels: Readonly<Record<string, string>>): Step {
  return (stage) => stage.client.patch(Pod, stage.key("own"), mergePatch({ metadata: { labels } }));
}

/** Terminates all pods of a Job. */
const endAll: Step = async ({ client, namespace }) => {
  for (const found of (await client.list(Pod, { namespace })).items) {
    await client.updateStatus(Pod, { ...found, status: { ...found.status, phase: "Succeeded" } });
  }
};

const deleted = (name: string, propagationPolicy: "Orphan" | "Background"): Step => (stage) =>
  stage.client.delete(Job, stage.key(name), { propagationPolicy });

/** Returns a scenario of steps with time between them. */
function adoption(name: string, ...steps: readonly Step[]): Scenario {
  return {
    name: `Job ${name}`,
    kinds: [{ type: Job }],
    restMs: 1500,
    run: async (stage: Stage) => {
      for (const step of steps) {
        await step(stage);
        await stage.pass(2500);
      }
    },
  };
}

/** The scenarios of adopted and orphaned pods. */
export const ADOPTION: readonly Scenario[] = [
  adoption("adopts a running pod", pod("own"), selecting("work")),
  adoption("adopts one pod of two", pod("own"), selecting("work", { parallelism: 2 })),
  adoption("adopts a pod that ends then", pod("own"), selecting("work"), ended("own", "Succeeded")),
  adoption(
    "adopts a pod that has succeeded",
    pod("own"),
    ended("own", "Succeeded"),
    selecting("work"),
  ),
  adoption("adopts a pod that has failed", pod("own"), ended("own", "Failed"), selecting("work")),
  adoption(
    "adopts more pods than it needs",
    pod("one"),
    selecting("work", { parallelism: 1, completions: 1 }),
    pod("two"),
  ),
  adoption(
    "adopts a pod with other finalizers",
    pod("own", { finalizers: ["example.com/keep"] }),
    selecting("work"),
  ),
  adoption(
    "adopts the orphans of another",
    selecting("first", { parallelism: 2, completions: 2 }),
    deleted("first", "Orphan"),
    selecting("second", { parallelism: 2, completions: 2 }),
  ),
  adoption(
    "adopts the orphans of another and counts them",
    selecting("first", { parallelism: 2, completions: 2 }),
    deleted("first", "Orphan"),
    selecting("second", { parallelism: 2, completions: 2 }),
    endAll,
  ),
  adoption("does not adopt while suspended", pod("own"), selecting("work", { suspend: true })),
  adoption(
    "of another controller does not adopt",
    pod("own"),
    selecting("work", { managedBy: "example.com/jobs" }),
  ),
  adoption("a tracked pod without a Job", pod("own", { finalizers: [TRACKING] })),
  adoption(
    "an adopted pod is released",
    pod("own"),
    selecting("work"),
    relabelled({ app: "other" }),
  ),
  adoption(
    "a released pod is adopted again",
    pod("own"),
    selecting("work"),
    relabelled({ app: "other" }),
    relabelled(labels),
  ),
  adoption(
    "its adopted pods are orphaned",
    pod("own"),
    selecting("work"),
    deleted("work", "Orphan"),
  ),
  adoption(
    "its adopted pods are deleted with it",
    pod("own"),
    selecting("work"),
    deleted("work", "Background"),
  ),
];
