/**
 * Scenarios of CronJobs. Their schedules name past days only, so that no scenario waits for a
 * scheduled time.
 *
 * @module
 */
import type { V1CronJob, V1Job } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { CronJob, Job, Namespace } from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch } from "../../../lib/client/mod.ts";
import type { Scenario, ScenarioArea, Stage } from "../world.ts";
import { isOver } from "./at_rest.ts";
import { create, SCRIPT, type Step } from "./parts.ts";

type Spec = NonNullable<V1CronJob["spec"]>;

const DAY_MS = 86_400_000;
const NAME = "tick";
/** The annotation of Jobs whose pods run until they are deleted. */
const ENDLESS = "example.com/endless";

/** Returns the time a number of days before the start of a scenario. */
async function ago({ client, namespace }: Stage, days: number): Promise<Date> {
  const { metadata } = await client.get(Namespace, namespace);
  return new Date(Date.parse(metadata.creationTimestamp ?? "") - days * DAY_MS);
}

/** Returns a cron expression for one day of the year, at the given minutes and hours. */
function onDay(day: Date, minutes?: string, hours?: string): string {
  const [minute, hour] = [minutes ?? day.getUTCMinutes(), hours ?? day.getUTCHours()];
  return `${minute} ${hour} ${day.getUTCDate()} ${day.getUTCMonth() + 1} *`;
}

/** The parameters of a CronJob scenario. */
interface Case {
  readonly spec?: Partial<Spec>;
  /** The script of the containers. @default {they exit at once} */
  readonly script?: Readonly<Record<string, unknown>>;
  readonly minutes?: string;
  readonly hours?: string;
  /** The steps after the creation of the CronJob. @default {one scheduled time is missed} */
  readonly steps?: readonly Step[];
}

/**
 * Returns a scenario that creates a CronJob whose schedule was due 30 days ago, and executes steps.
 */
function cron(name: string, facts: Case = {}): Scenario {
  const { spec, script = { runMs: 0 }, minutes, hours, steps = [missed] } = facts;
  const endless = script["runMs"] === ENDLESS_MS ? { [ENDLESS]: "true" } : {};
  const annotations = { [SCRIPT]: JSON.stringify({ "*": script }) };
  const containers = [{ name: "app", image: "app:1" }];
  const template = { metadata: { annotations }, spec: { containers, restartPolicy: "Never" } };
  return {
    name: `CronJob ${name}`,
    restMs: 1500,
    run: async (stage) => {
      await create(stage, CronJob, {
        metadata: { name: NAME, annotations: endless },
        spec: {
          schedule: onDay(await ago(stage, 30), minutes, hours),
          jobTemplate: {
            metadata: { labels: { app: NAME }, annotations: endless },
            spec: { backoffLimit: 0, template },
          },
          ...spec,
        },
      });
      for (const step of steps) {
        await stage.pass(1500);
        await step(stage);
      }
      await stage.pass(2500);
    },
  };
}

const ENDLESS_MS = 3_600_000;
const running = { runMs: ENDLESS_MS };

/**
 * Sets the last schedule time to 40 days ago, so that the scheduled times since then are missed.
 */
const missed: Step = async (stage) => {
  const { client } = stage;
  const lastScheduleTime = `${(await ago(stage, 40)).toISOString().slice(0, 19)}Z`;
  const found = await client.get(CronJob, stage.key(NAME));
  await client.updateStatus(CronJob, { ...found, status: { ...found.status, lastScheduleTime } });
};

const patch = (body: unknown): Step => (stage) =>
  stage.client.patch(CronJob, stage.key(NAME), mergePatch(body as never));

const touch = patch({ metadata: { annotations: { touched: "true" } } });

/** Changes the schedule to one that was due a number of days ago. */
const reschedule = (days: number): Step => async (stage) =>
  await patch({ spec: { schedule: onDay(await ago(stage, days)) } })(stage);

/** Changes a schedule so that one of its times is due. */
const due = (days: number): Step => async (stage) => {
  await stage.pass(2500);
  await reschedule(days)(stage);
  await stage.pass(1500);
  await patch({ metadata: { annotations: { touched: String(days) } } })(stage);
};

/** Deletes the Jobs of the CronJob. */
const deleteJobs: Step = async ({ client, namespace }) => {
  await client.deleteCollection(Job, { namespace, propagationPolicy: "Background" });
};

