/**
 * Pod security checks of the user that a pod's processes run as. Mirrors
 * `policy/check_runAsNonRoot.go, CheckRunAsNonRoot` and `policy/check_runAsUser.go,
 * CheckRunAsUser`.
 *
 * @module
 */
import { containersText, settersText, type Violation } from "../check.ts";
import type { CheckedPod } from "../pod_parts.ts";

/**
 * Returns the pod security violation of a pod that sets `runAsNonRoot: false`, or sets
 * `runAsNonRoot: true` neither for the pod nor for each container; `undefined` if there is no
 * violation.
 */
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

/**
 * Returns the pod security violation of a pod that sets `runAsUser: 0` for the pod or a container;
 * `undefined` if there is no violation.
 */
export function runAsUser(pod: CheckedPod): Violation | undefined {
  const setters = settersText(pod, ({ runAsUser }) => runAsUser === 0);
  if (setters === "") return undefined;
  return { reason: "runAsUser=0", detail: `${setters} must not set runAsUser=0` };
}
