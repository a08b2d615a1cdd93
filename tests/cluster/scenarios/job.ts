import type { V1Job } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { Job, Pod } from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch } from "../../../lib/client/mod.ts";
import type { Scenario, ScenarioArea, Stage } from "../world.ts";
import { isOver } from "./at_rest.ts";
import { ADOPTION } from "./job_adoption.ts";
import { create, SCRIPT } from "./parts.ts";

type Spec = NonNullable<V1Job["spec"]>;
type Rule = NonNullable<Spec["successPolicy"]>["rules"][number];

/** A step of a scenario. */
type Step = (stage: Stage) => Promise<unknown>;

/** Returns a template of pods with labels. */
function labelled(labels: Record<string, string>, restartPolicy = "Never"): Spec["template"] {
  const annotations = { [SCRIPT]: '{"*":{"runMs":0}}' };
  const containers = [{ name: "app", image: "app:1" }];
  return { metadata: { labels, annotations }, spec: { containers, restartPolicy } };
}

/** Returns a template of pods whose containers restart when they fail. */
function onFailure(): Spec["template"] {
  return labelled({}, "OnFailure");
}

/** Returns a scenario that creates a Job whose pods follow a script. */
function job(
  name: string,
  spec: Partial<Spec>,
  script: unknown = {},
  ...patches: readonly unknown[]
): Scenario {
  const annotations = { [SCRIPT]: JSON.stringify({ "*": { runMs: 0, ...script as object } }) };
  const containers = [{ name: "app", image: "app:1" }];
  const { restartPolicy = "Never" } = spec.template?.spec ?? {};
  const { labels = {} } = spec.template?.metadata ?? {};
  const template = { metadata: { annotations, labels }, spec: { containers, restartPolicy } };
  return {
    name: `Job ${name}`,
    run: async (stage) => {
      await create(stage, Job, { metadata: { name: "work" }, spec: { ...spec, template } });
      for (const patch of patches) {
        await stage.settle();
        await stage.client.patch(Job, stage.key("work"), mergePatch(patch as never));
      }
    },
  };
}

const indexed = { completionMode: "Indexed" } as const;

/** The script of a pod that runs until it is deleted. */
const forever = { runMs: 3_600_000 };

/** Returns a pod failure policy with a rule on exit codes. */
function byExitCode(action: string, operator: string, ...values: number[]): Partial<Spec> {
  return { podFailurePolicy: { rules: [{ action, onExitCodes: { operator, values } }] } };
}

/**
 * Returns a pod failure policy with a rule on the condition that a deletion or an eviction sets.
 */
function byCondition(action: string, type: string): Partial<Spec> {
  const onPodConditions = [{ type, status: "True" }];
  return { podFailurePolicy: { rules: [{ action, onPodConditions }] } };
}

/** Deletes all pods of the Job. */
const deletePods: Step = ({ client, namespace }) =>
  client.deleteCollection(Pod, { namespace, labelSelector: "job-name=work" });

/** Sets the phase and a condition of all pods, as a kubelet or an eviction does. */
function endPods(phase: string, condition?: string): Step {
  return async ({ client, namespace }) => {
    const { items } = await client.list(Pod, { namespace, labelSelector: "job-name=work" });
    for (const pod of items.filter(({ status }) => status?.phase === "Running")) {
      const added = condition === undefined ? [] : [{ type: condition, status: "True" }];
      const conditions = [...pod.status?.conditions ?? [], ...added];
      const status = { ...pod.status, phase, conditions };
      await client.updateStatus(Pod, { ...pod, status } as typeof pod);
    }
  };
}

/** Lets time pass until the pods run, in scenarios that do not wait for a settled state. */
const run: Step = (stage) => stage.pass(2500);

function patch(body: unknown): Step {
  return (stage) => stage.client.patch(Job, stage.key("work"), mergePatch(body as never));
}

/**
 * Returns a scenario that creates a Job whose pods run until a step terminates them, and executes
 * steps.
 */
