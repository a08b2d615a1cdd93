// Mirrors `controller/cronjob/cronjob_controllerv2.go, ControllerV2`.
import { errorText } from "@xca/apimachinery/base";
import type { V1CronJob, V1Job } from "@xca/apimachinery/kubernetes-types";
import {
  CronJob,
  type DeepReadonly,
  formatKey,
  formatTime,
  Job,
  keyOf,
  setControllerReference,
} from "@xca/apimachinery/meta";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import { ignoreNotFound, isAlreadyExists } from "../../client/errors/api_error.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { controllerIndex, ownedBy } from "../ownership/controller_index.ts";
import type { JobSchedule } from "./job_schedule.ts";
import { missedTime, timeInZone } from "./missed_time.ts";
import { ParsedSchedules } from "./parsed_schedules.ts";

/** The key of the Job annotation with the scheduled time that the CronJob created the Job for. */
const SCHEDULED_AT = "batch.kubernetes.io/cronjob-scheduled-timestamp";

/**
 * The delay of a reconcile run after the scheduled time of a CronJob, in milliseconds, so that the
 * clock has reached that time.
 */
const AFTER_SCHEDULE_MS = 100;

/** The cache of the parsed schedules of all CronJobs in this process. */
const SCHEDULES = new ParsedSchedules();

/**
 * Creates the CronJob controller: it creates a Job at each scheduled time, if the concurrency
 * policy permits it, and deletes finished Jobs beyond the history limits. Of several missed times
 * only the latest gets a Job.
 */
export function cronJobController(): ControllerDefinition {
  const schedules = new Map<string, string>();
  return controllerFor(CronJob)
    .named("cronjob-controller")
    .owns(Job, { indexes: controllerIndex })
    .options({ workers: 5, hotLoopRuns: Infinity })
    .reconcile(async (context) => {
      const { cache, key } = context;
      const cronJob = cache.get(CronJob, key);
      if (!cronJob) return void schedules.delete(key);
      const { schedule, timeZone } = cronJob.spec ?? {};
      const now = JSON.stringify([schedule, timeZone]);
      const before = schedules.get(key) ?? now;
      schedules.set(key, now);
      return await new CronJobRun(context, cronJob, before !== now).step();
    });
}

/** A reconcile run of one CronJob. */
class CronJobRun {
  readonly #context: ReconcileContext;
  /** The copy of the CronJob whose status this reconcile run changes. */
  readonly #cronJob: V1CronJob;
  /**
   * The status of the CronJob as last read or written by this run, with which the changed status is
   * compared.
   */
  #before: V1CronJob["status"];
  readonly #now: Date;
  /**
   * Reports whether the schedule or time zone of the CronJob has changed since the previous
   * reconcile run; `false` in this process's first run for the CronJob.
   */
  readonly #isRescheduled: boolean;

  constructor(context: ReconcileContext, cronJob: V1CronJob, isRescheduled: boolean) {
    this.#isRescheduled = isRescheduled;
    this.#context = context;
    this.#cronJob = cronJob;
    this.#before = structuredClone(cronJob.status);
    this.#now = context.clock.now();
  }

