/**
 * The steps of random scenarios. They are JSON values, so that a failing scenario can be stored as
 * printed.
 *
 * @module
 */
import type { V1Pod, V1ReplicaSet } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import {
  DaemonSet,
  Deployment,
  Job,
  type KubeObject,
  Node,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  ReplicationController,
  ResourceQuota,
  type ResourceType,
  Service,
  StatefulSet,
} from "../../../lib/apimachinery/meta/mod.ts";
import {
  ApiError,
  evictPod,
  jsonPatch,
  mergePatch,
  type Patch,
  strategicPatch,
} from "../../../lib/client/mod.ts";
import { PRETEND_ANNOTATION } from "../../../lib/apimachinery/meta/internal.ts";
import { pretendNode } from "../../../lib/cluster/kubelet/pretend_node.ts";
import { create, SCRIPT } from "../scenarios/parts.ts";
import type { Stage } from "../world.ts";
import { type TemplateEdit, templateOf } from "./template.ts";

/** The kinds of workloads, each with the name of its object in a scenario. */
export const NAMES = {
  DaemonSet: "daemon",
  Deployment: "web",
  Job: "work",
  ReplicaSet: "set",
  ReplicationController: "controller",
  StatefulSet: "state",
} as const;

/** A kind of workload, such as `Deployment`. */
export type Workload = keyof typeof NAMES;

/** The resource types of the workloads, by kind. */
export const TYPES: Readonly<Record<Workload, ResourceType>> = {
  DaemonSet,
  Deployment,
  Job,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
};

/** The propagation policy of a deletion. */
export type Propagation = "Background" | "Foreground" | "Orphan";

/**
 * A step of a random scenario. The namespace settles before each step, except for a step with
 * `soon`.
 */
export type RandomStep =
  & { readonly soon?: boolean }
  & (
    | {
      readonly do: "create";
      readonly kind: Workload;
      readonly spec: Spec;
      readonly template: TemplateEdit;
    }
    | { readonly do: "change"; readonly kind: Workload; readonly spec: Spec }
    | { readonly do: "template"; readonly kind: Workload; readonly template: TemplateEdit }
    | { readonly do: "undo" }
    | { readonly do: "delete"; readonly kind: Workload; readonly propagation: Propagation }
    | {
      readonly do: "deletePods" | "evict" | "relabel";
      readonly kind: Workload;
      readonly count: number;
    }
    | {
      readonly do: "endPods";
      readonly kind: Workload;
      readonly count: number;
      readonly phase: string;
    }
    | { readonly do: "nodes"; readonly count: number }
    | { readonly do: "cordon"; readonly node: number; readonly unschedulable: boolean }
    | { readonly do: "taint"; readonly node: number; readonly effect: string | null }
    | { readonly do: "outage"; readonly node: number; readonly during: RandomStep }
    | { readonly do: "quota"; readonly pods: number | null }
    | { readonly do: "budget" | "service"; readonly spec: Spec | null }
  );

/** The fields of a spec that a step sets. */
export type Spec = Readonly<Record<string, unknown>>;

/** The label of all pods of a scenario. */
export const TEAM = { team: "blue" };

/**
 * The time that a node is not ready before and after the step during its outage, in milliseconds.
 */
const OUTAGE_MS = 3000;

/** The numbers of the first and last node that scenarios create. */
const FIRST_NODE = 100;
const LAST_NODE = 2500;
let nextNode = FIRST_NODE;

/** The executor of random steps in one namespace. */
export class StepTaker {
  readonly #stage: Stage;
  readonly #nodes: string[];

  /**
   * Creates an executor of steps for a stage; `nodes` receives the names of the nodes that the
   * steps create.
   */
  constructor(stage: Stage, nodes: string[]) {
    this.#stage = stage;
    this.#nodes = nodes;
  }

  /** Executes a step. A step that the API server refuses has no effect. */
  async take(step: RandomStep): Promise<void> {
    try {
      await this.#take(step);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code >= 500) throw error;
    }
  }

