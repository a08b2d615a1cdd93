// Mirrors `controller/job/job_controller.go, syncJob`.
import type { V1Job, V1JobCondition, V1JobStatus } from "@xca/apimachinery/kubernetes-types";
import {
  type DeepReadonly,
  formatTime,
  Job,
  type LabelSelector,
  labelSelectorOf,
  Pod,
} from "@xca/apimachinery/meta";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { claim } from "../ownership/claim.ts";
import { controllerIndex, ownedOrOrphaned, toClaimants } from "../ownership/controller_index.ts";
import { inDeletionOrder } from "../pods/deletion_order.ts";
import { allSettled, deletePod } from "../pods/pod_control.ts";
import { isActive, isReady, isTerminating, type ReadPod } from "../pods/pod_state.ts";
import { freeIndexes, indexOf, isIndexed, parseIndexes } from "./completion_indexes.ts";
import { createJobPods } from "./job_pods.ts";
import { completedIndexes, countEnds, type Ends, newEnds, release } from "./job_tracking.ts";
import { unsupportedFields } from "./unsupported_fields.ts";

type ReadJob = DeepReadonly<V1Job>;

/** The first pause before a failed pod is replaced, in milliseconds. */
const FIRST_BACKOFF_MS = 10_000;
/** The longest pause before a failed pod is replaced, in milliseconds. */
const LONGEST_BACKOFF_MS = 600_000;
/** The number of failures that end a Job by default. */
const BACKOFF_LIMIT = 6;

/**
 * The controller of Jobs: runs pods until enough have succeeded or too many have failed, and counts
 * each end once, whatever crashes in between.
 */
export const jobController: ControllerDefinition = controllerFor(Job)
  .named("job-controller")
  .watches(Pod, toClaimants(Job, selectorOf), { indexes: controllerIndex })
  .options({ workers: 5, hotLoopRuns: Infinity })
  .reconcile(reconcileJob);

function selectorOf({ spec }: ReadJob): LabelSelector | undefined {
  return spec?.selector && labelSelectorOf(spec.selector);
}

async function reconcileJob(context: ReconcileContext): Promise<RequeueAfter | void> {
  const { cache, key } = context;
  const job = cache.shared.get(Job, key);
  const selector = job && selectorOf(job);
  if (!job || !selector || job.spec?.managedBy) return;
  const found = await ownedOrOrphaned(cache, Pod, job);
  if (finishedOf(job.status as V1JobStatus)) return await releaseAll(context, found, job);
  const unsupported = unsupportedFields(job);
  if (unsupported !== undefined) {
    context.events.record(Job, job, {
      type: "Warning",
      reason: "Unsupported",
      note: `The Job is not run: ${unsupported} is not implemented`,
    });
    return;
  }
  const pods = await claim(context, {
    ownerType: Job,
    owner: job,
    selector,
    type: Pod,
    objects: found,
  });
  return await new JobRun(context, job, pods).step();
}

/** Removes the finalizers that a crash has left on the pods of a Job that has finished. */
async function releaseAll(
  { client }: ReconcileContext,
  pods: readonly ReadPod[],
  { metadata }: ReadJob,
): Promise<void> {
  const own = pods.filter((pod) =>
    pod.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid)
  );
  for (const pod of own) await release(client, pod);
}

function finishedOf(status: V1JobStatus | undefined): V1JobCondition | undefined {
  return status?.conditions?.find(({ type, status }) =>
    (type === "Complete" || type === "Failed") && status === "True"
  );
}

/** One reconcile run of a Job that has not finished. */
class JobRun {
  readonly #context: ReconcileContext;
  readonly #job: ReadJob;
  readonly #spec: NonNullable<ReadJob["spec"]>;
  readonly #pods: readonly ReadPod[];
  readonly #active: readonly ReadPod[];
  readonly #now: string;
  /** The ends that are not counted in the status yet. */
  readonly #ends: Ends;
  #status: V1JobStatus;
  /** The Job as the last write of this run has left it. */
  #written: V1Job;

  constructor(context: ReconcileContext, job: ReadJob, pods: readonly ReadPod[]) {
    this.#context = context;
    this.#job = job;
    this.#spec = job.spec!;
    this.#pods = pods;
    this.#active = pods.filter(isActive);
    this.#now = formatTime(context.clock.now());
    this.#written = job as V1Job;
    this.#status = { uncountedTerminatedPods: {}, ...job.status as V1JobStatus };
    this.#ends = newEnds(pods, this.#status);
  }

