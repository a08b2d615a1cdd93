/**
 * An operator that injects faults: a Chaos kills, freezes or slows some pods at scheduled times,
 * and records the time in which the application recovered.
 *
 * The selected pods of a round are in the status before the first one is harmed. So a restart after
 * a crash continues the same round, and never harms other pods. README.md in this folder has a
 * picture.
 *
 * ```sh
 * kubectl xca run --install-crds -A examples/15_chaos/operator.ts
 * ```
 *
 * @module
 */
import {
  controllerFor,
  createClient,
  defineOperator,
  keyOf,
  loadConfig,
  type Operator,
  Pod,
  type ReconcileContext,
  type RequeueAfter,
  terminal,
} from "@xca/operator";
import { createManager, stopSignal } from "@xca/operator/manager";
import { evictPod, isDisruptionBudget, isNotFound } from "@xca/operator/client";
import { finalize } from "@xca/operator/controller";
import type { V1Pod } from "@xca/operator/kubernetes-types";
import {
  formatTime,
  type KubeObject,
  labelSelectorOf,
  PodDisruptionBudget,
  type Summary,
} from "@xca/operator/meta";
import { CronSchedule } from "@xca/operator/schedule";
import { runExample } from "../run_example.ts";
import { Chaos, type Round, type Victim } from "./chaos.ts";
import { BY_LABEL, inject, type Injector, restore, scriptInjector, untilOf } from "./injector.ts";
import { begin, note, recovered, skip, stop, write } from "./rounds.ts";
import { choose, podKey, type Target, targetOf } from "./targets.ts";

/** The finalizer that keeps a Chaos until its pods are restored. */
export const FINALIZER = "chaos.example.org/restore";

/**
 * The maximum delay of a round after its scheduled time, and of its faults after its beginning, in
 * milliseconds; a later round is skipped or stopped, since its faults would come unexpected.
 */
const LATEST_MS = 60_000;

/** The facts that a reconcile run has in addition to its context. */
interface Scene {
  readonly schedule: CronSchedule;
  readonly injector: Injector;
  /** The pods that the Chaos had frozen or slowed at the start of the reconcile run. */
  readonly harmed: readonly V1Pod[];
}

async function reconcile(
  context: ReconcileContext,
  injector: Injector,
): Promise<void | RequeueAfter> {
  const found = context.cache.get(Chaos, context.key);
  const cleanup = (chaos: Chaos) => restoreAll(context, chaos);
  const chaos = found && await finalize(context, Chaos, found, { finalizer: FINALIZER, cleanup });
  if (!chaos) return;
  if (chaos.spec.suspend) {
    await restoreAll(context, chaos);
    return await stop(context, chaos, "the Chaos is suspended");
  }
  const schedule = await scheduleOf(context, chaos);
  const now = context.clock.now();
  const harmed = await harmedBy(context, chaos);
  for (const pod of harmed) if (untilOf(pod) <= now) await restoreOne(context, chaos, pod);
  await advance(context, chaos, { schedule, injector, harmed });
  const times = [schedule.next(now), ...harmed.map(untilOf)].map((time) => time.getTime());
  const next = Math.min(...times.filter((time) => time > now.getTime()));
  return { requeueAfterMs: next - now.getTime() };
}

/**
 * Executes the next step of the present round, which may end the round, or begins or skips a round
 * that is due. Each write of the status causes a reconcile run.
 */
