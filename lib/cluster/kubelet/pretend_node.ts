import type { V1Lease, V1Node, V1NodeCondition } from "@xca/apimachinery/kubernetes-types";
import { PRETEND_ANNOTATION } from "@xca/apimachinery/internal/meta";
import { type DeepReadonly, formatMicroTime, formatTime } from "@xca/apimachinery/meta";

/** The namespace of node Leases. */
export const LEASE_NAMESPACE = "kube-node-lease";

/**
 * The `leaseDurationSeconds` of a node's Lease: the number of seconds for which a renewal is valid.
 */
const LEASE_SECONDS = 40;

/** The conditions of a healthy node, with the reasons and messages of a kubelet. */
const CONDITIONS: readonly V1NodeCondition[] = [
  healthy(
    "MemoryPressure",
    "KubeletHasSufficientMemory",
    "kubelet has sufficient memory available",
  ),
  healthy("DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
  healthy("PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
  {
    type: "Ready",
    status: "True",
    reason: "KubeletReady",
    message: "kubelet is posting ready status",
  },
];

function healthy(type: string, reason: string, message: string): V1NodeCondition {
  return { type, status: "False", reason, message };
}

/** The default capacity of a simulated node: CPU, memory, storage and pods. */
const RESOURCES: Readonly<Record<string, string>> = {
  cpu: "32",
  memory: "256Gi",
  "ephemeral-storage": "1Ti",
  pods: "110",
};

/**
 * Returns a new simulated node, without a status, with the given number; numbers start at 1. The
 * node is not created on the server.
 */
export function pretendNode(number: number): V1Node {
  const name = `node-${number}`;
  return {
    metadata: {
      name,
      labels: {
        "beta.kubernetes.io/arch": "amd64",
        "beta.kubernetes.io/os": "linux",
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
      },
      annotations: { [PRETEND_ANNOTATION]: "true" },
    },
    spec: { podCIDR: podCidr(number), podCIDRs: [podCidr(number)] },
  };
}

/** Reports whether a node belongs to the simulated kubelet, by the annotation of such nodes. */
export function isPretend({ metadata }: DeepReadonly<V1Node>): boolean {
  return metadata.annotations?.[PRETEND_ANNOTATION] === "true";
}

/** The address and port at which API servers reach the simulated kubelet. */
export interface KubeletAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Returns the status of a simulated node: healthy conditions, and the capacity of its present
 * status or else the default capacity. A condition whose status is unchanged keeps its transition
 * time.
 *
 * The address of type `Hostname`, which API servers prefer, is that of the simulated kubelet's
 * server if there is one.
 */
export function nodeStatus(
  node: DeepReadonly<V1Node>,
  now: Date,
  kubelet: KubeletAddress | undefined,
): NonNullable<V1Node["status"]> {
  const time = formatTime(now);
  const { name = "" } = node.metadata;
  const conditions = CONDITIONS.map((condition) => {
    const old = node.status?.conditions?.find(({ type }) => type === condition.type);
    const since = old?.status === condition.status ? old.lastTransitionTime : undefined;
    return { ...condition, lastHeartbeatTime: time, lastTransitionTime: since ?? time };
  });
  const version = "v1.37.2";
  return {
    capacity: { ...node.status?.capacity ?? RESOURCES },
    allocatable: { ...node.status?.allocatable ?? RESOURCES },
    conditions,
    addresses: [
      { type: "InternalIP", address: nodeIp(node) },
      { type: "Hostname", address: kubelet?.host ?? name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: kubelet?.port ?? 0 } },
    // From version 1.36 on, kube-apiserver passes WebSockets through to kubelets with this feature.
    ...(kubelet && { declaredFeatures: ["ExtendWebSocketsToKubelet"] }),
    nodeInfo: {
      machineID: name,
      systemUUID: name,
      bootID: name,
      kernelVersion: "6.12.0",
      osImage: "a simulated node",
      containerRuntimeVersion: "pretended://1",
      kubeletVersion: version,
      kubeProxyVersion: version,
      operatingSystem: "linux",
      architecture: "amd64",
    },
  };
}

/**
 * Returns the IP address of a simulated node, derived from its pod network: `172.18.3.1` for
 * `10.244.3.0/24`.
 */
export function nodeIp({ spec }: DeepReadonly<V1Node>): string {
  const [, second = "244", third = "0"] = (spec?.podCIDR ?? "").split(".");
  return `172.${18 + Number(second) - 244}.${third}.1`;
}

/**
 * Returns a new Lease of a node, with the given time as its renewal time. The Lease is not created
 * on the server.
 */
export function nodeLease(node: DeepReadonly<V1Node>, now: Date): V1Lease {
  const { name = "", uid = "" } = node.metadata;
  return {
    metadata: {
      name,
      namespace: LEASE_NAMESPACE,
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid }],
    },
    spec: {
      holderIdentity: name,
      leaseDurationSeconds: LEASE_SECONDS,
      renewTime: formatMicroTime(now),
    },
  };
}

function podCidr(number: number): string {
  return `10.${244 + (number >> 8)}.${number & 255}.0/24`;
}
