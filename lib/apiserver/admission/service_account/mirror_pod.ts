// Mirrors `serviceaccount/admission.go, Plugin.Validate`.
import { podSecretNames } from "@xca/apimachinery/internal/meta";
import type { PodOfAccount } from "./secret_references.ts";

const MIRROR = "kubernetes.io/config.mirror";

/** Reports whether a pod mirrors a static pod of a kubelet. */
export function isMirrorPod({ metadata }: PodOfAccount): boolean {
  return metadata.annotations?.[MIRROR] !== undefined;
}

/** Returns why a mirror pod is refused; `undefined` if it refers to no account, Secret or token. */
export function mirrorPodProblem(pod: PodOfAccount): string | undefined {
  const { serviceAccountName, volumes = [] } = pod.spec ?? {};
  if (serviceAccountName) return "a mirror pod may not reference service accounts";
  if (podSecretNames(pod).length > 0) return "a mirror pod may not reference secrets";
  const sources = volumes.flatMap(({ projected }) => projected?.sources ?? []);
  if (sources.some(({ serviceAccountToken }) => serviceAccountToken)) {
    return "a mirror pod may not use ServiceAccountToken volume projections";
  }
  return undefined;
}
