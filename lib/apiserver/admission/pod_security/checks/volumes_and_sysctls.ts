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

/** In the order in which they are looked for. */
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

/** No volumes but those that a cluster's own objects describe. */
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

/** No parameters of the kernel but those that concern nobody else. */
export function sysctls(...allowed: readonly string[]): PodCheck {
  return ({ spec }) => {
    const forbidden = (spec.securityContext?.sysctls ?? [])
      .map(({ name }) => name)
      .filter((name) => !allowed.includes(name));
    if (forbidden.length === 0) return undefined;
    return { reason: "forbidden sysctls", detail: forbidden.join(", ") };
  };
}
