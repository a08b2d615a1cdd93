// Mirrors `kubelet/kuberuntime/kuberuntime_manager.go, SyncPod` and `doBackOff`.
import type {
  V1Container,
  V1ContainerState,
  V1ContainerStatus,
} from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, formatTime } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";
import type { ContainerScript } from "./container_script.ts";

/** The back-off before the second restart of a container, in milliseconds. */
const FIRST_BACKOFF_MS = 10_000;
/** The longest back-off before a restart of a container, in milliseconds. */
const LONGEST_BACKOFF_MS = 300_000;
/** The exit code of a container that was killed by SIGKILL. */
const KILLED = 137;

/** The type, reason and note of an event that the kubelet records about a pod. */
export interface PodEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly note: string;
}

/** The facts that decide the next state of a simulated container. */
export interface ContainerFacts {
  readonly pod: ReadPod;
  readonly container: DeepReadonly<V1Container>;
  readonly script: ContainerScript;
  readonly nowMs: number;
  /**
   * The time from which the container could start, and at which its image pull begins, in
   * milliseconds since the epoch.
   */
  readonly sinceMs: number;
  /** Reports whether the container is restarted after an exit with the given code. */
  readonly restarts: (exitCode: number) => boolean;
}

/** The state of a simulated container, its events, and the time until the next state. */
export interface ContainerStep {
  readonly status: V1ContainerStatus;
  readonly events: readonly PodEvent[];
  /**
   * The time from now until the container's state next changes by its script or back-off, in
   * milliseconds; absent if it does not.
   */
  readonly waitMs?: number;
}

/** Returns the next state of a simulated container, given its present state in the pod's status. */
export function stepContainer(
  facts: ContainerFacts,
  status: DeepReadonly<V1ContainerStatus> | undefined,
): ContainerStep {
  const { container, script, nowMs } = facts;
  const events: PodEvent[] = [];
  let current = (status ?? newStatus(container)) as V1ContainerStatus;
  for (;;) {
    const { running, terminated, waiting } = current.state ?? {};
    if (running) {
      const startedMs = Date.parse(running.startedAt ?? "");
      const endMs = startedMs + (script.runMs ?? Infinity);
      if (endMs > nowMs) return ready(facts, current, events, startedMs, endMs);
      current = exited(facts, current, running.startedAt ?? "", endMs);
      continue;
    }
    const last = terminated ?? current.lastState?.terminated;
    if (!last) return first(facts, current, events) ?? started(facts, current, events);
    if (!facts.restarts(last.exitCode)) return { status: current, events };
    const pauseMs = backoffMs(current.restartCount, last);
    const restartMs = Date.parse(last.finishedAt ?? "") + pauseMs;
    if (restartMs <= nowMs) return started(facts, current, events);
    const waitMs = restartMs - nowMs;
    if (waiting) return { status: current, events, waitMs };
    events.push(backedOff(facts));
    return { status: backingOff(facts, current, pauseMs), events, waitMs };
  }
}

/**
 * Returns the status of a simulated container that has not started, which waits for the given
 * reason.
 */
export function newStatus(
  { name, image = "" }: DeepReadonly<V1Container>,
  reason = "ContainerCreating",
): V1ContainerStatus {
  return {
    name,
    image,
    imageID: "",
    ready: false,
    started: false,
    restartCount: 0,
    state: { waiting: { reason } },
  };
}

/**
 * Returns the step of a container whose image is being pulled or is missing; `undefined` once the
 * image is present.
 */
function first(
  facts: ContainerFacts,
  current: V1ContainerStatus,
  events: PodEvent[],
): ContainerStep | undefined {
  const { script: { image: kept, pullMs = 0 }, container, sinceMs, nowMs } = facts;
  const image = JSON.stringify(container.image);
  const { reason } = current.state?.waiting ?? {};
  if (kept === "missing") {
    if (reason === "ImagePullBackOff") return { status: current, events };
    const cause = `failed to pull image ${image}: not found`;
    events.push({ type: "Normal", reason: "Pulling", note: `Pulling image ${image}` });
    events.push({
      type: "Warning",
      reason: "Failed",
      note: `Failed to pull image ${image}: ${cause}`,
    });
    events.push({ type: "Warning", reason: "Failed", note: "Error: ErrImagePull" });
    const message = `Back-off pulling image ${image}: ErrImagePull: ${cause}`;
    const state = { waiting: { reason: "ImagePullBackOff", message } };
    return { status: { ...current, state }, events };
  }
  const pulledMs = sinceMs + pullMs;
  if (pulledMs <= nowMs) return undefined;
  return { status: current, events, waitMs: pulledMs - nowMs };
}

