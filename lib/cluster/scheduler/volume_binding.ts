// Mirrors `scheduler/framework/plugins/volumebinding/volume_binding.go, VolumeBinding` and
// `scheduler/framework/plugins/volumebinding/binder.go, volumeBinder`.
import { compareQuantities } from "@xca/apimachinery/internal/values";
import { formatKey } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";
import {
  annotationOf,
  BIND_COMPLETED,
  classOf,
  isDelayed,
  NO_PROVISIONER,
  type ReadClaim,
  type ReadClass,
  type ReadVolume,
  SELECTED_NODE,
} from "../volumes/claim_facts.ts";
import { matchingVolume, requestedSize } from "../volumes/matching_volume.ts";
import { foreignClaim, podClaims } from "../volumes/pod_claims.ts";
import type { NodeInfo } from "./node_info.ts";
import { matchesTerm } from "./node_selection.ts";

/**
 * The PersistentVolumeClaims, PersistentVolumes and StorageClasses of a cluster, as cached at the
 * start of a scheduling cycle.
 */
export interface VolumeFacts {
  /** The PersistentVolumeClaims of the cluster, by key. */
  readonly claims: ReadonlyMap<string, ReadClaim>;
  /** The PersistentVolumes of the cluster, by name. */
  readonly volumes: ReadonlyMap<string, ReadVolume>;
  /** The StorageClasses of the cluster, by name. */
  readonly classes: ReadonlyMap<string, ReadClass>;
  /**
   * The names of the volumes that were chosen for claims of other pods in the same scheduling
   * cycle.
   */
  readonly reserved: Set<string>;
}

/** The writes by which the PersistentVolumeClaims of a pod are bound to volumes for a node. */
export interface ClaimBindings {
  /**
   * The existing volumes to reserve for a node, with the claims of the pod that they are reserved
   * for.
   */
  readonly reserve: readonly (readonly [ReadVolume, ReadClaim])[];
  /** The claims of the pod whose volume is to be provisioned for the node. */
  readonly provision: readonly ReadClaim[];
}

/** The decision on the volumes of a pod for one node. */
export interface NodeVolumes {
  /** The reason why a claim of the pod rejects the node; absent if none does. */
  readonly problem?: string;
  readonly bindings: ClaimBindings;
}

/** The PersistentVolumeClaims of one pod during a scheduling cycle. */
export class VolumeBinding {
  /** The reason why the claims of the pod reject every node; `undefined` if they do not. */
  readonly problem: string | undefined;
  readonly #facts: VolumeFacts;
  readonly #bound: ReadVolume[] = [];
  readonly #delayed: ReadClaim[] = [];
  #missing = false;

  constructor(pod: ReadPod, facts: VolumeFacts) {
    this.#facts = facts;
    this.problem = this.#sort(pod);
  }

  /**
   * The name of the node that was chosen in an earlier cycle and for which the pod's claims are
   * being provisioned; `undefined` if there is none.
   */
  get selectedNode(): string | undefined {
    return this.#delayed.map((claim) => annotationOf(claim, SELECTED_NODE))
      .find((node) => node !== undefined);
  }

  /**
   * Returns the bindings by which the claims of the pod get volumes that are usable on a node, or
   * the reason why the claims reject the node, with empty bindings.
   */
  on(node: NodeInfo): NodeVolumes {
    const refused = (problem: string): NodeVolumes => ({
      problem,
      bindings: { reserve: [], provision: [] },
    });
    if (this.#missing) {
      return refused("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");
    }
    if (!this.#bound.every((volume) => isReachable(volume, node))) {
      return refused("node(s) didn't match PersistentVolume's node affinity");
    }
    const reserve: [ReadVolume, ReadClaim][] = [];
    const provision: ReadClaim[] = [];
    const excluded = new Set(this.#facts.reserved);
    const all = [...this.#facts.volumes.values()];
    const bySize = this.#delayed.toSorted((a, b) =>
      compareQuantities(requestedSize(a), requestedSize(b))
    );
    for (const claim of bySize) {
      const volume = annotationOf(claim, SELECTED_NODE) === undefined
        ? matchingVolume(claim, all, { excluded, isReachable: (each) => isReachable(each, node) })
        : undefined;
      if (volume) {
        excluded.add(volume.metadata.name ?? "");
        reserve.push([volume, claim]);
      } else if (this.#canProvision(claim, node)) provision.push(claim);
      else return refused("node(s) didn't find available persistent volumes to bind");
    }
    return { bindings: { reserve, provision } };
  }

  /**
   * Groups the claims of the pod by their state. Returns the reason why the claims reject every
   * node; `undefined` if they do not.
   */
  #sort(pod: ReadPod): string | undefined {
    let immediate = false;
    for (const { name, ephemeral } of podClaims(pod)) {
      const key = formatKey({ namespace: pod.metadata.namespace ?? "", name });
      const claim = this.#facts.claims.get(key);
      const quoted = JSON.stringify(name);
      if (!claim) {
        return ephemeral
          ? `waiting for ephemeral volume controller to create the persistentvolumeclaim ${quoted}`
          : `persistentvolumeclaim ${quoted} not found`;
      }
      const { volumeName = "" } = claim.spec ?? {};
      if (claim.status?.phase === "Lost") {
        const volume = JSON.stringify(volumeName);
        return `persistentvolumeclaim ${quoted} bound to non-existent persistentvolume ${volume}`;
      }
      if (claim.metadata.deletionTimestamp !== undefined) {
        return `persistentvolumeclaim ${quoted} is being deleted`;
      }
      const foreign = ephemeral ? foreignClaim(pod, claim) : undefined;
      if (foreign !== undefined) return foreign;
      if (volumeName !== "" && annotationOf(claim, BIND_COMPLETED) !== undefined) {
        const volume = this.#facts.volumes.get(volumeName);
        if (volume) this.#bound.push(volume);
        else this.#missing = true;
      } else if (volumeName === "" && isDelayed(this.#facts.classes.get(classOf(claim)))) {
        this.#delayed.push(claim);
      } else immediate = true;
    }
    return immediate ? "pod has unbound immediate PersistentVolumeClaims" : undefined;
  }

  #canProvision(claim: ReadClaim, { labels }: NodeInfo): boolean {
    const ownClass = this.#facts.classes.get(classOf(claim));
    if (!ownClass?.provisioner || ownClass.provisioner === NO_PROVISIONER) return false;
    const terms = ownClass.allowedTopologies ?? [];
    return terms.length === 0 ||
      terms.some(({ matchLabelExpressions = [] }) =>
        matchLabelExpressions.every(({ key, values }) => values.includes(labels[key] ?? ""))
      );
  }
}

/** Reports whether the node affinity of a volume permits its use on a node. */
function isReachable({ spec }: ReadVolume, node: NodeInfo): boolean {
  const { required } = spec?.nodeAffinity ?? {};
  return required === undefined ||
    required.nodeSelectorTerms.some((term) => matchesTerm(term, node));
}