  async #take(step: RandomStep): Promise<void> {
    const { client, namespace } = this.#stage;
    switch (step.do) {
      case "create":
        return await this.#create(step.kind, step.spec, step.template);
      case "change":
        return await this.#patch(step.kind, mergePatch({ spec: step.spec } as never));
      case "template":
        return await this.#patch(
          step.kind,
          strategicPatch({ spec: { template: templateOf(step.template) } } as never),
        );
      case "undo":
        return await this.#undo();
      case "delete": {
        const options = { propagationPolicy: step.propagation };
        return void await client.delete(TYPES[step.kind], this.#key(step.kind), options);
      }
      case "deletePods":
        return await this.#eachPod(step, (key) => client.delete(Pod, key));
      case "evict":
        return await this.#eachPod(step, (key) => evictPod(client, key));
      case "relabel": {
        const patch = mergePatch({ metadata: { labels: { app: "other" } } });
        return await this.#eachPod(step, (key) => client.patch(Pod, key, patch));
      }
      case "endPods": {
        const patch = mergePatch({ status: { phase: step.phase } });
        return await this.#eachPod(step, (key) => client.patchStatus(Pod, key, patch));
      }
      case "nodes":
        return await this.#createNodes(step.count);
      case "cordon":
        return await this.#patchNode(step.node, { spec: { unschedulable: step.unschedulable } });
      case "taint": {
        const { effect } = step;
        const others = [{ key: "own", value: namespace, effect: "NoSchedule" }];
        const taints = effect === null
          ? others
          : [...others, { key: "broken", value: "yes", effect }];
        return await this.#patchNode(step.node, { spec: { taints } });
      }
      case "outage":
        return await this.#outage(step.node, step.during);
      case "quota":
        return await this.#setQuota(step.pods);
      case "budget":
        return await this.#replace(PodDisruptionBudget, step.spec);
      case "service":
        return await this.#replace(Service, step.spec);
    }
  }

  #key(kind: Workload): string {
    return this.#stage.key(NAMES[kind]);
  }

  async #create(kind: Workload, spec: Spec, edit: TemplateEdit): Promise<void> {
    const labels = { app: NAMES[kind], ...TEAM };
    const { metadata, spec: podSpec } = templateOf(edit);
    const own = { own: this.#stage.namespace };
    const isolated = this.#nodes.length === 0 ? {} : {
      nodeSelector: own,
      tolerations: [{ key: "own", operator: "Exists", effect: "NoSchedule" }],
    };
    const selector = { app: NAMES[kind] };
    const template = {
      metadata: { ...metadata, labels: { ...metadata.labels, ...labels } },
      spec: { ...podSpec, ...isolated, ...kind === "Job" && { restartPolicy: "Never" } },
    };
    const selected = kind === "Job"
      ? {}
      : { selector: kind === "ReplicationController" ? selector : { matchLabels: selector } };
    await create(this.#stage, TYPES[kind], {
      metadata: { name: NAMES[kind] },
      spec: { ...selected, template, ...spec },
    } as KubeObject);
  }

  async #patch(kind: Workload, patch: Patch<unknown>): Promise<void> {
    await this.#stage.client.patch(TYPES[kind], this.#key(kind), patch as never);
  }

  /** Restores the previous pod template of the Deployment, as `kubectl rollout undo` does. */
  async #undo(): Promise<void> {
    const { client, namespace } = this.#stage;
    const { items } = await client.list(ReplicaSet, { namespace });
    const sets = items.filter(({ metadata }) =>
      metadata.ownerReferences?.[0]?.kind === "Deployment"
    )
      .sort((a, b) => revisionOf(b) - revisionOf(a));
    const template = sets[1]?.spec?.template;
    if (!template) return;
    const { "pod-template-hash": _, ...labels } = template.metadata?.labels ?? {};
    const body = { ...template, metadata: { ...template.metadata, labels } };
    const patch = jsonPatch([{ op: "replace", path: "/spec/template", value: body }]);
    await client.patch(Deployment, this.#key("Deployment"), patch);
  }

  /**
   * Applies an operation to the first pods of a workload, sorted by their differences, so that any
   * two runs select the same pods.
   */
  async #eachPod(
    { kind, count }: { readonly kind: Workload; readonly count: number },
    act: (key: string) => Promise<unknown>,
  ): Promise<void> {
    const { client, namespace } = this.#stage;
    const labelSelector = `app=${NAMES[kind]}`;
    const { items } = await client.list(Pod, { namespace, labelSelector });
    const pods = items.filter((pod) => pod.metadata.deletionTimestamp === undefined)
      .map((pod) => ({ rank: rankOf(pod), key: this.#stage.key(pod.metadata.name!) }))
      .sort((a, b) => a.rank < b.rank ? -1 : 1);
    for (const { key } of pods.slice(0, count)) {
      await act(key).catch((error) => {
        if (!(error instanceof ApiError)) throw error;
      });
    }
  }

  /**
   * Creates nodes that only pods of the namespace tolerate, so that other scenarios do not use
   * them.
   */
  async #createNodes(count: number): Promise<void> {
    const { client, namespace } = this.#stage;
    for (let index = 0; index < count; index++) {
      const node = pretendNode(nextNode);
      nextNode = nextNode === LAST_NODE ? FIRST_NODE : nextNode + 1;
      node.metadata.labels = { ...node.metadata.labels, own: namespace };
      node.spec = {
        ...node.spec,
        taints: [{ key: "own", value: namespace, effect: "NoSchedule" }],
      };
      await client.create(Node, node);
      this.#nodes.push(node.metadata.name!);
    }
    await this.#stage.pass(1000);
  }

  async #patchNode(index: number, body: unknown): Promise<void> {
    const name = this.#nodes[index];
    if (name) await this.#stage.client.patch(Node, name, mergePatch(body as never));
  }

  /**
   * Stops the kubelet of a node until the node is not ready, executes a step, and restarts the
   * kubelet.
   */
  async #outage(index: number, during: RandomStep): Promise<void> {
    const { client, pass } = this.#stage;
    const name = this.#nodes[index];
    if (!name) return;
    await this.#patchNode(index, { metadata: { annotations: { [PRETEND_ANNOTATION]: null } } });
    const conditions = [{ type: "Ready", status: "False", reason: "KubeletNotReady" }];
    await client.patchStatus(Node, name, strategicPatch({ status: { conditions } } as never));
    await pass(OUTAGE_MS);
    await this.take(during);
    await pass(OUTAGE_MS);
    await this.#patchNode(index, { metadata: { annotations: { [PRETEND_ANNOTATION]: "true" } } });
    await pass(OUTAGE_MS);
  }

  async #setQuota(pods: number | null): Promise<void> {
    await this.#replace(ResourceQuota, pods === null ? null : { hard: { pods: String(pods) } });
    await this.#stage.pass(1000);
  }

  /** Replaces the spec of the object `web` of a type; `null` deletes the object. */
  async #replace(type: ResourceType, spec: Spec | null): Promise<void> {
    const { client } = this.#stage;
    const key = this.#stage.key("web");
    const old = (await client.list(type, { namespace: this.#stage.namespace })).items[0];
    if (spec === null) return void (old && await client.delete(type, key));
    if (old) return void await client.patch(type, key, mergePatch({ spec } as never));
    await create(this.#stage, type, { metadata: { name: "web" }, spec } as KubeObject);
  }
}

function revisionOf({ metadata }: V1ReplicaSet): number {
  return Number(metadata.annotations?.["deployment.kubernetes.io/revision"] ?? 0);
}

/** Returns a sort key for pods by their templates and states, which is equal in any two runs. */
function rankOf({ metadata, spec, status }: V1Pod): string {
  const { "pod-template-hash": _, "controller-revision-hash": __, ...labels } = metadata.labels ??
    {};
  const { image, resources } = spec?.containers[0] ?? {};
  const isReady = status?.conditions?.some(({ type, status }) =>
    type === "Ready" && status === "True"
  );
  const script = metadata.annotations?.[SCRIPT];
  return JSON.stringify([
    image,
    resources,
    script,
    Object.entries(labels).sort(),
    status?.phase,
    isReady,
    metadata.name,
  ]);
}
