// Mirrors `metrics/v1beta1/types.go, PodMetrics`.
import { formatTime } from "@xca/apimachinery/meta";
import { milliValue } from "@xca/apimachinery/internal/values";
import type { ContainerScript, UsageScript } from "../kubelet/container_script.ts";
import type { ScriptOf } from "../kubelet/pod_scripts.ts";
import type { ReadPod } from "../pods/pod_state.ts";

/** The CPU and memory usage of a container, or of several pods together, as quantities. */
export interface Usage {
  readonly cpu: string;
  readonly memory: string;
}

/** The CPU and memory usage of one container of a pod. */
export interface ContainerUsage {
  readonly name: string;
  readonly usage: Usage;
}

/** The usage of a pod's containers, as a `PodMetrics` object of `metrics.k8s.io/v1beta1`. */
export interface PodUsage {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly creationTimestamp: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly timestamp: string;
  /** The length of the time window over which the pod's usage was measured, as a Go duration. */
  readonly window: string;
  readonly containers: readonly ContainerUsage[];
}

/** The CPU and memory usage of containers whose script sets none. */
const DEFAULT_USAGE: Usage = { cpu: "1m", memory: "8Mi" };
/** The `window` that every `PodMetrics` and `NodeMetrics` object reports, as a Go duration. */
export const WINDOW = "1s";

/**
 * Returns the present usage of a pod's containers; `undefined` when not all of them are running, or
 * the status lists none.
 */
export function podUsage(pod: ReadPod, scriptOf: ScriptOf, now: Date): PodUsage | undefined {
  const { name = "", namespace, labels } = pod.metadata;
  const statuses = pod.status?.containerStatuses ?? [];
  if (statuses.length === 0 || !statuses.every(({ state }) => state?.running)) return undefined;
  const containers = statuses.map(({ name, state }) => {
    const script = scriptOf(name);
    const sinceMs = now.getTime() - Date.parse(state?.running?.startedAt ?? "");
    return {
      name,
      usage: { cpu: at("cpu", script, sinceMs), memory: at("memory", script, sinceMs) },
    };
  });
  const timestamp = formatTime(now);
  return {
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      creationTimestamp: timestamp,
      ...(labels && { labels }),
    },
    timestamp,
    window: WINDOW,
    containers,
  };
}

/**
 * Returns the sum of the usage of several pods, as quantities: the CPU in millicores, such as
 * `12m`, and the memory in whole bytes, without a suffix.
 */
export function totalUsage(pods: readonly PodUsage[]): Usage {
  let [cpu, memory] = [0n, 0n];
  for (const { usage } of pods.flatMap(({ containers }) => containers)) {
    cpu += milliValue(usage.cpu);
    memory += milliValue(usage.memory);
  }
  return { cpu: `${cpu}m`, memory: `${memory / 1000n}` };
}

/**
 * Returns the scripted usage of a resource at a given time, in milliseconds, after the start of a
 * container; the default usage without a script or before its first time.
 */
function at(resource: keyof Usage, script: ContainerScript, sinceMs: number): string {
  const usage: UsageScript | undefined = script[resource];
  if (usage === undefined) return DEFAULT_USAGE[resource];
  if (typeof usage === "string") return usage;
  return usage.findLast(({ afterMs }) => afterMs <= sinceMs)?.value ?? DEFAULT_USAGE[resource];
}
