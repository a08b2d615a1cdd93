/**
 * The steps that the scenarios of the scheduler are built from.
 *
 * @module
 */
import type { V1PodSpec } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { Node, Pod } from "../../../lib/apimachinery/meta/mod.ts";
import { mergePatch } from "../../../lib/client/mod.ts";
import type { Scenario, Stage } from "../world.ts";
import { create, type Step } from "./parts.ts";

export type Spec = Partial<V1PodSpec>;
export type Amounts = Readonly<Record<string, string>>;

export const NODES: readonly string[] = ["node-1", "node-2", "node-3"];
export const HOST = "kubernetes.io/hostname";
export const ZONE = "topology.kubernetes.io/zone";

/** Returns a container that requests resources. */
export function requesting(requests: Amounts): V1PodSpec["containers"][number] {
  return { name: "app", image: "app:1", resources: { requests, limits: requests } };
}

/** Returns the spec of a pod that requests resources. */
export function requests(amounts: Amounts, spec: Spec = {}): Spec {
  return { containers: [requesting(amounts)], ...spec };
}

/** Creates a pod, and waits for the scheduler. */
export function pod(name: string, spec: Spec = {}, labels: Amounts = {}): Step {
  return async (stage) => {
    const containers = [{ name: "app", image: "app:1" }];
    await create(stage, Pod, { metadata: { name, labels }, spec: { containers, ...spec } });
    await stage.pass(500);
  };
}

/** Creates a pod with labels on a given node. */
export function on(node: string, spec: Spec = {}, labels: Amounts = {}): Step {
  return pod(`on-${node}`, { ...spec, nodeSelector: { [HOST]: node } }, labels);
}

/** Changes nodes. */
export function nodes(body: unknown, ...names: readonly string[]): Step {
  return async ({ client, pass }) => {
    for (const name of names.length > 0 ? names : NODES) {
      await client.patch(Node, name, mergePatch(body as never));
    }
    await pass(500);
  };
}

/** Sets a label of the nodes to a different value on each. */
export function labels(key: string, ...values: readonly (string | null)[]): Step {
  return async (stage) => {
    for (const [index, value] of values.entries()) {
      await nodes({ metadata: { labels: { [key]: value } } }, NODES[index]!)(stage);
    }
  };
}

/** Adds a taint `team=blue` to nodes. */
export function taint(effect: string, ...names: readonly string[]): Step {
  return nodes({ spec: { taints: [{ key: "team", value: "blue", effect }] } }, ...names);
}

/** Cordons nodes. */
export function cordon(...names: readonly string[]): Step {
  return nodes({ spec: { unschedulable: true } }, ...names);
}

/** Undoes all changes of nodes. */
export async function restore({ client }: Stage): Promise<void> {
  const marks = { size: null, zone: null, disk: null, [ZONE]: null };
  for (const name of NODES) {
    const body = { metadata: { labels: marks }, spec: { taints: null, unschedulable: null } };
    await client.patch(Node, name, mergePatch(body as never));
  }
}

/** Returns a scenario of given steps. */
export function scheduling(name: string, ...steps: readonly Step[]): Scenario {
  return {
    name: `Scheduling ${name}`,
    restMs: 1200,
    after: restore,
    run: async (stage) => {
      for (const step of steps) await step(stage);
    },
  };
}

/** Returns an expression of a node selector term. */
export function expression(key: string, operator: string, ...values: readonly string[]): unknown {
  return { matchExpressions: [{ key, operator, ...(values.length > 0 && { values }) }] };
}
