// Mirrors `printers/internalversion/printers.go, printStorageClass` and its siblings.
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { CellsByKind, Tree } from "../cell_text.ts";

const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
const DEFAULT_ANNOTATIONS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

/**
 * The functions that return the table cells of kinds about storage, such as StorageClass, by kind.
 */
export const STORAGE_CELLS: CellsByKind = {
  PersistentVolume: ({ metadata, spec, status }, age) => [
    metadata.name,
    spec.capacity?.storage ?? "0",
    modesText(spec.accessModes),
    spec.persistentVolumeReclaimPolicy ?? "",
    metadata.deletionTimestamp ? "Terminating" : status?.phase ?? "",
    spec.claimRef ? `${spec.claimRef.namespace ?? ""}/${spec.claimRef.name ?? ""}` : "",
    metadata.annotations?.[CLASS_ANNOTATION] ?? spec.storageClassName ?? "",
    spec.volumeAttributesClassName ?? "<unset>",
    status?.reason ?? "",
    age(metadata.creationTimestamp),
    spec.volumeMode ?? "<unset>",
  ],
  PersistentVolumeClaim: ({ metadata, spec, status }, age) => [
    metadata.name,
    metadata.deletionTimestamp ? "Terminating" : status?.phase ?? "",
    spec.volumeName ?? "",
    spec.volumeName ? status?.capacity?.storage ?? "0" : "",
    spec.volumeName ? modesText(status?.accessModes) : "",
    metadata.annotations?.[CLASS_ANNOTATION] ?? spec.storageClassName ?? "",
    spec.volumeAttributesClassName ?? "<unset>",
    age(metadata.creationTimestamp),
    spec.volumeMode ?? "<unset>",
  ],
  "StorageClass.storage.k8s.io": (storageClass, age) => [
    storageClass.metadata.name,
    storageClass.provisioner ?? "",
    storageClass.reclaimPolicy ?? "Delete",
    storageClass.volumeBindingMode ?? "Immediate",
    storageClass.allowVolumeExpansion ?? false,
    age(storageClass.metadata.creationTimestamp),
  ],
  "VolumeAttributesClass.storage.k8s.io": ({ metadata, driverName }, age) => [
    metadata.name,
    driverName ?? "",
    age(metadata.creationTimestamp),
  ],
  "VolumeAttachment.storage.k8s.io": ({ metadata, spec, status }, age) => [
    metadata.name,
    spec.attacher ?? "",
    spec.source?.persistentVolumeName ?? "",
    spec.nodeName ?? "",
    status?.attached ?? false,
    age(metadata.creationTimestamp),
  ],
  "CSINode.storage.k8s.io": ({ metadata, spec }, age) => [
    metadata.name,
    spec.drivers?.length ?? 0,
    age(metadata.creationTimestamp),
  ],
  "CSIDriver.storage.k8s.io": ({ metadata, spec }, age) => [
    metadata.name,
    spec.attachRequired ?? true,
    spec.podInfoOnMount ?? false,
    spec.storageCapacity ?? false,
    spec.tokenRequests?.map(({ audience }: Tree) => audience).join(",") ?? "<unset>",
    spec.requiresRepublish ?? false,
    spec.volumeLifecycleModes?.join(",") || "<none>",
    age(metadata.creationTimestamp),
  ],
};

const MODES: readonly (readonly [mode: string, short: string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

function modesText(modes: readonly string[] = []): string {
  return MODES.filter(([mode]) => modes.includes(mode)).map(([, short]) => short).join(",");
}

/**
 * Returns the name of the StorageClass that is in effect as the default among those of a list: the
 * newest of those marked as the default (`printers.go, getEffectiveDefaultStorageClass`). Returns
 * `undefined` if none is marked.
 */
export function defaultStorageClass(classes: readonly ApiObject[]): string | undefined {
  const [first] = classes.filter(isDefault).sort(byAge);
  return first?.metadata.name;
}

function isDefault({ metadata }: ApiObject): boolean {
  return DEFAULT_ANNOTATIONS.some((name) => metadata.annotations?.[name] === "true");
}

/** Orders objects by their creation times, the newest first, and objects of equal times by name. */
function byAge({ metadata: a }: ApiObject, { metadata: b }: ApiObject): number {
  const [timeA = "", timeB = ""] = [a.creationTimestamp, b.creationTimestamp];
  if (timeA !== timeB) return timeA > timeB ? -1 : 1;
  return (a.name ?? "") < (b.name ?? "") ? -1 : 1;
}
