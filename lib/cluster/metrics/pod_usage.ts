// Mirrors `metrics/v1beta1/types.go, PodMetrics`.
import { formatTime } from "@xca/apimachinery/meta";
import { milliValue } from "@xca/apimachinery/internal/values";
import type { ContainerScript, ScriptOf, UsageScript } from "../kubelet/container_script.ts";
import type { ReadPod } from "../pods/pod_state.ts";

/** The amount of a resource that a container uses, as a quantity, by resource. */
export interface Usage {
  readonly cpu: string;
  readonly memory: string;
}

/** The usage of a container. */
export interface ContainerUsage {
  readonly name: string;
  readonly usage: Usage;
}

/** The usage of a pod's containers, as an object of `metrics.k8s.io/v1beta1`. */
export interface PodUsage {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly creationTimestamp: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly timestamp: string;
  /** The time over which the usage was measured, as a duration of Go. */
  readonly window: string;
  readonly containers: readonly ContainerUsage[];
}

/** The usage of containers whose script names none. */
const DEFAULT_USAGE: Usage = { cpu: "1m", memory: "8Mi" };
/** The time over which usage is measured. */
export const WINDOW = "1s";

/** Returns the usage of a pod's containers now; `undefined` when not all of them run. */
export function podUsage(pod: ReadPod, scriptOf: ScriptOf, now: Date): PodUsage | undefined {
  const { name = "", namespace, labels } = pod.metadata;
  const statuses = pod.status?.containerStatuses ?? [];
  if (statuses.length === 0 || !statuses.every(({ state }) => state?.running)) return undefined;
  const containers = statuses.map(({ name, state }) => {
    const script = scriptOf(name) ?? {};
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

/** Returns the sum of the usage of pods. */
export function totalUsage(pods: readonly PodUsage[]): Usage {
  let [cpu, memory] = [0n, 0n];
  for (const { usage } of pods.flatMap(({ containers }) => containers)) {
    cpu += milliValue(usage.cpu);
    memory += milliValue(usage.memory);
  }
  return { cpu: `${cpu}m`, memory: `${memory / 1000n}` };
}

/** Returns the usage of a resource some time after the start of a container. */
function at(resource: keyof Usage, script: ContainerScript, sinceMs: number): string {
  const usage: UsageScript | undefined = script[resource];
  if (usage === undefined) return DEFAULT_USAGE[resource];
  if (typeof usage === "string") return usage;
  return usage.findLast(({ afterMs }) => afterMs <= sinceMs)?.value ?? DEFAULT_USAGE[resource];
}