function running(name: string, spec: Partial<Spec>, ...steps: readonly Step[]): Scenario {
  return {
    name: `Job ${name}`,
    kinds: [{ type: Job }],
    restMs: 1500,
    run: async (stage) => {
      await job("", spec, forever).run(stage);
      for (const step of steps) {
        await run(stage);
        await step(stage);
      }
      await run(stage);
    },
  };
}

/** Scenarios of Jobs whose pods all succeed. */
const SUCCEEDING: readonly Scenario[] = [
  job("create", {}),
  job("several", { completions: 5, parallelism: 2 }),
  job("one after the other", { completions: 3, parallelism: 1 }),
  job("more at once than completions", { completions: 2, parallelism: 6 }),
  job("a work queue", { parallelism: 3 }),
  job("without parallelism and suspended", { parallelism: 0, suspend: true }),
  job("without completions to reach", { completions: 0 }),
  job("indexed", { completions: 4, parallelism: 4, ...indexed }),
  job("indexed, one after the other", { completions: 3, parallelism: 1, ...indexed }),
  job("indexed with a limit per index", { completions: 2, ...indexed, backoffLimitPerIndex: 1 }),
  job("that restarts its containers", { template: onFailure() }),
  job("managed by name by the controller", { managedBy: "kubernetes.io/job-controller" }),
  job("suspended", { suspend: true }),
  job("suspended and resumed", { suspend: true }, {}, { spec: { suspend: false } }),
  job(
    "resumed with fewer completions at once",
    { suspend: true, completions: 3, parallelism: 3 },
    {},
    {
      spec: { suspend: false, parallelism: 1 },
    },
  ),
  job("resumed with another template", { suspend: true }, {}, {
    spec: { template: { metadata: { labels: { colour: "green" } } } },
  }, { spec: { suspend: false } }),
  job("with an own selector", {
    manualSelector: true,
    selector: { matchLabels: { job: "own" } },
    template: labelled({ job: "own" }),
  }),
  job("deleted after its end", { ttlSecondsAfterFinished: 0 }),
  job("kept after its end", { ttlSecondsAfterFinished: 3600 }),
];

/** Scenarios of Jobs that finish by a success policy. */
const ENOUGH: readonly Scenario[] = [
  ["any one index", { succeededCount: 1 }],
  ["a certain index", { succeededIndexes: "0" }],
  ["several indexes", { succeededIndexes: "0-1,2" }],
  ["one of several indexes", { succeededIndexes: "0-2", succeededCount: 1 }],
].map(([name, rule]) =>
  job(`enough: ${name}`, {
    completions: 3,
    parallelism: 1,
    ...indexed,
    successPolicy: { rules: [rule as Rule] },
  })
);