  async step(): Promise<RequeueAfter | void> {
    if (!this.#spec.suspend) this.#status.startTime ??= this.#now;
    const verdict = this.#verdict();
    let waitMs: number | undefined;
    let active = this.#active.length;
    if (verdict) {
      await this.#end(this.#active);
      active = 0;
      // The controller may have ended between the first pods of a resumed Job and its status.
      if (!this.#spec.suspend) this.#noteSuspension();
    } else if (this.#job.metadata.deletionTimestamp === undefined) {
      ({ active, waitMs } = await this.#scale());
      this.#noteSuspension();
    }
    const terminating = this.#pods.filter(isTerminating).length + this.#active.length -
      Math.min(active, this.#active.length);
    this.#status = {
      ...this.#status,
      active,
      terminating,
      ready: verdict ? 0 : this.#active.filter(isReady).length,
    };
    await this.#count(verdict);
    this.#finish(verdict, active, terminating);
    await this.#write(this.#status);
    return this.#next(verdict, waitMs);
  }

  /** Returns the condition by which the Job is about to end; `undefined` while it goes on. */
  #verdict(): V1JobCondition | undefined {
    const { conditions = [] } = this.#status;
    const known = conditions.find(({ type, status }) =>
      (type === "SuccessCriteriaMet" || type === "FailureTarget") && status === "True"
    );
    if (known) return known;
    const failed = (this.#status.failed ?? 0) + this.#ends.failed.length +
      (this.#status.uncountedTerminatedPods?.failed?.length ?? 0);
    if (failed > (this.#spec.backoffLimit ?? BACKOFF_LIMIT) || this.#restartsTooOften()) {
      const message = "Job has reached the specified backoff limit";
      return this.#condition("FailureTarget", "BackoffLimitExceeded", message);
    }
    if (this.#deadlineMs() <= this.#nowMs && !this.#spec.suspend) {
      const message = "Job was active longer than specified deadline";
      return this.#condition("FailureTarget", "DeadlineExceeded", message);
    }
    if (!this.#isDone()) return undefined;
    const message = "Reached expected number of succeeded pods";
    return this.#condition("SuccessCriteriaMet", "CompletionsReached", message);
  }

  get #nowMs(): number {
    return this.#context.clock.now().getTime();
  }

  #deadlineMs(): number {
    const { activeDeadlineSeconds = Infinity } = this.#spec;
    return Date.parse(this.#status.startTime ?? this.#now) + activeDeadlineSeconds * 1000;
  }

  /** Reports whether the containers of pods that restart have failed too often (`OnFailure`). */
  #restartsTooOften(): boolean {
    if (this.#spec.template.spec?.restartPolicy !== "OnFailure") return false;
    const restarts = this.#active.flatMap(({ status }) => [
      ...status?.initContainerStatuses ?? [],
      ...status?.containerStatuses ?? [],
    ]).reduce((sum, { restartCount }) => sum + restartCount, 0);
    const { backoffLimit = BACKOFF_LIMIT } = this.#spec;
    return restarts > 0 && restarts >= Math.max(1, backoffLimit);
  }

  #isDone(): boolean {
    const { completions } = this.#spec;
    const succeeded = this.#succeeded();
    if (this.#active.length > 0) return false;
    return completions === undefined ? succeeded > 0 : succeeded >= completions;
  }

  /** Returns the number of pods, or of indexes, that have succeeded. */
  #succeeded(): number {
    if (isIndexed(this.#job)) return parseIndexes(this.#completed()).size;
    return (this.#status.succeeded ?? 0) + this.#ends.succeeded.length +
      (this.#status.uncountedTerminatedPods?.succeeded?.length ?? 0);
  }

  #completed(): string {
    const succeeded = this.#pods.filter(({ status }) => status?.phase === "Succeeded");
    return completedIndexes(parseIndexes(this.#status.completedIndexes), succeeded);
  }

  /** Creates or deletes pods. Returns the active ones then, and the pause before more are created. */
  async #scale(): Promise<{ readonly active: number; readonly waitMs?: number }> {
    const { parallelism = 1, completions, suspend } = this.#spec;
    const active = this.#active.length;
    const left = completions === undefined
      ? this.#succeeded() > 0 ? active : parallelism
      : Math.max(0, completions - this.#succeeded());
    const wanted = suspend ? 0 : Math.min(parallelism, left);
    if (active > wanted) {
      const ordered = inDeletionOrder(this.#active, [], this.#nowMs);
      await this.#end(ordered.slice(0, active - wanted));
      return { active: wanted };
    }
    const missing = wanted - active - this.#replacedLater();
    if (missing <= 0) return { active };
    const waitMs = this.#backoffMs();
    if (waitMs > 0) return { active, waitMs };
    const taken = new Set([
      ...parseIndexes(this.#completed()),
      ...this.#active.map(indexOf).filter((index) => index !== undefined),
    ]);
    const indexes = isIndexed(this.#job) ? freeIndexes(missing, completions ?? 0, taken) : [];
    await createJobPods(this.#context, this.#job, missing, indexes);
    return { active: active + (isIndexed(this.#job) ? indexes.length : missing) };
  }

  /** Returns the pods whose replacements wait for their end (`podReplacementPolicy: Failed`). */
  #replacedLater(): number {
    return this.#spec.podReplacementPolicy === "Failed"
      ? this.#pods.filter(isTerminating).length
      : 0;
  }

  /** Returns the rest of the pause after the last failures in a row, in milliseconds. */
  #backoffMs(): number {
    const ends = this.#pods.filter(({ status }) => status?.phase === "Failed").map(endMs)
      .sort((a, b) => b - a);
    const lastSuccessMs = Math.max(
      0,
      ...this.#pods.filter(({ status }) => status?.phase === "Succeeded").map(endMs),
    );
    const row = ends.filter((ms) => ms > lastSuccessMs);
    if (row.length === 0) return 0;
    const pauseMs = Math.min(FIRST_BACKOFF_MS * 2 ** (row.length - 1), LONGEST_BACKOFF_MS);
    return row[0]! + pauseMs - this.#nowMs;
  }

  async #end(pods: readonly ReadPod[]): Promise<void> {
    const owner = { type: Job, object: this.#job };
    await allSettled(pods.map((pod) => deletePod(this.#context, owner, pod)));
  }

  /** Sets the condition `Suspended` when the Job is suspended and when it is resumed. */
  #noteSuspension(): void {
    const { suspend = false } = this.#spec;
    const conditions = this.#status.conditions ?? [];
    const known = conditions.find(({ type }) => type === "Suspended");
    const status = suspend ? "True" : "False";
    if (known ? known.status === status : !suspend) return;
    const [reason, message] = suspend
      ? ["JobSuspended", "Job suspended"]
      : ["JobResumed", "Job resumed"];
    const next = { ...this.#condition("Suspended", reason!, message!), status };
    this.#status.conditions = [...conditions.filter((each) => each !== known), next];
    if (suspend) delete this.#status.startTime;
    else this.#status.startTime = this.#now;
    this.#context.events.record(Job, this.#job, {
      reason: suspend ? "Suspended" : "Resumed",
      note: message,
    });
  }

  /** Counts the pods that have ended. */
  async #count(verdict: V1JobCondition | undefined): Promise<void> {
    if (verdict && !this.#status.conditions?.includes(verdict)) {
      this.#status.conditions = [...this.#status.conditions ?? [], verdict];
    }
    const completed = isIndexed(this.#job) ? this.#completed() : undefined;
    const write = (status: V1JobStatus): Promise<void> => this.#write(status);
    // A pod that the verdict deletes counts as failed once it has ended.
    this.#status = await countEnds(this.#context, this.#pods, this.#ends, this.#status, write);
    if (completed === undefined) return;
    this.#status = {
      ...this.#status,
      completedIndexes: completed,
      succeeded: parseIndexes(completed).size,
    };
  }

  /** Ends the Job by the condition that was found, once no pod is left to count. */
  #finish(verdict: V1JobCondition | undefined, active: number, terminating: number): void {
    const { succeeded = [], failed = [] } = this.#status.uncountedTerminatedPods ?? {};
    if (!verdict || active + terminating + succeeded.length + failed.length > 0) return;
    const { reason = "", message = "" } = verdict;
    const complete = verdict.type === "SuccessCriteriaMet";
    const condition = this.#condition(complete ? "Complete" : "Failed", reason, message);
    this.#status.conditions = [...this.#status.conditions ?? [], condition];
    if (complete) this.#status.completionTime = this.#now;
    this.#context.events.record(
      Job,
      this.#job,
      complete
        ? { reason: "Completed", note: "Job completed" }
        : { type: "Warning", reason, note: message },
    );
  }

  #next(
    verdict: V1JobCondition | undefined,
    waitMs: number | undefined,
  ): RequeueAfter | undefined {
    const deadlineMs = verdict || this.#spec.suspend ? Infinity : this.#deadlineMs() - this.#nowMs;
    const nextMs = Math.min(waitMs ?? Infinity, deadlineMs);
    return nextMs === Infinity ? undefined : { requeueAfterMs: Math.max(0, nextMs) };
  }

  async #write(status: V1JobStatus): Promise<void> {
    if (jsonEqual(stored(this.#written.status), stored(status))) return;
    this.#written = await this.#context.client.updateStatus(Job, { ...this.#written, status });
  }

  #condition(type: string, reason: string, message: string): V1JobCondition {
    return {
      type,
      status: "True",
      lastProbeTime: this.#now,
      lastTransitionTime: this.#now,
      reason,
      message,
    };
  }
}

/** Returns a status as the server stores it, without counts of zero. */
function stored(status: V1JobStatus = {}): unknown {
  return Object.fromEntries(
    Object.entries(status).filter(([name, value]) =>
      value !== undefined && !(value === 0 && ["active", "succeeded", "failed"].includes(name))
    ),
  );
}

/** Returns the time at which a pod has ended, in milliseconds. */
function endMs({ status, metadata }: ReadPod): number {
  const times = (status?.containerStatuses ?? [])
    .map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ""))
    .filter((ms) => !Number.isNaN(ms));
  return times.length > 0 ? Math.max(...times) : Date.parse(metadata.creationTimestamp ?? "");
}
