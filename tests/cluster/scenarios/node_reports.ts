/**
 * Status reports of nodes, in place of their kubelets.
 *
 * @module
 */
import type { V1NodeCondition } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { ConfigMap, Node } from "../../../lib/apimachinery/meta/mod.ts";
import type { Stage } from "../world.ts";
import { create } from "./parts.ts";

/** The time after a status report within which all taints are set, in milliseconds. */
export const REACTION_MS = 8000;

const HEALTHY = {
  Ready: "True",
  MemoryPressure: "False",
  DiskPressure: "False",
  PIDPressure: "False",
};

/** Returns the name of the stage's node; `member` tells the nodes of a zone apart. */
export function nodeOf({ namespace }: Stage, member?: number): string {
  return member === undefined ? namespace : `${namespace}.${member}`;
}

/** Creates a node in the zone of the stage, without a status report. */
export async function registerNode(
  stage: Stage,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<void> {
  await stage.client.create(Node, {
    metadata: {
      name,
      labels: {
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/os": "linux",
        "topology.kubernetes.io/zone": stage.namespace,
        ...labels,
      },
    },
  });
}

/** Returns the present time of the API server. */
export async function nowOf(stage: Stage): Promise<string> {
  const { metadata } = await create(stage, ConfigMap, { metadata: { generateName: "now-" } });
  return metadata.creationTimestamp!;
}

/** Reports conditions of a node, as its kubelet does. */
export async function reportConditions(
  stage: Stage,
  name: string,
  changed: Readonly<Record<string, string>> = {},
): Promise<void> {
  const now = await nowOf(stage);
  const { status } = await stage.client.get(Node, name);
  const conditions = Object.entries({ ...HEALTHY, ...changed }).map(([type, value]) => {
    const old = status?.conditions?.find((condition) => condition.type === type);
    return {
      type,
      status: value,
      reason: "Reported",
      message: "reported by the scenario",
      lastHeartbeatTime: now,
      lastTransitionTime: old?.status === value ? old.lastTransitionTime : now,
    };
  }) as V1NodeCondition[];
  const body = { status: { conditions } };
  await stage.client.patchStatus(Node, name, { type: "strategic", body } as never);
}

/** Reports conditions of a node, and waits for the taints that follow. */
export async function reportNode(
  stage: Stage,
  name: string,
  changed?: Readonly<Record<string, string>>,
): Promise<void> {
  await reportConditions(stage, name, changed);
  await stage.pass(REACTION_MS);
}
