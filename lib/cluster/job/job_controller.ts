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
import { allSettled, BURST_REPLICAS, deletePod } from "../pods/pod_control.ts";
import { isActive, isReady, isTerminating, type ReadPod } from "../pods/pod_state.ts";
import {
  formatIndexes,
  freeIndexes,
  indexOf,
  isIndexed,
  parseIndexes,
} from "./completion_indexes.ts";
import { excessPods } from "./excess_pods.ts";
import { delayedPods, failedIndexes, hasLimitPerIndex, indexBackoffMs } from "./index_failures.ts";
import { backoffMs, type FailureRow, JobBackoff } from "./job_backoff.ts";
import { createJobPods } from "./job_pods.ts";
import { countEnds, type Ends, newEnds, release, TRACKING } from "./job_tracking.ts";
import { verdictOf } from "./job_verdict.ts";

type ReadJob = DeepReadonly<V1Job>;

/** The value of a Job's `spec.managedBy` that names this controller. */
const OWN_NAME = "kubernetes.io/job-controller";

/**
 * Creates the Job controller: it runs pods until enough have succeeded or too many have failed, and
 * counts each terminated pod exactly once, even across crashes. A Job whose `managedBy` names
 * another controller is left alone.
 */
export function jobController(): ControllerDefinition {
  const backoff = new JobBackoff();
  return controllerFor(Job)
    .named("job-controller")
    .watches(Pod, toClaimants(Job, selectorOf), { indexes: controllerIndex })
    .options({ workers: 5, hotLoopRuns: Infinity })
    .reconcile((context) => reconcileJob(context, backoff));
}

function selectorOf({ spec }: ReadJob): LabelSelector | undefined {
  return spec?.selector && labelSelectorOf(spec.selector);
}

async function reconcileJob(
  context: ReconcileContext,
  backoff: JobBackoff,
): Promise<RequeueAfter | void> {
  const { cache, key } = context;
  const job = cache.shared.get(Job, key);
  backoff.follow(key, job?.metadata.uid);
  const selector = job && selectorOf(job);
  if (!job || !selector || (job.spec?.managedBy ?? OWN_NAME) !== OWN_NAME) return;
  const found = await ownedOrOrphaned(cache, Pod, job);
  if (finishedOf(job.status as V1JobStatus)) {
    backoff.forget(job.metadata.uid ?? "");
    return await releaseAll(context, found, job);
  }
  const pods = await claim(context, {
    ownerType: Job,
    owner: job,
    selector,
    type: Pod,
    objects: found,
    finalizers: [TRACKING],
  });
  const waitMs = backoff.batchMs(job, newEnds(job, pods), context.clock.now().getTime());
  if (waitMs > 0) return { requeueAfterMs: waitMs };
  return await new JobRun(context, job, pods, backoff).step();
}

/** Removes the tracking finalizers that a crash has left on the pods of a finished Job. */
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

/** A reconcile run of one unfinished Job. */
class JobRun {
  readonly #context: ReconcileContext;
  readonly #job: ReadJob;
  readonly #spec: NonNullable<ReadJob["spec"]>;
  readonly #pods: readonly ReadPod[];
  readonly #active: readonly ReadPod[];
  readonly #now: string;
  /** The terminated pods of the Job that the Job's status does not count yet. */
  readonly #ends: Ends;
  readonly #backoff: JobBackoff;
  /**
   * The consecutive pod failures of the Job, including those that its status does not count yet.
   */
  readonly #row: FailureRow;
  /** The completion indexes of the Job that have succeeded; empty for a Job without indexes. */
  readonly #succeededIndexes: ReadonlySet<number>;
  readonly #failedIndexes: ReadonlySet<number>;
  /**
   * The failed pods of the Job that are kept until their replacements exist, by completion index.
   */
  readonly #delayed: ReadonlyMap<number, ReadPod>;
  #status: V1JobStatus;
  /** The Job as cached, or as stored by the last write of this reconcile run. */
  #written: V1Job;

  constructor(
    context: ReconcileContext,
    job: ReadJob,
    pods: readonly ReadPod[],
    backoff: JobBackoff,
  ) {
    this.#context = context;
    this.#job = job;
    this.#spec = job.spec!;
    this.#pods = pods;
    this.#active = pods.filter(isActive);
    this.#now = formatTime(context.clock.now());
    this.#written = job as V1Job;
    this.#status = { uncountedTerminatedPods: {}, ...job.status as V1JobStatus };
    this.#ends = newEnds(job, pods);
    this.#backoff = backoff;
    this.#row = backoff.next(this.#uid, this.#ends);
    this.#succeededIndexes = isIndexed(job) ? succeededIndexes(job, pods) : new Set();
    this.#failedIndexes = hasLimitPerIndex(job) ? failedIndexes(job, pods) : new Set();
    const done = this.#succeededIndexes.union(this.#failedIndexes);
    this.#delayed = delayedPods(job, pods, done);
  }