async function advance(context: ReconcileContext, chaos: Chaos, scene: Scene): Promise<void> {
  const { status: { round: last, lastTime } = {}, metadata } = chaos;
  const now = context.clock.now();
  const isLate = (since: Date) => now.getTime() - since.getTime() > LATEST_MS;
  if (last?.victims.some(({ done }) => !done)) {
    if (isLate(new Date(last.begun))) return await stop(context, chaos, "it was interrupted");
    return await harm(context, chaos, last, scene);
  }
  const target = await targetOf(context, chaos);
  if (last && hasRecovered(context, last, target, scene)) {
    return await recovered(context, chaos, last);
  }
  const due = scene.schedule.last(now);
  if (!due || due <= new Date(lastTime ?? metadata.creationTimestamp!)) return;
  if (last) {
    const message = `the target has not recovered from the round of ${last.at}`;
    return await skip(context, chaos, due, message);
  }
  if (isLate(due)) return await skip(context, chaos, due, "missed");
  const chosen = await choose(context, chaos, target, due);
  if (typeof chosen === "string") return await skip(context, chaos, due, chosen);
  const victims = chosen.map((pod) => ({ pod: podKey(pod), uid: pod.metadata!.uid!, done: false }));
  const { fault } = chaos.spec;
  const times = { at: formatTime(due), begun: formatTime(now) };
  await begin(context, chaos, { ...times, fault, ready: target.ready, victims });
}

/**
 * Reports whether no pod of the target is harmed, all are ready, and at least as many as before the
 * round; after a kill, the cache must also have lost the killed pods.
 */
function hasRecovered(
  { cache }: ReconcileContext,
  { fault, victims, ready }: Round,
  target: Target,
  { harmed }: Scene,
): boolean {
  // The cache may show a pod for a moment after it was killed.
  const isShown = ({ pod, uid }: Victim) => cache.get(Pod, pod)?.metadata?.uid === uid;
  if (fault === "kill" && victims.some(isShown)) return false;
  return harmed.length === 0 && target.ready === target.pods.length && target.ready >= ready;
}

/**
 * Harms the remaining pods of a round, unless the Chaos is suspended or deleted in between. A pod
 * that is no longer selected is spared. Writes the harmed pods to the status, or skips the round if
 * all pods were spared.
 */
async function harm(
  context: ReconcileContext,
  chaos: Chaos,
  round: Round,
  { injector }: Scene,
): Promise<void> {
  const { pods } = await targetOf(context, chaos);
  const selected = new Map(pods.map((pod) => [pod.metadata?.uid, pod]));
  const victims: Victim[] = [];
  for (const victim of round.victims) {
    if (isStopped(context)) return; // the next run restores the pods
    const isGone = context.cache.get(Pod, victim.pod)?.metadata?.uid !== victim.uid;
    const pod = selected.get(victim.uid);
    if (victim.done || isGone || pod && await harmOne(context, chaos, round, pod, injector)) {
      victims.push({ ...victim, done: true });
    }
  }
  if (victims.length === 0) {
    const message = "the pods are no longer selected, or disruption budgets have spared them";
    return await skip(context, chaos, new Date(round.at), message, { round: null });
  }
  const summary: Summary = { state: "Progressing", reason: "PodsHarmed" };
  await write(context, chaos, summary, { round: { ...round, victims } });
}

/** Reports whether a Chaos was suspended or deleted since the start of its reconcile run. */
function isStopped({ cache, key }: ReconcileContext): boolean {
  const chaos = cache.get(Chaos, key);
  return !chaos || chaos.spec.suspend || chaos.metadata.deletionTimestamp !== undefined;
}

/**
 * Harms one pod, and emits events about that; returns false if a PodDisruptionBudget prevents it. A
 * fault whose time is already over is not injected, and counts as injected.
 */
async function harmOne(
  context: ReconcileContext,
  chaos: Chaos,
  round: Round,
  pod: V1Pod,
  injector: Injector,
): Promise<boolean> {
  const { fault } = round;
  if (fault === "kill") {
    if (!await kill(context, pod)) {
      note(context, chaos, "Normal", "PodSpared", `A disruption budget spares pod ${podKey(pod)}`);
      return false;
    }
  } else {
    const until = new Date(Date.parse(round.begun) + chaos.spec.seconds * 1000);
    if (until <= context.clock.now()) return true; // a crash has delayed the round too long
    const annotations = injector.annotationsOf(fault, pod);
    await inject(context, pod, { by: chaos.metadata.name!, until, annotations });
  }
  note(context, chaos, "Normal", "PodHarmed", `${fault} pod ${podKey(pod)}`);
  context.events.record(Pod, pod as KubeObject, {
    type: "Warning",
    reason: "Chaos",
    note: `Chaos ${chaos.metadata.name}: ${fault}`,
  });
  return true;
}

