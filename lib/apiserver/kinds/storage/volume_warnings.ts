import { FieldPath } from "@xca/apimachinery/internal/errors";
import type { V1PersistentVolume } from "@xca/apimachinery/kubernetes-types";
import type { NodeTerm } from "../pods/scheduling/node_affinity.ts";
import { termWarnings } from "../pods/pod_warnings.ts";

const ANNOTATIONS = FieldPath.of("metadata", "annotations");
const SPEC = FieldPath.of("spec");

const DEPRECATED_ANNOTATIONS: Readonly<Record<string, string>> = {
  "volume.beta.kubernetes.io/storage-class":
    'deprecated since v1.8; use "storageClassName" attribute instead',
  "volume.beta.kubernetes.io/mount-options":
    'deprecated since v1.31; use "mountOptions" attribute instead',
};

/**
 * The deprecated volume sources of PersistentVolumes, each with its name in the API, its name in
 * the warning, and the text of the warning.
 */
const DEPRECATED_SOURCES = [
  ["cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"],
] as const;

const RECYCLE =
  "The Recycle reclaim policy is deprecated. Instead, the recommended approach is to " +
  "use dynamic provisioning.";

/**
 * Returns the warnings about a PersistentVolume (`api/persistentvolume/util.go`,
 * `GetWarningsForPersistentVolume`).
 */
export function volumeWarnings({ metadata, spec = {} }: V1PersistentVolume): string[] {
  const warnings: string[] = [];
  for (const [name, message] of Object.entries(DEPRECATED_ANNOTATIONS)) {
    if (metadata?.annotations?.[name] === undefined) continue;
    warnings.push(`${ANNOTATIONS.key(name)}: ${message}`);
  }
  if (spec.persistentVolumeReclaimPolicy === "Recycle") {
    warnings.push(`${SPEC.child("persistentVolumeReclaimPolicy")}: ${RECYCLE}`);
  }
  const terms = (spec.nodeAffinity?.required?.nodeSelectorTerms ?? []) as readonly NodeTerm[];
  const path = SPEC.child("nodeAffinity", "required", "nodeSelectorTerms");
  for (const [index, term] of terms.entries()) {
    warnings.push(...termWarnings(term, path.index(index), false));
  }
  for (const [field, shown, message] of DEPRECATED_SOURCES) {
    if (spec[field]) warnings.push(`${SPEC.child(shown)}: ${message}`);
  }
  return warnings;
}
