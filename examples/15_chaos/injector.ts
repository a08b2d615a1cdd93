/**
 * The injection of the faults `freeze` and `slow` into pods, and their removal.
 *
 * A harmed pod has the name of its Chaos as a label, and the end of the fault and its former
 * annotations as annotations. So the pod is restored even if the Chaos and the operator's memory
 * are lost.
 *
 * @module
 */
import { ignoreNotFound, mergePatch, Pod, type ReconcileContext } from "@xca/operator";
import type { V1Pod } from "@xca/operator/kubernetes-types";
import { keyOf, type KubeObject } from "@xca/operator/meta";
import type { Fault } from "./chaos.ts";

/** The key of the label of a frozen or slowed pod; the value is the name of the Chaos. */
export const BY_LABEL = "chaos.example.org/by";
/** The key of the annotation of a harmed pod with the time at which it is restored. */
const UNTIL = "chaos.example.org/until";
/** The key of the annotation of a harmed pod with the annotations that it had before, as JSON. */
const BEFORE = "chaos.example.org/before";

/**
 * The mechanism that freezes and slows pods: annotations of the pod that its node reads. On a
 * cluster with real containers an agent on each node reads them, and uses the freezer and the CPU
 * limit of the pod's cgroup.
 */
export interface Injector {
  /** Returns the annotations by which a node injects a fault into a pod. */
  annotationsOf(fault: Exclude<Fault, "kill">, pod: V1Pod): Readonly<Record<string, string>>;
}

const SCRIPT = "kubelet.xca.k8s.kb.cx/script";
const SCRIPTS = {
  freeze: { readyAfterMs: "never" },
  slow: { cpu: "1m", stopMs: 20_000 },
} as const;

/**
 * The injector for clusters with the simulated kubelet: it changes the script of the pod's
 * containers.
 */
export const scriptInjector: Injector = {
  annotationsOf: (fault, { metadata }) => {
    const scripts = recordOf(metadata?.annotations?.[SCRIPT]) as Record<string, object>;
    const changed = Object.entries({ "*": {}, ...scripts })
      .map(([container, script]) => [container, { ...script, ...SCRIPTS[fault] }]);
    return { [SCRIPT]: JSON.stringify(Object.fromEntries(changed)) };
  },
};

/**
 * Returns the JSON object in an annotation; an empty object if the annotation is absent or
 * malformed.
 */
function recordOf(text = "{}"): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/**
 * Freezes or slows a pod until a given time. A pod that does not exist or is already harmed is left
 * unchanged.
 */
export async function inject(
  context: ReconcileContext,
  pod: V1Pod,
  { by, until, annotations }: {
    readonly by: string;
    readonly until: Date;
    readonly annotations: Readonly<Record<string, string>>;
  },
): Promise<void> {
  if (pod.metadata?.labels?.[BY_LABEL] !== undefined) return;
  const before = Object.fromEntries(
    Object.keys(annotations).map((name) => [name, pod.metadata?.annotations?.[name] ?? null]),
  );
  await patch(context, pod, {
    labels: { [BY_LABEL]: by },
    annotations: {
      ...annotations,
      [UNTIL]: until.toISOString(),
      [BEFORE]: JSON.stringify(before),
    },
  });
}

/**
 * Restores the former annotations of a harmed pod, and removes the label and annotations of the
 * fault.
 */
export async function restore(context: ReconcileContext, pod: V1Pod): Promise<void> {
  const before = recordOf(pod.metadata?.annotations?.[BEFORE]) as Record<string, string | null>;
  await patch(context, pod, {
    labels: { [BY_LABEL]: null },
    annotations: { ...before, [UNTIL]: null, [BEFORE]: null },
  });
}

/** Returns the time at which a harmed pod is to be restored; the epoch if the time is unknown. */
export function untilOf({ metadata }: V1Pod): Date {
  return new Date(metadata?.annotations?.[UNTIL] ?? 0);
}

/** The labels and annotations of a pod to set; `null` removes one. */
type Marks = Readonly<Record<"labels" | "annotations", Readonly<Record<string, string | null>>>>;

/**
 * Patches the metadata of a pod in the version that was read, so that neither a change of others nor
 * the fault of another Chaos is overwritten: after a conflict the run is retried. A pod that was
 * deleted is not an error.
 */
async function patch({ client }: ReconcileContext, pod: V1Pod, marks: Marks): Promise<void> {
  const { uid, resourceVersion } = pod.metadata!;
  const body = { metadata: { uid, resourceVersion, ...marks } };
  await ignoreNotFound(client.patch(Pod, keyOf(pod as KubeObject), mergePatch<V1Pod>(body)));
}
