// Mirrors `kubelet/status/status_manager.go, TerminatePod`.
import type { V1PodStatus } from "@xca/apimachinery/kubernetes-types";
import { formatTime } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";
import { podConditions } from "./pod_conditions.ts";

/** The exit code of a container that SIGTERM has ended. */
const TERMINATED = 143;

/**
 * Returns the status of a pod whose containers the kubelet has stopped: the phase is `Failed`, and
 * containers that had not terminated exit with code 143. Init and ephemeral containers that were
 * not running remain as they are.
 */
export function stoppedStatus(pod: ReadPod, nowMs: number): V1PodStatus {
  const finishedAt = formatTime(new Date(nowMs));
  const status = structuredClone(pod.status ?? {}) as V1PodStatus;
  status.phase = "Failed";
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } =
    status;
  const started = [...initContainerStatuses, ...ephemeralContainerStatuses]
    .filter(({ state }) => state?.running);
  for (const container of [...containerStatuses, ...started]) {
    const { running, terminated } = container.state ?? {};
    if (terminated) continue;
    const startedAt = running?.startedAt ?? finishedAt;
    container.ready = false;
    container.started = false;
    container.state = {
      terminated: { exitCode: TERMINATED, reason: "Error", startedAt, finishedAt },
    };
  }
  status.conditions = podConditions(pod, status, finishedAt);
  return status;
}
