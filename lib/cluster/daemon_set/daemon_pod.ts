// Mirrors `controller/daemon/util/daemonset_util.go, CreatePodTemplate`.
import type {
  V1Affinity,
  V1DaemonSet,
  V1Pod,
  V1PodSpec,
  V1PodTemplateSpec,
  V1Toleration,
} from "@xca/apimachinery/kubernetes-types";
import { DaemonSet, type DeepReadonly } from "@xca/apimachinery/meta";
import { podOf } from "../pods/pod_control.ts";
import type { ReadPod } from "../pods/pod_state.ts";

/** A deeply read-only DaemonSet. */
export type ReadDaemonSet = DeepReadonly<V1DaemonSet>;

/** The key of the label of a DaemonSet's pods and revisions with the hash of the pod template. */
export const REVISION_HASH = "controller-revision-hash";

/** The key of the label of a DaemonSet's pods with the generation of the pod template. */
const GENERATION_LABEL = "pod-template-generation";
/** The key of the DaemonSet annotation with the generation of the pod template. */
const GENERATION = "deprecated.daemonset.template.generation";

const NODE_NAME = "metadata.name";

/**
 * Returns the tolerations that the controller adds to every pod of a DaemonSet; one more for pods
 * in the host's network.
 */
function daemonTolerations({ hostNetwork }: DeepReadonly<V1PodSpec>): V1Toleration[] {
  const of = (effect: string, ...names: readonly string[]): V1Toleration[] =>
    names.map((name) => ({ key: `node.kubernetes.io/${name}`, operator: "Exists", effect }));
  return [
    ...of("NoExecute", "not-ready", "unreachable"),
    ...of("NoSchedule", "disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"),
    ...(hostNetwork ? of("NoSchedule", "network-unavailable") : []),
  ];
}

/**
 * Returns the tolerations of a DaemonSet's pods: those of the template, and those of the taints of
 * unhealthy nodes, on which daemons keep running.
 */
export function tolerationsOf({ spec }: ReadDaemonSet): V1Toleration[] {
  const podSpec = (spec?.template.spec ?? {}) as V1PodSpec;
  const result = [...podSpec.tolerations ?? []];
  for (const added of daemonTolerations(podSpec)) {
    const index = result.findIndex(({ key, value = "", effect, operator }) =>
      key === added.key && value === "" && effect === added.effect && operator === added.operator
    );
    if (index === -1) result.push(added);
    else result[index] = added;
  }
  return result;
}

/**
 * Returns a new pod of a DaemonSet with a node affinity that requires the given node. The pod is
 * not created on the server.
 */
export function daemonPod(set: ReadDaemonSet, hash: string, node: string): V1Pod {
  const { template } = set.spec!;
  const generation = generationOf(set);
  const labels = {
    ...template.metadata?.labels,
    ...(generation !== undefined && { [GENERATION_LABEL]: generation }),
    [REVISION_HASH]: hash,
  };
  const pod = podOf({ type: DaemonSet, object: set }, {
    ...template,
    metadata: { ...template.metadata, labels },
  } as DeepReadonly<V1PodTemplateSpec>);
  pod.spec = {
    ...pod.spec!,
    affinity: withNode(pod.spec?.affinity, node),
    tolerations: tolerationsOf(set),
  };
  return pod;
}

/**
 * Returns a copy of a pod's affinity in which the node affinity requires the given node, in place
 * of the nodes that it required before.
 */
function withNode(affinity: V1Affinity | undefined, node: string): V1Affinity {
  const matchFields = [{ key: NODE_NAME, operator: "In", values: [node] }];
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
    },
  };
}

/**
 * Returns the name of the node of a DaemonSet's pod, from its affinity while the scheduler has not
 * assigned the pod; `undefined` if the affinity does not name exactly one node.
 */
export function targetNode({ spec }: ReadPod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const field = required?.nodeSelectorTerms.flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator }) => key === NODE_NAME && operator === "In");
  return field?.values?.length === 1 ? field.values[0] : undefined;
}

/**
 * Reports whether a pod was created from the current pod template of its DaemonSet, by the label
 * with the given hash of the template or by the deprecated label with the generation.
 */
export function isUpdated(set: ReadDaemonSet, { metadata }: ReadPod, hash: string): boolean {
  const generation = generationOf(set);
  return metadata.labels?.[REVISION_HASH] === hash ||
    generation !== undefined && metadata.labels?.[GENERATION_LABEL] === generation;
}

function generationOf({ metadata }: ReadDaemonSet): string | undefined {
  const text = metadata.annotations?.[GENERATION];
  return text !== undefined && /^[+-]?\d+$/.test(text) ? String(BigInt(text)) : undefined;
}