  async step(): Promise<RequeueAfter | undefined> {
    const jobs = await ownedBy(this.#context.cache, Job, this.#cronJob);
    try {
      await this.#deleteOld(jobs);
      await this.#noteJobs(jobs);
      if (this.#cronJob.metadata.deletionTimestamp !== undefined) return undefined;
      return await this.#schedule(jobs);
    } finally {
      await this.#write();
    }
  }

  /**
   * Writes the status of the CronJob if it has changed since this run last read or wrote it, and
   * takes over the new metadata.
   */
  async #write(): Promise<void> {
    if (jsonEqual(this.#before ?? {}, this.#cronJob.status ?? {})) return;
    const { metadata } = await this.#context.client.updateStatus(CronJob, this.#cronJob);
    this.#cronJob.metadata = metadata;
    this.#before = structuredClone(this.#cronJob.status);
  }

  /**
   * Updates the list of active Jobs and the last success time in the copy of the CronJob's status,
   * which `#write` writes later. Emits events about finished, missing and unexpected Jobs.
   */
  async #noteJobs(jobs: readonly DeepReadonly<V1Job>[]): Promise<void> {
    const status = this.#cronJob.status ??= {};
    const byUid = new Map(jobs.map((job) => [job.metadata.uid, job]));
    const active = status.active ?? [];
    for (const job of jobs) {
      if (endOf(job) !== undefined || active.some(({ uid }) => uid === job.metadata.uid)) continue;
      const note = `Saw a job that the controller did not create or forgot: ${job.metadata.name}`;
      this.#record("Warning", "UnexpectedJob", note);
    }
    const left: NonNullable<typeof status.active> = [];
    for (const reference of active) {
      const { uid, name } = reference;
      const job = byUid.get(uid);
      const end = job && endOf(job);
      if (end) {
        const note = `Saw completed job: ${name}, condition: ${end}`;
        this.#record("Normal", "SawCompletedJob", note);
      } else if (job || await this.#exists(reference)) left.push(reference);
      else this.#record("Normal", "MissingJob", `Active job went missing: ${name}`);
    }
    setActive(status, left);
    this.#noteSuccesses(jobs);
  }

  /**
   * Sets the last success time in the copy of the CronJob's status to the latest completion time of
   * the given Jobs, if that is later.
   */
  #noteSuccesses(jobs: readonly DeepReadonly<V1Job>[]): void {
    const status = this.#cronJob.status ??= {};
    for (const { status: { completionTime } = {} } of jobs) {
      if (completionTime && completionTime > (status.lastSuccessfulTime ?? "")) {
        status.lastSuccessfulTime = completionTime;
      }
    }
  }

  /**
   * Reports whether a Job of the CronJob's status that is missing from the cache exists on the
   * server.
   */
  async #exists({ name = "" }: { readonly name?: string }): Promise<boolean> {
    const { namespace = "" } = this.#cronJob.metadata;
    const found = await ignoreNotFound(
      this.#context.client.get(Job, formatKey({ namespace, name })),
    );
    return found !== undefined;
  }

  /**
   * Deletes the oldest finished Jobs of the CronJob beyond its history limits, after the last
   * success time is written to the status.
   */
  async #deleteOld(jobs: readonly DeepReadonly<V1Job>[]): Promise<void> {
    const { successfulJobsHistoryLimit: succeeded = 3, failedJobsHistoryLimit: failed = 1 } =
      this.#cronJob.spec ?? {};
    for (const [end, limit] of [["Complete", succeeded], ["Failed", failed]] as const) {
      const ended = jobs.filter((job) => endOf(job) === end).toSorted(byStart);
      const old = ended.slice(0, Math.max(0, ended.length - limit));
      // The success time of a Job is lost when the Job is deleted.
      this.#noteSuccesses(old);
      await this.#write();
      for (const job of old) await this.#deleteJob(job);
    }
  }

  /**
   * Creates the Job for the latest missed scheduled time of the CronJob, if there is one, the
   * schedule has not just changed, and the concurrency policy permits it. Returns the delay until
   * the reconcile run for the next scheduled time; `undefined` if the CronJob is suspended, or its
   * schedule is invalid or has fewer than two further times.
   */
  async #schedule(jobs: readonly DeepReadonly<V1Job>[]): Promise<RequeueAfter | undefined> {
    const { spec } = this.#cronJob;
    if (!spec || spec.suspend) return undefined;
    const schedule = this.#parsed();
    if (!schedule) return undefined;
    const again = this.#untilNext(schedule);
    // The past times of a changed schedule do not count as missed.
    if (this.#isRescheduled) return again;
    const time = this.#missed(schedule);
    if (time === "none ever") return undefined;
    if (time) await this.#start(time, jobs);
    return again;
  }

  #untilNext(schedule: JobSchedule): RequeueAfter | undefined {
    const next = schedule.next(this.#now);
    return next && { requeueAfterMs: next.getTime() - this.#now.getTime() + AFTER_SCHEDULE_MS };
  }

  /**
   * Returns the latest scheduled time of the CronJob since its `lastScheduleTime` (or its creation)
   * and within its starting deadline; `undefined` if there is none, and `"none ever"` for a
   * schedule with fewer than two further times. Emits a warning event for such a schedule, and for
   * more than 100 missed times.
   */
  #missed(schedule: JobSchedule): Date | "none ever" | undefined {
    try {
      const { time, tooMany } = missedTime(schedule, this.#cronJob, this.#now);
      if (tooMany) {
        const note = "too many missed start times. Set or decrease .spec.startingDeadlineSeconds " +
          "or check clock skew";
        this.#record("Warning", "TooManyMissedTimes", note);
      }
      return time;
    } catch (error) {
      const note = `invalid schedule: ${this.#cronJob.spec?.schedule} : ${errorText(error)}`;
      this.#record("Warning", "InvalidSchedule", note);
      return "none ever";
    }
  }

  #parsed(): JobSchedule | undefined {
    const { schedule = "", timeZone } = this.#cronJob.spec ?? {};
    try {
      return SCHEDULES.parsed(schedule, timeZone);
    } catch (error) {
      const quoted = JSON.stringify(schedule);
      const note = `unparseable schedule: ${quoted} : ${errorText(error)}`;
      this.#record("Warning", "UnparseableSchedule", note);
      return undefined;
    }
  }

