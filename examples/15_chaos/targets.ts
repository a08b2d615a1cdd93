/**
 * The pods that a Chaos may harm, and the selection among them.
 *
 * @module
 */
import { Pod, type ReconcileContext } from "@xca/operator";
import { seededRandom } from "@xca/operator/base";
import type { V1Pod, V1PodDisruptionBudget } from "@xca/operator/kubernetes-types";
import {
  keyOf,
  type KubeObject,
  labelSelectorOf,
  matchesLabels,
  PodDisruptionBudget,
} from "@xca/operator/meta";
import type { Chaos } from "./chaos.ts";
import { BY_LABEL } from "./injector.ts";

/** The namespaces that no Chaos may harm. */
const PROTECTED: readonly string[] = ["kube-system", "kube-public", "kube-node-lease"];

/** The pods that a Chaos selects. */
export interface Target {
  /** The selected pods whose phase is not final, sorted by namespace and name. */
  readonly pods: readonly V1Pod[];
  /** The number of selected pods that are ready and not being deleted. */
  readonly ready: number;
}

/** Returns the pods that a Chaos selects, and the number of those that are ready. */
export async function targetOf({ cache }: ReconcileContext, { spec }: Chaos): Promise<Target> {
  const { matchLabels, namespaces, exceptNamespaces } = spec;
  const labelSelector = labelSelectorOf({ matchLabels });
  const pods = (await cache.list(Pod, { labelSelector })).filter(({ metadata, status }) => {
    const { namespace = "" } = metadata!;
    return (namespaces?.includes(namespace) ?? true) && !exceptNamespaces.includes(namespace) &&
      !PROTECTED.includes(namespace) && status?.phase !== "Succeeded" && status?.phase !== "Failed";
  });
  pods.sort((a, b) => podKey(a) < podKey(b) ? -1 : 1);
  return { pods, ready: pods.filter(isHealthy).length };
}

/** Returns the namespace and name of a pod as one text: `namespace/name`. */
export function podKey(pod: V1Pod): string {
  return keyOf(pod as KubeObject);
}

/** Reports whether a pod is ready and not being deleted. */
function isHealthy({ metadata, status }: V1Pod): boolean {
  return metadata?.deletionTimestamp === undefined &&
    (status?.conditions ?? []).some(({ type, status }) => type === "Ready" && status === "True");
}

/**
 * Returns the pods that a round harms, within the percentage, the maximum and the disruption
 * budgets; or the reason why there is none, such as a pod that is not ready. Equal pods, budgets,
 * seed and time give an equal selection.
 */
export async function choose(
  { cache }: ReconcileContext,
  { spec }: Chaos,
  { pods, ready }: Target,
  time: Date,
): Promise<V1Pod[] | string> {
  if (pods.length === 0) return "no pod is selected";
  if (ready < pods.length) return `${pods.length - ready} of ${pods.length} pods are not ready`;
  const most = Math.min(spec.maximum, Math.floor(pods.length * spec.percentage / 100));
  if (most === 0) return `${spec.percentage} % of ${pods.length} pods are less than one`;
  const random = seededRandom(spec.seed + time.getTime() / 1000);
  const shuffled = pods.map((pod) => ({ pod, rank: random.next() }))
    .sort((a, b) => a.rank - b.rank).map(({ pod }) => pod);
  const budgets = new Budgets(await cache.list(PodDisruptionBudget));
  const chosen: V1Pod[] = [];
  for (const pod of shuffled) {
    if (chosen.length === most) break;
    const isFree = pod.metadata?.labels?.[BY_LABEL] === undefined;
    if (isFree && budgets.take(pod)) chosen.push(pod);
  }
  return chosen.length > 0 ? chosen : "the disruption budgets allow no pod to be harmed";
}

/**
 * A counter of the pods that each PodDisruptionBudget still allows to evict; none for a budget
 * whose status is out of date.
 */
class Budgets {
  readonly #left: Map<V1PodDisruptionBudget, number>;

  constructor(budgets: readonly V1PodDisruptionBudget[]) {
    this.#left = new Map(budgets.map((budget) => {
      const { metadata, status } = budget;
      const isCurrent = status?.observedGeneration === metadata?.generation;
      return [budget, isCurrent ? status?.disruptionsAllowed ?? 0 : 0];
    }));
  }

  /**
   * Counts a pod against its PodDisruptionBudget, and reports whether the pod may be evicted: a pod
   * without a budget may, a pod with several budgets may not.
   */
  take({ metadata }: V1Pod): boolean {
    const budgets = [...this.#left.keys()].filter(({ metadata: { namespace } = {}, spec }) =>
      // A budget without a selector selects no pod.
      namespace === metadata?.namespace && spec?.selector !== undefined &&
      matchesLabels(labelSelectorOf(spec.selector), metadata?.labels ?? {})
    );
    // The server does not evict a pod of two budgets.
    if (budgets.length > 1) return false;
    const [budget] = budgets;
    if (!budget) return true;
    const left = this.#left.get(budget)!;
    this.#left.set(budget, left - 1);
    return left > 0;
  }
}
