// Mirrors `controller/statefulset/stateful_set_utils.go, newVersionedStatefulSetPod`.
import type {
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodTemplateSpec,
  V1StatefulSet,
  V1Volume,
} from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, StatefulSet } from "@xca/apimachinery/meta";
import { podOf } from "../pods/pod_control.ts";
import type { ReadPod } from "../pods/pod_state.ts";
import type { Revision } from "../workloads/controller_history.ts";

/** A deeply read-only StatefulSet. */
export type ReadStatefulSet = DeepReadonly<V1StatefulSet>;

/** The key of the label of a StatefulSet's pods with the name of the revision. */
const REVISION = "controller-revision-hash";
/** The key of the label of a StatefulSet's pods with the name of the pod. */
const POD_NAME = "statefulset.kubernetes.io/pod-name";
/** The key of the label of a StatefulSet's pods with the ordinal. */
const POD_INDEX = "apps.kubernetes.io/pod-index";

/** Returns the first ordinal of a StatefulSet, by default 0. */
export function firstOrdinal({ spec }: ReadStatefulSet): number {
  return spec.ordinals?.start ?? 0;
}

/** Returns the ordinal of a StatefulSet's pod; `undefined` for a pod with another kind of name. */
export function ordinalOf({ metadata }: ReadStatefulSet, pod: ReadPod): number | undefined {
  const name = pod.metadata.name ?? "";
  const prefix = `${metadata.name}-`;
  const text = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * Returns the name of the revision that a StatefulSet's pod was created from; `undefined` if the
 * pod lacks the label of the revision.
 */
export function revisionOf({ metadata }: ReadPod): string | undefined {
  return metadata.labels?.[REVISION];
}

/**
 * Returns the pod to create for an ordinal of a StatefulSet, from the pod template of a revision.
 */
export function statefulPod(
  set: ReadStatefulSet,
  { name: revision, template }: Revision,
  ordinal: number,
): V1Pod {
  const pod = podOf(
    { type: StatefulSet, object: set },
    template as DeepReadonly<V1PodTemplateSpec>,
  );
  const name = `${set.metadata.name}-${ordinal}`;
  delete pod.metadata.generateName;
  pod.metadata.name = name;
  pod.metadata.labels = {
    ...pod.metadata.labels,
    [POD_NAME]: name,
    [POD_INDEX]: String(ordinal),
    [REVISION]: revision,
  };
  const volumes = storageVolumes(set, pod, ordinal);
  pod.spec = {
    ...pod.spec!,
    hostname: name,
    ...(set.spec.serviceName && { subdomain: set.spec.serviceName }),
    ...(volumes.length > 0 && { volumes }),
  };
  return pod;
}

/** Reports whether a pod of a StatefulSet has the labels with its name and its ordinal. */
export function hasIdentity(pod: ReadPod, ordinal: number): boolean {
  const labels = pod.metadata.labels ?? {};
  return Object.entries(identityLabels(pod, ordinal)).every(([key, value]) =>
    labels[key] === value
  );
}

/**
 * Returns the volumes that a StatefulSet's pod with an ordinal should have: those of its volume
 * claims, and then the volumes of the pod with other names.
 */
export function storageVolumes(
  set: ReadStatefulSet,
  { spec }: ReadPod,
  ordinal: number,
): V1Volume[] {
  const claims = claimsOf(set, ordinal);
  const volumes = [...claims].map(([volume, claim]) => ({
    name: volume,
    persistentVolumeClaim: { claimName: claim.metadata.name! },
  }));
  const others = spec?.volumes?.filter((volume) => !claims.has(volume.name)) ?? [];
  return [...volumes, ...structuredClone(others) as V1Volume[]];
}

/**
 * Reports whether a pod of a StatefulSet has a volume for each volume claim that belongs to its
 * ordinal.
 */
export function hasStorage(set: ReadStatefulSet, pod: ReadPod, ordinal: number): boolean {
  return [...claimsOf(set, ordinal)].every(([name, claim]) =>
    pod.spec?.volumes?.some((volume) =>
      volume.name === name && volume.persistentVolumeClaim?.claimName === claim.metadata.name
    )
  );
}

/** Returns the two labels with the name and the ordinal that a StatefulSet's pod must have. */
export function identityLabels(pod: ReadPod, ordinal: number): Record<string, string> {
  return { [POD_NAME]: pod.metadata.name ?? "", [POD_INDEX]: String(ordinal) };
}

/**
 * Returns the volume claims that the StatefulSet's pod with an ordinal should have, by the names of
 * their templates.
 */
export function claimsOf(
  { metadata, spec }: ReadStatefulSet,
  ordinal: number,
): Map<string, V1PersistentVolumeClaim> {
  return new Map((spec.volumeClaimTemplates ?? []).map((template) => {
    const volume = template.metadata.name ?? "";
    const claim = structuredClone(template) as V1PersistentVolumeClaim;
    claim.metadata = {
      ...claim.metadata,
      name: `${volume}-${metadata.name}-${ordinal}`,
      ...(metadata.namespace && { namespace: metadata.namespace }),
      labels: { ...claim.metadata.labels, ...spec.selector.matchLabels },
    };
    delete claim.status;
    return [volume, claim];
  }));
}
