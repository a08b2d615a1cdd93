// Mirrors `controller/statefulset/stateful_set_control.go, updateStatefulSet`.
import type { V1Pod } from "@xca/apimachinery/kubernetes-types";
import { keyOf, Pod, StatefulSet } from "@xca/apimachinery/meta";
import { ignoreNotFound, isAlreadyExists } from "../../client/errors/api_error.ts";
import { mergePatch } from "../../client/typed/patch.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import { isAvailable, isReady, isTerminal, type ReadPod } from "../pods/pod_state.ts";
import type { Revision } from "../workloads/controller_history.ts";
import { scaledValue } from "../workloads/scaled_value.ts";
import { createClaims, ownClaims } from "./volume_claims.ts";
import {
  firstOrdinal,
  hasIdentity,
  identityLabels,
  ordinalOf,
  type ReadStatefulSet,
  revisionOf,
  statefulPod,
} from "./stateful_pod.ts";

/** A place for a pod, by its ordinal. */
interface Place {
  readonly ordinal: number;
  /** The pod at the place; `undefined` until it is created. */
  readonly pod: ReadPod | undefined;
}

/** The state of a StatefulSet at the start of a run. */
export interface StatefulSetState {
  readonly set: ReadStatefulSet;
  /** The pods that the StatefulSet controls. */
  readonly pods: readonly ReadPod[];
  /** The revision that pods below the partition have. */
  readonly current: Revision;
  /** The revision of the template. */
  readonly update: Revision;
}

/** One reconcile run of a StatefulSet. */
export class StatefulSetRun {
  readonly #context: ReconcileContext;
  readonly #state: StatefulSetState;
  readonly #nowMs: number;
  /** Whether the pods are made and deleted one after the other. */
  readonly #inOrder: boolean;

  constructor(context: ReconcileContext, state: StatefulSetState) {
    this.#context = context;
    this.#state = state;
    this.#nowMs = context.clock.now().getTime();
    this.#inOrder = state.set.spec.podManagementPolicy !== "Parallel";
  }

  /** Brings the pods one step nearer to the spec. @throws {unknown} The first failure. */
  async step(): Promise<void> {
    const { wanted, surplus } = this.#places();
    if (!await this.#all(wanted, (place) => this.#fill(place))) return;
    for (const { ordinal, pod } of surplus) {
      await ownClaims(this.#context, this.#state.set, ordinal, pod!);
    }
    const unhealthy = [...wanted, ...surplus.toReversed()].find(({ pod }) => !this.#isHealthy(pod));
    if (!await this.#all(surplus, (place) => this.#empty(place, unhealthy))) return;
    if (this.#state.set.spec.updateStrategy?.type === "OnDelete") return;
    await this.#roll(wanted);
  }

  /** Returns the places that the spec asks for, and those with pods that it does not, highest first. */
  #places(): { readonly wanted: Place[]; readonly surplus: Place[] } {
    const { set, pods } = this.#state;
    const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod), pod]));
    const first = firstOrdinal(set);
    const last = first + (set.spec.replicas ?? 1) - 1;
    const wanted = Array.from({ length: last - first + 1 }, (_, index) => ({
      ordinal: first + index,
      pod: byOrdinal.get(first + index),
    }));
    const surplus = [...byOrdinal].flatMap(([ordinal, pod]) =>
      ordinal === undefined || ordinal >= first && ordinal <= last ? [] : [{ ordinal, pod }]
    );
    return { wanted, surplus: surplus.sort((a, b) => b.ordinal - a.ordinal) };
  }

