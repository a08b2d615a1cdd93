// Mirrors `kubelet/kubelet_pods.go, getPhase` and `kubelet/kuberuntime/kuberuntime_manager.go, SyncPod`.
import type {
  V1Container,
  V1ContainerStatus,
  V1PodStatus,
} from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, formatTime } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";
import type { ScriptOf } from "./pod_scripts.ts";
import { newStatus, type PodEvent, stepContainer } from "./container_step.ts";
import { podConditions } from "./pod_conditions.ts";

/** The IP addresses of a pod and of its node. */
export interface PodAddresses {
  readonly hostIP: string;
  readonly podIP: string;
}

/** The next status of a simulated pod, its events, and the time until the next change. */
export interface PodStep {
  readonly status: V1PodStatus;
  readonly events: readonly PodEvent[];
  /**
   * The time from now until the pod's status next changes by a script or a back-off, in
   * milliseconds; absent if it does not.
   */
  readonly waitMs?: number;
}

/** The facts that decide the next status of a simulated pod. */
export interface PodFacts {
  readonly pod: ReadPod;
  readonly scriptOf: ScriptOf;
  readonly addresses: PodAddresses;
  readonly nowMs: number;
}

type ReadContainer = DeepReadonly<V1Container>;

/**
 * Returns the next status of a simulated pod, the events of the change, and the time until the
 * status changes again by itself.
 */
export function stepPod(facts: PodFacts): PodStep {
  const { pod, addresses, nowMs } = facts;
  const startTime = pod.status?.startTime ?? formatTime(new Date(nowMs));
  const containers = new Containers(facts, Date.parse(startTime));
  containers.step();
  const { statuses, initStatuses, ephemeralStatuses } = containers;
  const phase = phaseOf(pod, initStatuses, statuses, containers.initialized);
  const { hostIP, podIP } = addresses;
  const status: V1PodStatus = {
    ...pod.status as V1PodStatus,
    phase,
    startTime,
    hostIP,
    hostIPs: [{ ip: hostIP }],
    podIP,
    podIPs: [{ ip: podIP }],
    ...(initStatuses.length > 0 && { initContainerStatuses: initStatuses }),
    containerStatuses: statuses,
    ...(ephemeralStatuses.length > 0 && { ephemeralContainerStatuses: ephemeralStatuses }),
    ...(pod.metadata.generation !== undefined && { observedGeneration: pod.metadata.generation }),
  };
  status.conditions = podConditions(pod, status, formatTime(new Date(nowMs)));
  const { waitMs } = containers;
  const ends = phase === "Succeeded" || phase === "Failed";
  return {
    status,
    events: containers.events,
    ...(Number.isFinite(waitMs) && !ends && { waitMs }),
  };
}

/** The containers of a simulated pod during the computation of its next status. */
class Containers {
  readonly events: PodEvent[] = [];
  statuses: V1ContainerStatus[] = [];
  initStatuses: V1ContainerStatus[] = [];
  ephemeralStatuses: V1ContainerStatus[] = [];
  initialized = false;
  waitMs = Infinity;
  readonly #facts: PodFacts;
  #sinceMs: number;

  constructor(facts: PodFacts, sinceMs: number) {
    this.#facts = facts;
    this.#sinceMs = sinceMs;
  }

  /**
   * Computes the next status of the pod's ephemeral containers, of its init containers in their
   * order, and then of all other containers together.
   */
  step(): void {
    const { spec, status } = this.#facts.pod;
    this.ephemeralStatuses = (spec?.ephemeralContainers ?? []).map((container) => {
      // Ephemeral containers have no probes, and are never ready.
      const { started: _, ...next } = this.#step(container, status?.ephemeralContainerStatuses);
      return { ...next, ready: false };
    });
    const initContainers = spec?.initContainers ?? [];
    let blocked = false;
    for (const container of initContainers) {
      if (blocked) {
        this.initStatuses.push(newStatus(container, "PodInitializing"));
        continue;
      }
      const next = this.#step(container, status?.initContainerStatuses);
      this.initStatuses.push(next);
      blocked = !isInitialized(container, next);
      const finishedAt = next.state?.terminated?.finishedAt;
      if (!blocked && finishedAt) this.#sinceMs = Math.max(this.#sinceMs, Date.parse(finishedAt));
    }
    this.initialized = !blocked;
    const reason = initContainers.length > 0 ? "PodInitializing" : "ContainerCreating";
    this.statuses = (spec?.containers ?? []).map((container) =>
      blocked ? newStatus(container, reason) : this.#step(container, status?.containerStatuses)
    );
  }

  #step(
    container: ReadContainer,
    statuses: readonly DeepReadonly<V1ContainerStatus>[] = [],
  ): V1ContainerStatus {
    const { pod, scriptOf, nowMs } = this.#facts;
    const isInit = pod.spec?.initContainers?.includes(container) ?? false;
    const isEphemeral = pod.spec?.ephemeralContainers?.includes(container) ?? false;
    const isSidecar = isInit && container.restartPolicy === "Always";
    const step = stepContainer({
      pod,
      container,
      script: scriptOf(container.name),
      nowMs,
      sinceMs: this.#sinceMs,
      restarts: (exitCode) =>
        isSidecar || !isEphemeral &&
          (isInit ? exitCode !== 0 && mayRestart(pod, 1) : mayRestart(pod, exitCode)),
    }, statuses.find(({ name }) => name === container.name));
    this.events.push(...step.events);
    this.waitMs = Math.min(this.waitMs, step.waitMs ?? Infinity);
    const { terminated } = step.status.state ?? {};
    // An init container that has succeeded stays ready.
    return isInit && !isSidecar && terminated?.exitCode === 0
      ? { ...step.status, ready: true }
      : step.status;
  }
}

/** Reports whether the restart policy of a pod restarts a container after the given exit code. */
export function mayRestart({ spec }: ReadPod, exitCode: number): boolean {
  const policy = spec?.restartPolicy ?? "Always";
  return policy === "Always" || policy === "OnFailure" && exitCode !== 0;
}

function isInitialized(container: ReadContainer, status: V1ContainerStatus): boolean {
  return container.restartPolicy === "Always"
    ? status.started === true
    : status.state?.terminated?.exitCode === 0;
}

function phaseOf(
  pod: ReadPod,
  initStatuses: readonly V1ContainerStatus[],
  statuses: readonly V1ContainerStatus[],
  initialized: boolean,
): string {
  const failedInit = initStatuses.some(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0);
  if (failedInit && !initialized && !mayRestart(pod, 1)) return "Failed";
  const waits = ({ state, lastState }: V1ContainerStatus): boolean =>
    state?.waiting !== undefined && lastState?.terminated === undefined;
  if (!initialized || statuses.some(waits)) return "Pending";
  const ended = statuses.every(({ state }) =>
    state?.terminated !== undefined && !mayRestart(pod, state.terminated.exitCode)
  );
  if (!ended) return "Running";
  const succeeded = statuses.every(({ state }) => state?.terminated?.exitCode === 0);
  return succeeded ? "Succeeded" : "Failed";
}
