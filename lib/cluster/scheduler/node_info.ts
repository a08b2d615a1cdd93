// Mirrors `scheduler/framework/types.go, NodeInfo`.
import type { V1Node } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";
import { addAmounts, type Amounts, amountsOf, requestsOf, scoredRequestsOf } from "./requests.ts";

/**
 * A node and its pods in the scheduler's view, including pods that were assigned in the present
 * cycle.
 */
export class NodeInfo {
  readonly node: DeepReadonly<V1Node>;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /**
   * The total resources of the node for pods (`status.allocatable`), whether or not pods request
   * them.
   */
  readonly allocatable: Amounts;
  /** The resources that the pods of the node request. */
  readonly requested: Amounts = new Map();
  /**
   * The CPU and memory that the pods of the node request, with a default amount of each for every
   * container that does not request it.
   */
  readonly scored: Amounts = new Map();
  readonly #pods = new Map<string, ReadPod>();
  readonly #podsWithAffinity = new Map<string, ReadPod>();

  constructor(node: DeepReadonly<V1Node>) {
    this.node = node;
    this.name = node.metadata.name ?? "";
    this.labels = node.metadata.labels ?? {};
    this.allocatable = amountsOf(node.status?.allocatable);
  }

  /** The pods of the node that have not terminated. */
  get pods(): Iterable<ReadPod> {
    return this.#pods.values();
  }

  /** The pods of the node that have an affinity or anti-affinity to other pods. */
  get podsWithAffinity(): Iterable<ReadPod> {
    return this.#podsWithAffinity.values();
  }

  /** The number of pods of the node that have not terminated. */
  get podCount(): number {
    return this.#pods.size;
  }

  /** Adds a pod that has not terminated to the pods and requested resources of the node. */
  add(pod: ReadPod): void {
    const { uid = "" } = pod.metadata;
    this.#pods.set(uid, pod);
    const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
    if (podAffinity || podAntiAffinity) this.#podsWithAffinity.set(uid, pod);
    addAmounts(this.requested, requestsOf(pod));
    addAmounts(this.scored, scoredRequestsOf(pod));
  }

  /** Removes a pod from the pods and requested resources of the node. */
  remove(pod: ReadPod): void {
    const { uid = "" } = pod.metadata;
    this.#podsWithAffinity.delete(uid);
    if (this.#pods.delete(uid)) {
      addAmounts(this.requested, requestsOf(pod), -1);
      addAmounts(this.scored, scoredRequestsOf(pod), -1);
    }
  }
}
