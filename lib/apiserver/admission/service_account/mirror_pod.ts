// Mirrors `serviceaccount/admission.go, Plugin.Validate`.
import { podSecretNames } from "@xca/apimachinery/internal/meta";
import type { PodOfAccount } from "./secret_references.ts";

const MIRROR = "kubernetes.io/config.mirror";

/** Reports whether a pod mirrors a static pod of a kubelet. */
export function isMirrorPod({ metadata }: PodOfAccount): boolean {
  return metadata.annotations?.[MIRROR] !== undefined;
}

/**
 * Returns the error message about a mirror pod that refers to a service account, a Secret or a
 * service account token; `undefined` if the pod refers to none.
 */
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