/** Returns the step that starts or restarts a simulated container. */
function started(
  facts: ContainerFacts,
  current: V1ContainerStatus,
  events: PodEvent[],
): ContainerStep {
  const { container: { name, image = "" }, pod, nowMs } = facts;
  const last = current.state?.terminated ?? current.lastState?.terminated;
  const restartCount = last ? current.restartCount + 1 : current.restartCount;
  events.push({
    type: "Normal",
    reason: "Pulled",
    note: `Container image ${JSON.stringify(image)} already present on machine`,
  });
  events.push({ type: "Normal", reason: "Created", note: `Container created` });
  events.push({ type: "Normal", reason: "Started", note: `Container started` });
  const status: V1ContainerStatus = {
    ...current,
    image,
    imageID: `pretended://${image}`,
    containerID: `pretended://${pod.metadata.uid}/${name}/${restartCount}`,
    restartCount,
    started: true,
    state: { running: { startedAt: formatTime(new Date(nowMs)) } },
    ...(last && { lastState: { terminated: last } }),
  };
  const next = stepContainer(facts, status);
  return { ...next, events: [...events, ...next.events] };
}

/**
 * Returns the step of a running simulated container: its readiness, and the time of its next
 * change.
 */
function ready(
  { script: { readyAfterMs = 0 }, nowMs }: ContainerFacts,
  current: V1ContainerStatus,
  events: readonly PodEvent[],
  startedMs: number,
  endMs: number,
): ContainerStep {
  const readyMs = readyAfterMs === "never" ? Infinity : startedMs + readyAfterMs;
  const isReady = readyMs <= nowMs;
  const nextMs = Math.min(endMs, isReady ? Infinity : readyMs) - nowMs;
  return {
    status: current.ready === isReady ? current : { ...current, ready: isReady },
    events,
    ...(Number.isFinite(nextMs) && { waitMs: nextMs }),
  };
}

function exited(
  { script }: ContainerFacts,
  current: V1ContainerStatus,
  startedAt: string,
  endMs: number,
): V1ContainerStatus {
  const exitCode = script.exitCode ?? (script.outOfMemory ? KILLED : 0);
  const reason = script.outOfMemory ? "OOMKilled" : exitCode === 0 ? "Completed" : "Error";
  const { containerID } = current;
  const terminated = {
    exitCode,
    reason,
    startedAt,
    finishedAt: formatTime(new Date(endMs)),
    ...(containerID && { containerID }),
  };
  return { ...current, ready: false, started: false, state: { terminated } };
}

function backingOff(
  facts: ContainerFacts,
  current: V1ContainerStatus,
  pauseMs: number,
): V1ContainerStatus {
  const { pod: { metadata }, container } = facts;
  const { name, namespace, uid } = metadata;
  const terminated = current.state?.terminated;
  const message =
    `back-off ${durationText(pauseMs)} restarting failed container=${container.name} ` +
    `pod=${name}_${namespace}(${uid})`;
  const state: V1ContainerState = { waiting: { reason: "CrashLoopBackOff", message } };
  return {
    ...current,
    ready: false,
    started: false,
    state,
    ...(terminated && { lastState: { terminated } }),
  };
}

function backedOff({ pod: { metadata }, container }: ContainerFacts): PodEvent {
  const { name, namespace, uid } = metadata;
  const note = `Back-off restarting failed container ${container.name} in pod ` +
    `${name}_${namespace}(${uid})`;
  return { type: "Warning", reason: "BackOff", note };
}

/**
 * Returns the back-off between the exit of a container and its restart, in milliseconds: 0 before
 * the first restart, then 10 seconds, doubled each time up to five minutes; 0 after a run of more
 * than ten minutes.
 */
function backoffMs(
  restartCount: number,
  { startedAt = "", finishedAt = "" }: NonNullable<V1ContainerState["terminated"]>,
): number {
  const ranMs = Date.parse(finishedAt) - Date.parse(startedAt);
  if (restartCount === 0 || ranMs > 2 * LONGEST_BACKOFF_MS) return 0;
  return Math.min(FIRST_BACKOFF_MS * 2 ** (restartCount - 1), LONGEST_BACKOFF_MS);
}

/** Returns a duration in milliseconds as the text that Go prints, such as `2m40s`. */
function durationText(ms: number): string {
  const seconds = ms / 1000;
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