/** Creates a Job that the CronJob owns, as a user may. */
const adoptable: Step = async (stage) => {
  const { metadata, spec } = await stage.client.get(CronJob, stage.key(NAME));
  const { uid = "", name = "" } = metadata;
  const owner = { apiVersion: "batch/v1", kind: "CronJob", name, uid, controller: true };
  await create(stage, Job, {
    metadata: {
      name: "manual",
      annotations: { [ENDLESS]: "true" },
      ownerReferences: [{ ...owner, blockOwnerDeletion: true }],
    },
    spec: spec!.jobTemplate.spec!,
  });
};

const SCENARIOS: readonly Scenario[] = [
  cron("created", { steps: [] }),
  cron("with a missed time"),
  cron("with a missed time and a running Job", { script: running }),
  cron("with a missed time whose Job fails", { script: { runMs: 0, exitCode: 1 } }),
  cron("with several missed times", { minutes: "0", hours: "*/6" }),
  cron("with too many missed times", { minutes: "*", hours: "*" }),
  cron("with missed times unevenly apart", { minutes: "0,1", hours: "3" }),
  cron("suspended with a missed time", { spec: { suspend: true } }),
  cron("resumed with a missed time", {
    spec: { suspend: true },
    steps: [missed, patch({ spec: { suspend: false } })],
  }),
  cron("past the starting deadline", { spec: { startingDeadlineSeconds: 100 } }),
  cron("within the starting deadline", { spec: { startingDeadlineSeconds: 60 * 86_400 } }),
  cron("in a time zone", { spec: { timeZone: "Asia/Kolkata" } }),
  cron("on a day that never comes", { spec: { schedule: "0 3 30 2 *" } }),
  cron("every so often", { spec: { schedule: "@every 240h" } }),
  cron("with another schedule", { steps: [reschedule(20)] }),
  cron("with another schedule and a missed time", { steps: [missed, due(20)] }),
  ...(["Allow", "Forbid", "Replace"] as const).map((concurrencyPolicy) =>
    cron(`whose Job runs, ${concurrencyPolicy}`, {
      spec: { concurrencyPolicy },
      script: running,
      steps: [missed, due(20)],
    })
  ),
  cron("with a history of one", {
    spec: { successfulJobsHistoryLimit: 1 },
    steps: [missed, due(20), due(10)],
  }),
  cron("without a history", { spec: { successfulJobsHistoryLimit: 0 } }),
  cron("with a history of one failure", {
    spec: { failedJobsHistoryLimit: 1 },
    script: { runMs: 0, exitCode: 1 },
    steps: [missed, due(20), due(10)],
  }),
  cron("whose history gets shorter", {
    steps: [missed, due(20), patch({ spec: { successfulJobsHistoryLimit: 1 } })],
  }),
  cron("whose running Job is deleted", { script: running, steps: [missed, deleteJobs] }),
  cron("with a Job of a user", { script: running, steps: [adoptable, touch] }),
  cron("suspended while its Job runs", {
    script: running,
    steps: [missed, patch({ spec: { suspend: true } })],
  }),
  cron("deleted with its Jobs", {
    script: running,
    steps: [
      missed,
      (stage) => stage.pass(2000),
      (stage) => stage.client.delete(CronJob, stage.key(NAME), { propagationPolicy: "Background" }),
    ],
  }),
  cron("deleted without its Jobs", {
    script: running,
    steps: [
      missed,
      (stage) => stage.pass(2000),
      (stage) => stage.client.delete(CronJob, stage.key(NAME), { propagationPolicy: "Orphan" }),
    ],
  }),
];

/** Returns an object without the times that differ between runs. */
function timeless<T>(object: T): unknown {
  const text = JSON.stringify(object).replace(
    /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|([+-]\d\d:\d\d))"/g,
    (_, offset = "") => JSON.stringify(`time${offset}`),
  );
  return JSON.parse(text);
}

function factsOf(object: V1CronJob): unknown {
  const { schedule: _, ...spec } = object.spec!;
  return timeless({ ...object, spec });
}

function isEndless({ metadata }: V1CronJob | V1Job): boolean {
  return metadata.annotations?.[ENDLESS] !== undefined;
}

/** The scenarios of the CronJob controller. */
export const CRON_JOB: ScenarioArea = {
  name: "cron_job",
  kinds: [
    {
      type: CronJob,
      isAtRest: (cronJob: V1CronJob) =>
        isEndless(cronJob) || (cronJob.status?.active ?? []).length === 0,
      facts: factsOf,
    },
    { type: Job, isAtRest: (job: V1Job) => isEndless(job) || isOver(job), facts: timeless },
  ],
  scenarios: SCENARIOS,
};