  async #start(time: Date, jobs: readonly DeepReadonly<V1Job>[]): Promise<void> {
    const { concurrencyPolicy = "Allow" } = this.#cronJob.spec ?? {};
    const status = this.#cronJob.status ??= {};
    const name = `${this.#cronJob.metadata.name}-${Math.floor(time.getTime() / 60_000)}`;
    const active = status.active ?? [];
    if (active.some((job) => job.name === name) || status.lastScheduleTime === formatTime(time)) {
      return;
    }
    if (concurrencyPolicy === "Forbid" && active.length > 0) {
      const note =
        "Not starting job because prior execution is running and concurrency policy is " +
        "Forbid";
      return this.#record("Normal", "JobAlreadyActive", note);
    }
    if (concurrencyPolicy === "Replace") {
      const running = jobs.filter(({ metadata }) => active.some(({ uid }) => uid === metadata.uid));
      for (const job of running) await this.#deleteJob(job);
      setActive(status, []);
    }
    const job = await this.#create(name, time);
    if (!job) return;
    const { uid, namespace, resourceVersion } = job.metadata;
    status.active = [...status.active ?? [], {
      apiVersion: Job.apiVersion,
      kind: Job.kind,
      name,
      ...(namespace && { namespace }),
      ...(uid && { uid }),
      ...(resourceVersion && { resourceVersion }),
    }];
    status.lastScheduleTime = formatTime(time);
  }

  /**
   * Creates a Job of the CronJob and returns it; emits an event about the creation, or about its
   * failure, which is thrown. Returns the existing Job if an earlier reconcile run created it;
   * `undefined` if the existing Job has another owner.
   */
  async #create(name: string, time: Date): Promise<V1Job | undefined> {
    const { namespace = "" } = this.#cronJob.metadata;
    const { jobTemplate, timeZone = "UTC" } = this.#cronJob.spec!;
    const annotations = {
      ...jobTemplate.metadata?.annotations,
      [SCHEDULED_AT]: timeInZone(time, timeZone),
    };
    const { labels } = jobTemplate.metadata ?? {};
    const metadata = { name, namespace, annotations, ...(labels && { labels }) };
    const job: V1Job = { metadata, ...(jobTemplate.spec && { spec: jobTemplate.spec }) };
    setControllerReference(job, this.#cronJob, CronJob);
    try {
      const created = await this.#context.client.create(Job, job);
      this.#record("Normal", "SuccessfulCreate", `Created job ${name}`);
      return created;
    } catch (error) {
      if (!isAlreadyExists(error)) {
        const note = `Error creating job: ${errorText(error)}`;
        this.#record("Warning", "FailedCreate", note);
        throw error;
      }
      const found = await this.#context.client.get(Job, `${namespace}/${name}`);
      const own = found.metadata.ownerReferences?.some(({ uid, controller }) =>
        controller && uid === this.#cronJob.metadata.uid
      );
      return own ? found : undefined;
    }
  }

  async #deleteJob(job: DeepReadonly<V1Job>): Promise<void> {
    const { uid, name } = job.metadata;
    const options = { propagationPolicy: "Background", preconditions: { uid } } as const;
    await ignoreNotFound(this.#context.client.delete(Job, keyOf(job), options));
    this.#record("Normal", "SuccessfulDelete", `Deleted job ${name}`);
    const status = this.#cronJob.status ??= {};
    setActive(status, (status.active ?? []).filter((each) => each.uid !== uid));
  }

  #record(type: "Normal" | "Warning", reason: string, note: string): void {
    this.#context.events.record(CronJob, this.#cronJob, { type, reason, note });
  }
}

function setActive(
  status: NonNullable<V1CronJob["status"]>,
  active: NonNullable<typeof status.active>,
): void {
  if (active.length > 0) status.active = active;
  else delete status.active;
}

/**
 * Returns the type of the condition, `Complete` or `Failed`, of a finished Job; `undefined` for an
 * unfinished Job.
 */
function endOf({ status }: DeepReadonly<V1Job>): string | undefined {
  return status?.conditions?.find(({ type, status }) =>
    (type === "Complete" || type === "Failed") && status === "True"
  )?.type;
}

function byStart(a: DeepReadonly<V1Job>, b: DeepReadonly<V1Job>): number {
  const of = ({ status, metadata }: DeepReadonly<V1Job>): string =>
    `${status?.startTime ?? "9"} ${metadata.name}`;
  return of(a) < of(b) ? -1 : 1;
}
