// Mirrors `controller/statefulset/stateful_set_control.go, updateStatefulSet`.
import type { V1Pod } from "@xca/apimachinery/kubernetes-types";
import { keyOf, Pod, StatefulSet } from "@xca/apimachinery/meta";
import { ignoreNotFound, isAlreadyExists, isConflict } from "../../client/errors/api_error.ts";
import { mergePatch } from "../../client/typed/patch.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import { isAvailable, isReady, isTerminal, type ReadPod } from "../pods/pod_state.ts";
import type { Revision } from "../workloads/controller_history.ts";
import { scaledValue } from "../workloads/scaled_value.ts";
import { createClaims, ownClaims } from "./volume_claims.ts";
import {
  firstOrdinal,
  hasIdentity,
  hasStorage,
  identityLabels,
  ordinalOf,
  type ReadStatefulSet,
  revisionOf,
  statefulPod,
  storageVolumes,
} from "./stateful_pod.ts";

/** An ordinal of a StatefulSet, with its pod. */
interface Place {
  readonly ordinal: number;
  /** The pod of the ordinal; `undefined` until it is created. */
  readonly pod: ReadPod | undefined;
}

/** The state of a StatefulSet at the start of a reconcile run. */
export interface StatefulSetState {
  readonly set: ReadStatefulSet;
  /** The pods that the StatefulSet controls. */
  readonly pods: readonly ReadPod[];
  /**
   * The revision that the StatefulSet had before its rolling update; pods below the partition keep
   * it. Without a rolling update it is the same as `update`.
   */
  readonly current: Revision;
  /** The revision of the StatefulSet's present pod template. */
  readonly update: Revision;
}

/** A reconcile run of one StatefulSet. */
export class StatefulSetRun {
  readonly #context: ReconcileContext;
  readonly #state: StatefulSetState;
  readonly #nowMs: number;
  /**
   * Reports whether the pods are created and deleted one at a time (`podManagementPolicy:
   * OrderedReady`).
   */
  readonly #inOrder: boolean;

  constructor(context: ReconcileContext, state: StatefulSetState) {
    this.#context = context;
    this.#state = state;
    this.#nowMs = context.clock.now().getTime();
    this.#inOrder = state.set.spec.podManagementPolicy !== "Parallel";
  }

  /**
   * Makes the next change that brings the pods of the StatefulSet closer to its spec; with parallel
   * pod management, all changes that do not wait for others.
   *
   * @throws {unknown} The first failure.
   */
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

  /**
   * Returns the ordinals of the StatefulSet's desired pods, the lowest first, and the surplus
   * ordinals that have pods, the highest first.
   */
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
   * Calls a function for the given ordinals of the StatefulSet, one after the other until one must
   * wait for its pod; with parallel pod management, for all at once. Returns whether the reconcile
   * run may continue.
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
    await this.#update(pod, ordinal);
    return "next";
  }

  /**
   * Corrects the identity labels and the volumes of a pod, and the owners of its volume claims. The
   * API server refuses changed volumes, which only an adopted pod can have. Emits an event about
   * the change, or about the failure to write the pod, which is thrown; a conflict is thrown
   * without an event.
   */
  async #update(pod: ReadPod, ordinal: number): Promise<void> {
    const { set } = this.#state;
    const { client } = this.#context;
    const { uid, resourceVersion } = pod.metadata;
    const labels = hasIdentity(pod, ordinal) ? undefined : identityLabels(pod, ordinal);
    const volumes = hasStorage(set, pod, ordinal) ? undefined : storageVolumes(set, pod, ordinal);
    if (volumes) await createClaims(this.#context, set, ordinal);
    const hasChanged = await ownClaims(this.#context, set, ordinal, pod);
    if (!hasChanged && !labels && !volumes) return;
    const metadata = { uid, resourceVersion, ...(labels && { labels }) };
    const change = { metadata, ...(volumes && { spec: { volumes } }) };
    try {
      if (labels || volumes) await client.patch(Pod, keyOf(pod), mergePatch<V1Pod>(change));
    } catch (error) {
      if (!isConflict(error)) this.#record("Update", pod, error);
      throw error;
    }
    this.#record("Update", pod);
  }

  async #empty({ pod }: Place, unhealthy: Place | undefined): Promise<"next" | "wait"> {
    if (pod!.metadata.deletionTimestamp !== undefined) return this.#inOrder ? "wait" : "next";
    const mayGo = this.#isHealthy(pod) || pod === unhealthy?.pod;
    if (this.#inOrder && !mayGo) return "wait";
    await this.#delete(pod!);
    return "wait";
  }

  /**
   * Deletes pods of the StatefulSet's old revision from the partition on, the highest ordinal
   * first, within `maxUnavailable`. With parallel pod management, the unhealthy ones among these
   * pods are all deleted, whatever `maxUnavailable` is.
   */
  async #roll(wanted: readonly Place[]): Promise<void> {
    const { set } = this.#state;
    const { partition = 0, maxUnavailable = 1 } = set.spec.updateStrategy?.rollingUpdate ?? {};
    const most = Math.max(1, scaledValue(maxUnavailable, wanted.length, "down"));
    const unavailable = wanted.filter(({ pod }) => !this.#isHealthy(pod)).length;
    const outdated = wanted.slice(partition).toReversed().flatMap(({ pod }) =>
      pod && this.#isOutdated(pod) ? [pod] : []
    );
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

  /** Reports whether a pod of the StatefulSet is available and not being deleted. */
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

  /**
   * Returns the revision for a new pod. With rolling updates, an ordinal below the partition gets
   * the current revision; without `rollingUpdate`, as many ordinals as the status counts pods of
   * the current revision. All others get the update revision.
   */
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
