// Mirrors `kubelet/active_deadline.go, activeDeadlineHandler`.
import type { ReadPod } from "../pods/pod_state.ts";

/** The reason and message in the status of a pod that has run until its active deadline. */
export const EXCEEDED = {
  reason: "DeadlineExceeded",
  message: "Pod was active on the node longer than the specified deadline",
} as const;

/**
 * Returns the time at which the kubelet stops a pod, in milliseconds since the epoch; `Infinity`
 * for a pod without an active deadline, or not started yet.
 */
export function deadlineMs({ spec, status }: ReadPod): number {
  const { activeDeadlineSeconds } = spec ?? {};
  if (activeDeadlineSeconds === undefined || status?.startTime === undefined) return Infinity;
  return Date.parse(status.startTime) + activeDeadlineSeconds * 1000;
}
