/**
 * As whom processes run.
 *
 * @module
 */
import { containersText, settersText, type Violation } from "../check.ts";
import type { CheckedPod } from "../pod_parts.ts";

/** Not as root; the pod or each container must say so. */
export function runAsNonRoot(pod: CheckedPod): Violation | undefined {
  const reason = "runAsNonRoot != true";
  const setters = settersText(pod, ({ runAsNonRoot }) => runAsNonRoot === false);
  if (setters !== "") {
    return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  }
  if (pod.spec.securityContext?.runAsNonRoot) return undefined;
  const silent = pod.containers.filter(({ securityContext }) =>
    securityContext?.runAsNonRoot === undefined
  );
  if (silent.length === 0) return undefined;
  return {
    reason,
    detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true`,
  };
}

/** Not as user 0. */
export function runAsUser(pod: CheckedPod): Violation | undefined {
  const setters = settersText(pod, ({ runAsUser }) => runAsUser === 0);
  if (setters === "") return undefined;
  return { reason: "runAsUser=0", detail: `${setters} must not set runAsUser=0` };
}