/**
 * Evicts a pod without a grace period; returns false if its PodDisruptionBudget refuses the
 * eviction. A pod that no longer exists counts as evicted. The eviction names the resourceVersion of
 * the pod in the cache: if the pod has changed since, the server answers 409, and the run is retried
 * with the newer pod.
 */
async function kill({ client }: ReconcileContext, pod: V1Pod): Promise<boolean> {
  const { uid, resourceVersion } = pod.metadata!;
  const preconditions = { uid, resourceVersion };
  try {
    await evictPod(client, podKey(pod), { gracePeriodSeconds: 0, preconditions });
  } catch (error) {
    if (isDisruptionBudget(error)) return false;
    if (!isNotFound(error)) throw error; // it was gone before
  }
  return true;
}

/** Returns the pods that a Chaos has frozen or slowed. */
async function harmedBy({ cache }: ReconcileContext, { metadata }: Chaos): Promise<V1Pod[]> {
  return await cache.list(Pod, { labelSelector: `${BY_LABEL}=${metadata.name}` });
}

async function restoreAll(context: ReconcileContext, chaos: Chaos): Promise<void> {
  for (const pod of await harmedBy(context, chaos)) await restoreOne(context, chaos, pod);
}

async function restoreOne(context: ReconcileContext, chaos: Chaos, pod: V1Pod): Promise<void> {
  await restore(context, pod);
  note(context, chaos, "Normal", "PodRestored", `Pod ${podKey(pod)} is restored`);
}

/**
 * Returns the schedule of a Chaos. If the spec is invalid, restores all harmed pods, and records
 * the reason as a condition and an event.
 *
 * @throws {TerminalError} When the schedule or the label selector is invalid.
 */
async function scheduleOf(context: ReconcileContext, chaos: Chaos): Promise<CronSchedule> {
  const { schedule, timeZone, matchLabels } = chaos.spec;
  try {
    labelSelectorOf({ matchLabels });
    return new CronSchedule(schedule, { timeZone });
  } catch (error) {
    const { message } = error as Error;
    note(context, chaos, "Warning", "InvalidSpec", message);
    await restoreAll(context, chaos);
    await write(context, chaos, { state: "Degraded", reason: "InvalidSpec", message });
    throw terminal(message);
  }
}

/** Returns the operator of Chaos objects, which freezes and slows pods by an injector. */
export function chaosOperator(injector: Injector): Operator {
  return defineOperator({
    name: "chaos",
    controllers: [
      controllerFor(Chaos)
        .watches(Pod, async ({ labels }, { cache }) => {
          const all = await cache.list(Chaos);
          return all.filter(({ metadata, spec }) =>
            labels[BY_LABEL] === metadata.name ||
            Object.entries(spec.matchLabels).every(([key, value]) => labels[key] === value)
          ).map((chaos) => keyOf(chaos));
        })
        .watches(PodDisruptionBudget, () => [])
        .uses(Pod, ["patch", "recordEvents"])
        .uses(Pod, ["create"], { subresource: "eviction" })
        .uses(Chaos, ["finalize", "patchStatus", "recordEvents"])
        .reconcile((context) => reconcile(context, injector)),
    ],
  });
}

/** The operator of Chaos objects for clusters with the simulated kubelet. */
export const operator: Operator = chaosOperator(scriptInjector);

if (import.meta.main) {
  await runExample(async () => {
    using client = createClient(await loadConfig());
    const manager = createManager({ client, name: operator.name });
    manager.add(operator);
    await manager.run({ signal: stopSignal() });
  });
}