  /**
   * Handles places one after the other until one says that the others must wait, or all at once if the
   * order does not count. Returns whether the run may go on.
   */
  async #all(
    places: readonly Place[],
    handle: (place: Place) => Promise<"next" | "wait">,
  ): Promise<boolean> {
    if (this.#inOrder) {
      for (const place of places) if (await handle(place) === "wait") return false;
      return true;
    }
    const outcomes = await Promise.allSettled(places.map(handle));
    const failed = outcomes.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
    return true;
  }

  async #fill({ ordinal, pod }: Place): Promise<"next" | "wait"> {
    const { set } = this.#state;
    if (!pod) {
      await this.#create(ordinal);
      return "wait";
    }
    if (isTerminal(pod)) {
      if (pod.metadata.deletionTimestamp === undefined) await this.#delete(pod);
      return "wait";
    }
    if (pod.status?.phase === "Pending") await createClaims(this.#context, set, ordinal);
    if (this.#inOrder && !this.#isHealthy(pod)) return "wait";
    const hasChanged = await ownClaims(this.#context, set, ordinal, pod);
    const matches = hasIdentity(set, pod, ordinal);
    if (!matches) {
      const labels = identityLabels(pod, ordinal);
      await this.#context.client.patch(Pod, keyOf(pod), mergePatch({ metadata: { labels } }));
    }
    if (hasChanged || !matches) this.#record("Update", pod);
    return "next";
  }

  async #empty({ pod }: Place, unhealthy: Place | undefined): Promise<"next" | "wait"> {
    if (pod!.metadata.deletionTimestamp !== undefined) return this.#inOrder ? "wait" : "next";
    const mayGo = this.#isHealthy(pod) || pod === unhealthy?.pod;
    if (this.#inOrder && !mayGo) return "wait";
    await this.#delete(pod!);
    return "wait";
  }

  /** Deletes pods of an old revision, the highest first, as far as `maxUnavailable` lets it. */
  async #roll(wanted: readonly Place[]): Promise<void> {
    const { set } = this.#state;
    const { partition = 0, maxUnavailable = 1 } = set.spec.updateStrategy?.rollingUpdate ?? {};
    const most = Math.max(1, scaledValue(maxUnavailable, wanted.length, "down"));
    const pods = wanted.map(({ pod }) => pod!);
    const unavailable = pods.filter((pod) => !this.#isHealthy(pod)).length;
    const outdated = pods.slice(partition).reverse().filter((pod) => this.#isOutdated(pod));
    const broken = this.#inOrder ? [] : outdated.filter((pod) => !this.#isHealthy(pod));
    if (unavailable >= most && broken.length === 0) return;
    for (const pod of broken) await this.#delete(pod);
    const others = outdated.filter((pod) => !broken.includes(pod));
    for (const pod of others.slice(0, Math.max(0, most - unavailable))) await this.#delete(pod);
  }

  #isOutdated(pod: ReadPod): boolean {
    return revisionOf(pod) !== this.#state.update.name &&
      pod.metadata.deletionTimestamp === undefined;
  }

  /** Reports whether a pod is available, and not being deleted. */
  #isHealthy(pod: ReadPod | undefined): boolean {
    if (!pod || pod.metadata.deletionTimestamp !== undefined) return false;
    const { minReadySeconds = 0 } = this.#state.set.spec;
    return isReady(pod) && isAvailable(pod, minReadySeconds, this.#nowMs);
  }

  async #create(ordinal: number): Promise<void> {
    const { set } = this.#state;
    const pod = statefulPod(set, this.#revisionFor(ordinal), ordinal);
    try {
      await createClaims(this.#context, set, ordinal);
      const created = await this.#context.client.create(Pod, pod);
      await ownClaims(this.#context, set, ordinal, created);
    } catch (error) {
      if (!isAlreadyExists(error)) this.#record("Create", pod, error);
      throw error;
    }
    this.#record("Create", pod);
  }

  /** Returns the revision of a new pod: pods below the partition keep the current one. */
  #revisionFor(ordinal: number): Revision {
    const { set, current, update } = this.#state;
    const { type = "RollingUpdate", rollingUpdate } = set.spec.updateStrategy ?? {};
    const kept = rollingUpdate ? rollingUpdate.partition ?? 0 : set.status?.currentReplicas ?? 0;
    const keeps = type === "RollingUpdate" && ordinal < firstOrdinal(set) + kept;
    return keeps ? current : update;
  }

  async #delete(pod: ReadPod): Promise<void> {
    try {
      await ignoreNotFound(this.#context.client.delete(Pod, keyOf(pod)));
    } catch (error) {
      this.#record("Delete", pod, error);
      throw error;
    }
    this.#record("Delete", pod);
  }

  #record(
    verb: "Create" | "Update" | "Delete",
    { metadata }: ReadPod | V1Pod,
    error?: unknown,
  ): void {
    const { set } = this.#state;
    const about = `${verb} Pod ${metadata.name} in StatefulSet ${set.metadata.name}`;
    const failure = error instanceof Error ? error.message : String(error);
    this.#context.events.record(
      StatefulSet,
      set,
      error === undefined
        ? { reason: `Successful${verb}`, note: `${about} successful` }
        : { type: "Warning", reason: `Failed${verb}`, note: `${about} failed error: ${failure}` },
    );
  }
}
