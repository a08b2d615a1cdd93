// Mirrors `controller/disruption/disruption.go, DisruptionController`.
import {
  Deployment,
  keyOf,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
} from "@xca/apimachinery/meta";
import { ApiError, isConflict } from "../../client/errors/api_error.ts";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import type { ReadPod } from "../pods/pod_state.ts";
import { goSelector, selectorOf, selects } from "./budget_selection.ts";
import {
  type BudgetStatus,
  budgetStatus,
  budgetStatusDiffers,
  disruptedPods,
  failedStatus,
  type ReadBudget,
} from "./budget_status.ts";
import { ExpectedScale } from "./expected_pods.ts";

/**
 * Creates the controller of PodDisruptionBudgets: it writes to the status how many pods are healthy
 * and how many may be evicted, which the eviction API enforces; if the pods cannot be counted, none
 * may be evicted.
 */
export function disruptionController(): ControllerDefinition {
  const scale = new ExpectedScale();
  return controllerFor(PodDisruptionBudget)
    .named("disruption-controller")
    .watches(Pod, async ({ namespace, labels }, { cache }) => {
      const budgets = await cache.shared.list(PodDisruptionBudget, { namespace });
      return budgets.filter((budget) => selects(budget, labels)).map(keyOf);
    })
    .watches(ReplicationController, () => [])
    .watches(ReplicaSet, () => [])
    .watches(Deployment, () => [])
    .watches(StatefulSet, () => [])
    .options({ eventSource: "controllermanager", workers: 1, hotLoopRuns: Infinity })
    .reconcile((context) => reconcileBudget(context, scale));
}

async function reconcileBudget(
  context: ReconcileContext,
  scale: ExpectedScale,
): Promise<RequeueAfter | void> {
  const { cache, key, clock } = context;
  const budget = cache.shared.get(PodDisruptionBudget, key);
  if (!budget) return;
  try {
    return await syncBudget(context, budget, scale);
  } catch (error) {
    if (isConflict(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    const text = error instanceof ApiError ? error.status.message ?? message : message;
    await write(context, budget, failedStatus(budget, text, clock.now()));
  }
}

async function syncBudget(
  context: ReconcileContext,
  budget: ReadBudget,
  scale: ExpectedScale,
): Promise<RequeueAfter | void> {
  const { cache, clock, events } = context;
  const { namespace = "" } = budget.metadata;
  const labelSelector = selectorOf(budget);
  const pods = labelSelector ? await cache.shared.list(Pod, { namespace, labelSelector }) : [];
  if (pods.length === 0) {
    events.record(PodDisruptionBudget, budget, {
      reason: "NoPods",
      note: "No matching pods found",
    });
  }
  await warnOfOthers(context, budget, pods);
  const expected = await expectedPods(context, budget, pods, scale);
  const now = clock.now();
  const { times, kept, waitMs } = disruptedPods(budget, pods, now.getTime());
  for (const pod of kept) {
    // The text of kube-controller-manager repeats the namespace in place of the budget's name.
    const note = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
    events.record(Pod, pod, { type: "Warning", reason: "NotDeleted", note });
  }
  await write(context, budget, budgetStatus(budget, pods, { expected, times, now }));
  return waitMs === undefined ? undefined : { requeueAfterMs: waitMs + 1 };
}

async function write(
  { client }: ReconcileContext,
  budget: ReadBudget,
  status: BudgetStatus,
): Promise<void> {
  if (!budgetStatusDiffers(budget, status)) return;
  await client.updateStatus(PodDisruptionBudget, { ...budget, status } as never);
}

/**
 * Returns the number of pods that a PodDisruptionBudget expects: the existing pods for an integer
 * `minAvailable`, 0 without any limit, otherwise the desired replicas of the pods' controllers.
 * Emits a warning event about pods without a controller, and about a failed calculation, whose
 * error is thrown.
 */
async function expectedPods(
  context: ReconcileContext,
  budget: ReadBudget,
  pods: readonly ReadPod[],
  scale: ExpectedScale,
): Promise<number> {
  const { events } = context;
  const { maxUnavailable, minAvailable, selector } = budget.spec ?? {};
  if (maxUnavailable === undefined && typeof minAvailable !== "string") {
    return minAvailable === undefined ? 0 : pods.length;
  }
  try {
    const { count, hasUnmanaged } = await scale.of(context, pods);
    if (hasUnmanaged) {
      const note = "Pods selected by this PodDisruptionBudget " +
        `(selector: ${
          goSelector(selector)
        }) were found to be unmanaged. As a result, the status of ` +
        "the PDB cannot be calculated correctly, which may result in undefined behavior. To account " +
        'for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
      const facts = { type: "Warning", reason: "UnmanagedPods", note } as const;
      events.record(PodDisruptionBudget, budget, facts);
    }
    return count;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const note = `Failed to calculate the number of expected pods: ${why}`;
    const facts = { type: "Warning", reason: "CalculateExpectedPodCountFailed", note } as const;
    events.record(PodDisruptionBudget, budget, facts);
    throw error;
  }
}

/**
 * Emits a warning event about each pod that several PodDisruptionBudgets select, which cannot be
 * evicted. Only the first of the budgets by name emits it.
 */
async function warnOfOthers(
  { cache, events }: ReconcileContext,
  budget: ReadBudget,
  pods: readonly ReadPod[],
): Promise<void> {
  const { namespace = "", name } = budget.metadata;
  const budgets = await cache.shared.list(PodDisruptionBudget, { namespace });
  if (budgets.length < 2) return;
  const sorted = budgets.toSorted((a, b) => a.metadata.name! < b.metadata.name! ? -1 : 1);
  for (const pod of pods) {
    const matching = sorted.filter((each) => selects(each, pod.metadata.labels ?? {}));
    if (matching.length < 2 || matching[0]!.metadata.name !== name) continue;
    const note = `Pod ${JSON.stringify(namespace)}/${JSON.stringify(pod.metadata.name)} matches ` +
      `multiple PodDisruptionBudgets.  Chose ${JSON.stringify(name)} arbitrarily.`;
    const facts = { type: "Warning", reason: "MultiplePodDisruptionBudgets", note } as const;
    events.record(Pod, pod, facts);
  }
}