/** Scenarios of Jobs whose pods all fail. */
const FAILING: readonly Scenario[] = [
  job("failing", { backoffLimit: 0 }, { exitCode: 3 }),
  job("failing, several at once", { backoffLimit: 0, completions: 3, parallelism: 3 }, {
    exitCode: 1,
  }),
  job("failing, indexed", { backoffLimit: 0, completions: 2, parallelism: 2, ...indexed }, {
    exitCode: 1,
  }),
  job("out of memory", { backoffLimit: 0 }, { outOfMemory: true, exitCode: 137 }),
  job("restarted without end", { backoffLimit: 0, template: onFailure() }, { exitCode: 1 }),
  job("failing for good by exit code", byExitCode("FailJob", "In", 42), { exitCode: 42 }),
  job("failing for good by another exit code", byExitCode("FailJob", "NotIn", 0, 1), {
    exitCode: 42,
  }),
  job("failing with an exit code that no rule names", {
    backoffLimit: 0,
    ...byExitCode("FailJob", "In", 42),
  }, { exitCode: 1 }),
  job("failing with an exit code that counts", {
    backoffLimit: 0,
    ...byExitCode("Count", "In", 42),
  }, { exitCode: 42 }),
  job("the first rule counts", {
    podFailurePolicy: {
      rules: [
        { action: "Ignore", onExitCodes: { operator: "In", values: [1, 2] } },
        { action: "FailJob", onExitCodes: { operator: "In", values: [3] } },
        { action: "Count", onExitCodes: { operator: "NotIn", values: [4] } },
      ],
    },
  }, { exitCode: 3 }),
  job("failing for good in a container", {
    podFailurePolicy: {
      rules: [{
        action: "FailJob",
        onExitCodes: { containerName: "app", operator: "In", values: [5] },
      }],
    },
  }, { exitCode: 5 }),
  job("each index fails", { completions: 3, parallelism: 3, ...indexed, backoffLimitPerIndex: 0 }, {
    exitCode: 1,
  }),
  job("more failed indexes than allowed", {
    completions: 4,
    parallelism: 4,
    ...indexed,
    backoffLimitPerIndex: 0,
    maxFailedIndexes: 0,
  }, { exitCode: 1 }),
  job("an index that fails at once by exit code", {
    completions: 2,
    parallelism: 2,
    ...indexed,
    backoffLimitPerIndex: 5,
    ...byExitCode("FailIndex", "In", 9),
  }, { exitCode: 9 }),
  job("a Job that fails with its indexes by exit code", {
    completions: 2,
    parallelism: 1,
    ...indexed,
    backoffLimitPerIndex: 5,
    ...byExitCode("FailJob", "In", 9),
  }, { exitCode: 9 }),
  { ...job("failing twice", { backoffLimit: 1 }, { exitCode: 1 }), restMs: 12_000 },
  {
    ...job("an index that fails twice", {
      completions: 1,
      ...indexed,
      backoffLimitPerIndex: 1,
    }, { exitCode: 1 }),
    restMs: 12_000,
  },
  job("past its deadline", { activeDeadlineSeconds: 2 }, forever),
  job("past its deadline, several pods", {
    activeDeadlineSeconds: 2,
    completions: 3,
    parallelism: 3,
  }, forever),
  job("past its deadline, indexed", {
    activeDeadlineSeconds: 2,
    completions: 2,
    parallelism: 2,
    ...indexed,
  }, forever),
];

