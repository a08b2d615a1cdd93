// Mirrors `policy/check_restrictedVolumes.go, CheckRestrictedVolumes` and `policy/check_sysctls.go,
// CheckSysctls`.
import { plural, type PodCheck, quoted, sorted, type Violation } from "../check.ts";
import type { CheckedPod, PodSpec } from "../pod_parts.ts";

type Volume = NonNullable<PodSpec["volumes"]>[number];

const ALLOWED_VOLUMES = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
] as const satisfies readonly (keyof Volume)[];

/**
 * The volume types that the restricted pod security standard forbids, in the order of
 * kube-apiserver's checks.
 */
const OTHER_VOLUMES = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "gitRepo",
  "nfs",
  "iscsi",
  "glusterfs",
  "rbd",
  "flexVolume",
  "cinder",
  "cephfs",
  "flocker",
  "fc",
  "azureFile",
  "vsphereVolume",
  "quobyte",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "storageos",
] as const satisfies readonly (keyof Volume)[];

/**
 * Returns the pod security violation of a pod with volumes of other types than the restricted
 * standard allows; `undefined` if the pod has none.
 */
export function restrictedVolumes({ spec }: CheckedPod): Violation | undefined {
  const bad = (spec.volumes ?? []).filter((volume) =>
    !ALLOWED_VOLUMES.some((source) => volume[source])
  );
  if (bad.length === 0) return undefined;
  const types = sorted(
    bad.map((volume) => OTHER_VOLUMES.find((source) => volume[source]) ?? "unknown"),
  );
  return {
    reason: "restricted volume types",
    detail: `${plural(bad.length, "volume")} ${quoted(bad.map(({ name }) => name))} ` +
      `${plural(bad.length, "uses", "use")} ${plural(types.length, "restricted volume type")} ` +
      quoted(types),
  };
}

/** Returns a pod security check that forbids all sysctls but the allowed ones. */
export function sysctls(...allowed: readonly string[]): PodCheck {
  return ({ spec }) => {
    const forbidden = (spec.securityContext?.sysctls ?? [])
      .map(({ name }) => name)
      .filter((name) => !allowed.includes(name));
    if (forbidden.length === 0) return undefined;
    return { reason: "forbidden sysctls", detail: forbidden.join(", ") };
  };
}