  async step(): Promise<RequeueAfter | void> {
    if (!this.#spec.suspend) this.#status.startTime ??= this.#now;
    const verdict = this.#verdict();
    let waitMs: number | undefined;
    let left: readonly ReadPod[] = this.#active;
    let created = 0;
    if (verdict) {
      await this.#end(this.#active);
      left = [];
      // The controller may have stopped after it created the first pods of a resumed Job, before it
      // wrote the status.
      if (!this.#spec.suspend) this.#noteSuspension();
    } else if (this.#job.metadata.deletionTimestamp === undefined) {
      ({ left, created, waitMs } = await this.#scale());
      this.#noteSuspension();
    }
    const terminating = this.#pods.filter(isTerminating).length + this.#active.length - left.length;
    const active = left.length + created;
    this.#status = { ...this.#status, active, terminating, ready: left.filter(isReady).length };
    await this.#count(verdict);
    this.#finish(verdict, active, terminating);
    await this.#write(this.#status);
    this.#backoff.keep(this.#uid, this.#row);
    return this.#next(verdict, waitMs);
  }

  get #uid(): string {
    return this.#job.metadata.uid ?? "";
  }

  /**
   * Returns the condition with which the Job is about to finish; `undefined` while it continues.
   */
  #verdict(): V1JobCondition | undefined {
    const known = this.#status.conditions?.find(({ type, status }) =>
      (type === "SuccessCriteriaMet" || type === "FailureTarget") && status === "True"
    );
    if (known) return known;
    const found = verdictOf({
      job: this.#job,
      pods: this.#pods,
      failed: (this.#status.failed ?? 0) + this.#ends.failed.length +
        (this.#status.uncountedTerminatedPods?.failed?.length ?? 0),
      succeeded: this.#succeeded(),
      active: this.#active.length,
      isPastDeadline: !this.#spec.suspend && this.#deadlineMs() <= this.#nowMs,
      succeededIndexes: this.#succeededIndexes,
      failedIndexes: this.#failedIndexes,
    });
    return found && this.#condition(found.type, found.reason, found.message);
  }

  get #nowMs(): number {
    return this.#context.clock.now().getTime();
  }

  #deadlineMs(): number {
    const { activeDeadlineSeconds = Infinity } = this.#spec;
    return Date.parse(this.#status.startTime ?? this.#now) + activeDeadlineSeconds * 1000;
  }

  /**
   * Returns the number of succeeded pods of the Job; for an indexed Job, of its succeeded
   * completion indexes.
   */
  #succeeded(): number {
    if (isIndexed(this.#job)) return this.#succeededIndexes.size;
    return (this.#status.succeeded ?? 0) + this.#ends.succeeded.length +
      (this.#status.uncountedTerminatedPods?.succeeded?.length ?? 0);
  }

  /**
   * Creates or deletes pods of the Job: at most `BURST_REPLICAS`, except for the deletion of all
   * active pods of a suspended Job. Returns the remaining active pods, the number of created ones,
   * and during a back-off the delay before more are created, in milliseconds.
   */
  async #scale(): Promise<Scaled> {
    const left = this.#active;
    const wanted = this.#wanted();
    const atLeast = Math.max(0, left.length - wanted);
    const most = this.#spec.suspend ? Infinity : BURST_REPLICAS;
    const excess = excessPods(this.#job, left, atLeast, this.#nowMs).slice(0, most);
    if (excess.length > 0) {
      await this.#remove(excess);
      return { left: left.filter((pod) => !excess.includes(pod)), created: 0 };
    }
    const missing = Math.min(
      wanted - left.length - this.#replacedLater().length,
      BURST_REPLICAS,
    );
    if (missing <= 0) return { left, created: 0 };
    const perIndex = hasLimitPerIndex(this.#job);
    const { failures, lastMs } = this.#row;
    const waitMs = perIndex ? 0 : backoffMs(failures, lastMs, this.#nowMs);
    if (waitMs > 0) return { left, created: 0, waitMs };
    const free = isIndexed(this.#job) ? this.#freeIndexes(missing) : [];
    const indexes = free.filter((index) => this.#indexWaitMs(index) === 0);
    if (perIndex && indexes.length === 0 && free.length > 0) {
      const nextMs = Math.min(...free.map((index) => this.#indexWaitMs(index)));
      return { left, created: 0, waitMs: nextMs };
    }
    const created = isIndexed(this.#job) ? indexes.length : missing;
    await createJobPods(this.#context, this.#job, created, indexes, this.#delayed);
    return { left, created };
  }

  /**
   * Returns the number of pods of the Job that should be active: none of a suspended Job, otherwise
   * `parallelism`, but no more than `completions` still needs. Without `completions`, once a pod
   * has succeeded, no pod is added.
   */
  #wanted(): number {
    const { parallelism = 1, completions, suspend } = this.#spec;
    if (suspend) return 0;
    if (completions !== undefined) {
      return Math.min(parallelism, Math.max(0, completions - this.#succeeded()));
    }
    return this.#succeeded() > 0 ? this.#active.length : parallelism;
  }

  /** Returns at most `count` completion indexes of the Job that need a pod, the lowest first. */
  #freeIndexes(count: number): number[] {
    const running = [...this.#active, ...this.#replacedLater()].map(indexOf)
      .filter((index) => index !== undefined);
    const taken = new Set([...running, ...this.#succeededIndexes, ...this.#failedIndexes]);
    return freeIndexes(count, this.#spec.completions ?? 0, taken);
  }

  #indexWaitMs(index: number): number {
    return indexBackoffMs(this.#delayed.get(index), this.#nowMs);
  }

  /**
   * Returns the terminating pods of the Job that are replaced only once they have terminated
   * (`podReplacementPolicy: Failed`).
   */
  #replacedLater(): readonly ReadPod[] {
    return this.#spec.podReplacementPolicy === "Failed" ? this.#pods.filter(isTerminating) : [];
  }

  async #end(pods: readonly ReadPod[]): Promise<void> {
    const owner = { type: Job, object: this.#job };
    await allSettled(pods.map((pod) => deletePod(this.#context, owner, pod)));
  }

  /** Deletes surplus pods of the Job, which do not count as failed. */
  async #remove(pods: readonly ReadPod[]): Promise<void> {
    await allSettled(pods.map((pod) => release(this.#context.client, pod)));
    await this.#end(pods);
  }

  /**
   * Updates the condition `Suspended` and the start time in the status when the Job is suspended or
   * resumed, and emits an event.
   */
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

  /**
   * Adds the verdict to the conditions of the status, counts the terminated pods of the Job in the
   * status, and removes their tracking finalizers. The status is written before the finalizers are
   * removed; the caller writes the final counts.
   */
  async #count(verdict: V1JobCondition | undefined): Promise<void> {
    if (verdict && !this.#status.conditions?.includes(verdict)) {
      this.#status.conditions = [...this.#status.conditions ?? [], verdict];
    }
    this.#status = await countEnds(this.#context, {
      job: this.#job,
      pods: this.#pods,
      ends: this.#ends,
      verdict,
      delayed: new Set(this.#delayed.values()),
      status: { ...this.#status, ...this.#indexStatus() },
      write: (status) => this.#write({ ...status, ...this.#indexStatus() }),
    });
    this.#status = { ...this.#status, ...this.#indexStatus() };
  }

  /**
   * Returns the fields of an indexed Job's status about completion indexes, with the number of the
   * succeeded ones as `succeeded`; no fields for another Job.
   */
  #indexStatus(): Partial<V1JobStatus> {
    if (!isIndexed(this.#job)) return {};
    const completedIndexes = formatIndexes(this.#succeededIndexes);
    return {
      ...(completedIndexes !== "" && { completedIndexes }),
      ...(hasLimitPerIndex(this.#job) && { failedIndexes: formatIndexes(this.#failedIndexes) }),
      succeeded: this.#succeededIndexes.size,
    };
  }

  /**
   * Sets the final condition of the Job in its status, and emits an event, once no pod is left and
   * all terminated pods are counted.
   */
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

/**
 * Returns a Job status in the form in which the server stores it, without zero counts of active,
 * succeeded and failed pods.
 */
function stored(status: V1JobStatus = {}): unknown {
  return Object.fromEntries(
    Object.entries(status).filter(([name, value]) =>
      value !== undefined && !(value === 0 && ["active", "succeeded", "failed"].includes(name))
    ),
  );
}

/**
 * The result of creating or deleting pods of a Job: the remaining active pods, the number of
 * created ones, and the delay before more are created, in milliseconds.
 */
interface Scaled {
  readonly left: readonly ReadPod[];
  readonly created: number;
  readonly waitMs?: number;
}

/** Returns the completion indexes of a Job that have succeeded, including those in its status. */
function succeededIndexes(job: ReadJob, pods: readonly ReadPod[]): Set<number> {
  const indexes = pods.filter(({ status }) => status?.phase === "Succeeded").map(indexOf);
  const all = [...parseIndexes(job.status?.completedIndexes), ...indexes];
  return new Set(
    all.filter((index) => index !== undefined && index < (job.spec?.completions ?? 0)) as number[],
  );
}