/** Scenarios of Jobs that are changed while their pods run. */
const RUNNING: readonly Scenario[] = [
  running("runs", {}),
  running("runs several", { completions: 5, parallelism: 2 }),
  running("runs indexed", { completions: 3, parallelism: 2, ...indexed }),
  running("managed by another controller", { managedBy: "example.com/other" }),
  running(
    "suspended while it runs",
    { completions: 3, parallelism: 2 },
    patch({ spec: { suspend: true } }),
  ),
  running(
    "suspended indexed",
    { completions: 3, parallelism: 2, ...indexed },
    patch({
      spec: { suspend: true },
    }),
  ),
  running(
    "suspended and resumed while it runs",
    {},
    patch({ spec: { suspend: true } }),
    patch({ spec: { suspend: false } }),
  ),
  running("more at once", { completions: 5, parallelism: 1 }, patch({ spec: { parallelism: 3 } })),
  running("fewer at once", { completions: 5, parallelism: 4 }, patch({ spec: { parallelism: 1 } })),
  running("none at once", { completions: 5, parallelism: 3 }, patch({ spec: { parallelism: 0 } })),
  running(
    "fewer indexes at once",
    { completions: 5, parallelism: 4, ...indexed },
    patch({
      spec: { parallelism: 2 },
    }),
  ),
  running(
    "fewer completions",
    { completions: 4, parallelism: 4, ...indexed },
    patch({
      spec: { completions: 2, parallelism: 2 },
    }),
  ),
  running(
    "more completions",
    { completions: 2, parallelism: 2, ...indexed },
    patch({
      spec: { completions: 4, parallelism: 4 },
    }),
  ),
  running("a deadline set while it runs", {}, patch({ spec: { activeDeadlineSeconds: 1 } })),
  running("pods deleted", { completions: 2, parallelism: 2, backoffLimit: 0 }, deletePods),
  running("pods deleted, which wait for their replacements", {
    completions: 2,
    parallelism: 2,
  }, deletePods),
  running("pods deleted, replaced at their end", {
    completions: 2,
    parallelism: 2,
    podReplacementPolicy: "Failed",
    backoffLimit: 0,
  }, deletePods),
  running("pods succeed", { completions: 4, parallelism: 2 }, endPods("Succeeded")),
  running("pods of a work queue succeed", { parallelism: 2 }, endPods("Succeeded")),
  running("pods fail", { completions: 2, parallelism: 2, backoffLimit: 1 }, endPods("Failed")),
  running("pods are disrupted and ignored", {
    completions: 2,
    backoffLimit: 0,
    ...byCondition("Ignore", "DisruptionTarget"),
  }, endPods("Failed", "DisruptionTarget")),
  running("pods are disrupted for good", {
    completions: 2,
    ...byCondition("FailJob", "DisruptionTarget"),
  }, endPods("Failed", "DisruptionTarget")),
  running("pods are disrupted and count", {
    completions: 2,
    backoffLimit: 0,
    ...byCondition("Count", "DisruptionTarget"),
  }, endPods("Failed", "DisruptionTarget")),
  running("an index is disrupted for good", {
    completions: 2,
    parallelism: 1,
    ...indexed,
    backoffLimitPerIndex: 3,
    ...byCondition("FailIndex", "DisruptionTarget"),
  }, endPods("Failed", "DisruptionTarget")),
  running("enough while others run", {
    completions: 3,
    parallelism: 3,
    ...indexed,
    successPolicy: { rules: [{ succeededIndexes: "1" }] },
  }, async ({ client, namespace }) => {
    const { items } = await client.list(Pod, { namespace });
    const pod = items.find(({ metadata }) =>
      metadata.labels?.["batch.kubernetes.io/job-completion-index"] === "1"
    )!;
    await client.updateStatus(Pod, { ...pod, status: { ...pod.status, phase: "Succeeded" } });
  }),
  running("one succeeds, one fails", {
    completions: 2,
    parallelism: 2,
    ...indexed,
    backoffLimitPerIndex: 0,
  }, async ({ client, namespace }) => {
    const { items } = await client.list(Pod, { namespace });
    for (const pod of items) {
      const index = pod.metadata.labels?.["batch.kubernetes.io/job-completion-index"];
      const phase = index === "0" ? "Succeeded" : "Failed";
      await client.updateStatus(Pod, { ...pod, status: { ...pod.status, phase } });
    }
  }),
  running("deleted, its pods orphaned", { parallelism: 2, completions: 2 }, async (stage) => {
    await stage.client.delete(Job, stage.key("work"), { propagationPolicy: "Orphan" });
  }),
  running("deleted in the background", { parallelism: 2, completions: 2 }, async (stage) => {
    await stage.client.delete(Job, stage.key("work"), { propagationPolicy: "Background" });
  }),
  running("deleted in the foreground", { parallelism: 2, completions: 2 }, async (stage) => {
    await stage.client.delete(Job, stage.key("work"), { propagationPolicy: "Foreground" });
  }),
  running("a pod leaves the selector", { parallelism: 2, completions: 2 }, async (stage) => {
    const { items } = await stage.client.list(Pod, { namespace: stage.namespace });
    const labels = { "batch.kubernetes.io/controller-uid": "none", "controller-uid": "none" };
    const { name } = items[0]!.metadata;
    await stage.client.patch(Pod, stage.key(name!), mergePatch({ metadata: { labels } }));
  }),
];

/** The scenarios of the Job controller. */
export const JOB: ScenarioArea = {
  name: "job",
  kinds: [{ type: Job, isAtRest: isOver }],
  scenarios: [...SUCCEEDING, ...ENOUGH, ...FAILING, ...RUNNING, ...ADOPTION],
};
