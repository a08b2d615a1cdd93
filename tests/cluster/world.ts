/**
 * The worlds in which scenarios of workloads run: an API server with the controllers of this library,
 * and one with those of kube-controller-manager. Scheduler and kubelet are those of this library in
 * both, since a real kubelet needs containers.
 *
 * @module
 */
import type {
  V1ControllerRevision,
  V1DaemonSet,
  V1Deployment,
  V1Job,
  V1Pod,
  V1PodTemplateSpec,
  V1ReplicaSet,
  V1StatefulSet,
} from "../../lib/apimachinery/kubernetes_types/mod.ts";
import type { KubeObject, ResourceType } from "../../lib/apimachinery/meta/mod.ts";
import {
  ControllerRevision,
  DaemonSet,
  Deployment,
  EventsEvent,
  Job,
  Namespace,
  PersistentVolumeClaim,
  Pod,
  ReplicaSet,
  StatefulSet,
} from "../../lib/apimachinery/meta/mod.ts";
import type { Client } from "../../lib/client/mod.ts";
import { delay } from "../../lib/apimachinery/base/mod.ts";

/** A scenario: what a user does in a namespace of its own. */
export interface Scenario {
  readonly name: string;
  /** The time for which a state must not change to count as settled, in milliseconds. */
  readonly restMs?: number;
  readonly run: (stage: Stage) => Promise<void>;
}

const REST_MS = 700;

/** The number of looks at a namespace until it counts as never settled: about two minutes. */
const MOST_LOOKS = 170;

/** Lets time pass, in milliseconds: on a real clock by waiting, on a fake one by moving it. */
export type Pass = (ms: number) => Promise<void>;

/** A namespace of a world, in which one scenario runs. */
export class Stage {
  readonly client: Client;
  readonly namespace: string;

  /** Lets time pass in the world of the stage. */
  readonly pass: Pass;

  readonly #restMs: number;

  private constructor(client: Client, namespace: string, restMs: number, pass: Pass) {
    this.client = client;
    this.namespace = namespace;
    this.#restMs = restMs;
    this.pass = pass;
  }

  /** Makes the namespace of a scenario, on a real clock unless `pass` moves another. */
  static async open(
    client: Client,
    { name, restMs = REST_MS }: Pick<Scenario, "name" | "restMs">,
    pass: Pass = delay,
  ): Promise<Stage> {
    const namespace = name.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 60);
    await client.create(Namespace, { metadata: { name: namespace } });
    return new Stage(client, namespace, restMs, pass);
  }

  /** Returns the key of an object of the namespace. */
  key(name: string): string {
    return `${this.namespace}/${name}`;
  }

  /**
   * Waits until the rollouts of the namespace are complete, paused, or held up by pods that are not
   * ready, and nothing has changed for a while.
   */
  async settle(): Promise<void> {
    let before = "";
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const now = JSON.stringify(await this.#versions());
      if (now === before && await this.#isAtRest()) return;
      before = now;
      await this.pass(this.#restMs);
    }
    throw new Error(`Namespace ${this.namespace} does not settle: ${before}`);
  }

  async #isAtRest(): Promise<boolean> {
    const [deployments, sets, stateful, pods] = await Promise.all([
      this.#list(Deployment),
      this.#list(ReplicaSet),
      this.#list(StatefulSet),
      this.#list(Pod),
    ]);
    const held = pods.some((pod) => isNeverReady(pod) && !isReady(pod));
    const daemons = await this.#list(DaemonSet);
    return daemons.every((set) => isObserved(set) && (isEverywhere(set) || held)) &&
      deployments.every((each) => isObserved(each) && (isComplete(each) || held)) &&
      sets.every((set) => isObserved(set) && isFilled(set)) &&
      (await this.#list(Job)).every(isOver) &&
      stateful.every((set) => isObserved(set) && isUpdated(set));
  }

  /** Returns the state of the namespace, in which names, UIDs and times are told apart no longer. */
  async state(): Promise<unknown> {
    const names = new Map<string, string>();
    const normal = (type: ResourceType, object: KubeObject): unknown =>
      normalized(object, type.kind, names);
    const sets = await this.#list(ReplicaSet);
    sets.sort((a, b) => revisionOf(a) - revisionOf(b));
    for (const [index, { metadata }] of sets.entries()) {
      const hash = metadata.labels?.["pod-template-hash"];
      if (hash) names.set(hash, `hash${index + 1}`);
    }
    const pods = (await this.#list(Pod)).map((pod) => normal(Pod, pod));
    const events = (await this.#list(EventsEvent)).filter(({ regarding }) =>
      ["DaemonSet", "Deployment", "Job", "ReplicaSet", "StatefulSet"].includes(
        regarding?.kind ?? "",
      )
    ).flatMap(({ regarding, reason, note, type }) =>
      singleSteps(renamed(`${regarding?.kind} ${type} ${reason}: ${note}`, names))
    );
    return {
      daemonSets: (await this.#list(DaemonSet)).map((each) => normal(DaemonSet, each)),
      revisions: (await this.#list(ControllerRevision)).map(revisionFacts).sort(),
      deployments: (await this.#list(Deployment)).map((each) => normal(Deployment, each)),
      statefulSets: (await this.#list(StatefulSet)).map((each) => normal(StatefulSet, each)),
      jobs: (await this.#list(Job)).map((each) => normal(Job, each)),
      claims: (await this.#list(PersistentVolumeClaim)).map((each) =>
        normal(PersistentVolumeClaim, each)
      ),
      replicaSets: sets.map((set) => normal(ReplicaSet, set)),
      pods: pods.map((pod) => JSON.stringify(pod)).sort(),
      events: events.sort(),
    };
  }

  async #list<T extends KubeObject>(type: ResourceType<T>): Promise<T[]> {
    return (await this.client.list(type, { namespace: this.namespace })).items;
  }

  async #versions(): Promise<unknown> {
    const lists = [
      DaemonSet,
      Deployment,
      Job,
      ReplicaSet,
      StatefulSet,
      Pod,
      EventsEvent,
    ] as ResourceType[];
    return await Promise.all(
      lists.map(async (type) =>
        (await this.#list(type)).map(({ metadata }) => metadata.resourceVersion)
      ),
    );
  }
}

function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata.annotations?.["deployment.kubernetes.io/revision"] ?? 0);
}

/**
 * Replaces a scaling by several pods by scalings by one: two changes of a size that follow each other
 * closely are one or two writes. Combined events are left out.
 */
function singleSteps(event: string): string[] {
  const [, start, from, to] = /^(.* from )(\d+) to (\d+)$/.exec(event) ?? [];
  // The text of a combined event is that of the last one.
  if (event.includes("(combined from similar events)")) return [];
  if (start === undefined) return [event];
  const [low, high] = [Number(from), Number(to)].sort((a, b) => a - b) as [number, number];
  return Array.from({ length: high - low }, (_, step) => `${start}${low + step} or one more`);
}

/**
 * Replaces the hashes of pod templates, also of ReplicaSets that are gone, and the random ends of
 * names.
 */
function renamed(text: string, names: ReadonlyMap<string, string>): string {
  let result = text;
  for (const [hash, name] of names) result = result.replaceAll(hash, name);
  result = result.replace(/\bweb-[bcdfghjklmnpqrstvwxz2456789]{8,10}\b/g, "web-hash0");
  return result.replace(
    /\b([a-z]+(?:-hash\d+|-\d+)?)-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g,
    "$1-#####",
  ).replace(/^node-\d+$/, "node-#");
}

/** The fields that differ between any two runs. */
const VARYING = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "deletionTimestamp",
  "managedFields",
  "lastTransitionTime",
  "lastUpdateTime",
  "lastProbeTime",
  "startTime",
  "startedAt",
  "finishedAt",
  "podIP",
  "podIPs",
  "hostIP",
  "hostIPs",
  "nodeName",
  "containerID",
  "generateName",
  "namespace",
  "completionTime",
  "controller-uid",
  "batch.kubernetes.io/controller-uid",
]);

function normalized(value: unknown, kind: string, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return renamed(value, names);
  if (Array.isArray(value)) {
    const items = value.map((item) => normalized(item, kind, names));
    return items.filter((item) => !isTokenVolume(item));
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([name]) => !VARYING.has(name) && name !== "controller-revision-hash")
    // The order in which containers were made available decides how often a spec was written.
    .filter(([name]) => !/^(observedG|g)eneration$/.test(name))
    .map(([name, item]) => [name, normalized(item, kind, names)] as const)
    .filter(([, item]) => !(Array.isArray(item) && item.length === 0))
    .map(([name, item]) => [name, name === "conditions" ? byType(item) : item] as const)
    .sort(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(entries);
}

/** Reports whether a volume or mount is that of a service account token, which needs a controller. */
function isTokenVolume(item: unknown): boolean {
  const { name } = (item ?? {}) as { name?: string };
  return typeof name === "string" && name.startsWith("kube-api-access-");
}

/** The reasons of a rollout that goes on: which one is the last depends on the pace of the pods. */
const GOING_ON = ["NewReplicaSetCreated", "FoundNewReplicaSet", "ReplicaSetUpdated"];

/**
 * Sorts conditions by type, since their order is that of their last changes, and takes alike those
 * between which kube-controller-manager chooses by the pace of the pods.
 */
function byType(conditions: unknown): unknown {
  const list = conditions as { type: string; reason?: string; message?: string }[];
  return list.toSorted((a, b) => a.type < b.type ? -1 : 1).map((condition) => {
    const { reason = "", message = "" } = condition;
    if (GOING_ON.includes(reason)) return { ...condition, reason: "going on", message: "" };
    return { ...condition, message: message.replace(/web-hash\d+(" has successfully)/, "web$1") };
  });
}

/** Reports whether the controller of an object has seen its spec. */
function isObserved(
  { metadata, status }: V1DaemonSet | V1Deployment | V1ReplicaSet | V1StatefulSet,
): boolean {
  return (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
}

/** Reports whether a DaemonSet has its pods, and the current template where the update is its own. */
function isEverywhere({ spec, status }: V1DaemonSet): boolean {
  const { desiredNumberScheduled, numberAvailable = 0, updatedNumberScheduled = 0 } = status!;
  if (numberAvailable !== desiredNumberScheduled) return false;
  return spec?.updateStrategy?.type === "OnDelete" ||
    updatedNumberScheduled === desiredNumberScheduled;
}

/** Returns the owner, the number and the image of a revision. */
function revisionFacts({ metadata, revision, data }: V1ControllerRevision): string {
  const { template } = (data as { spec: { template: V1PodTemplateSpec } }).spec;
  const images = template.spec?.containers.map(({ image }) => image);
  return `${metadata.ownerReferences?.[0]?.kind} ${revision}: ${images}`;
}

/** Reports whether a rollout has nothing left to do. */
function isComplete({ spec, status }: V1Deployment): boolean {
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {};
  if (spec.paused) return replicas === 0 || replicas === spec.replicas;
  return [replicas, updatedReplicas, availableReplicas].every((count) => count === spec.replicas);
}

/** Reports whether a Job has finished, or is suspended. */
function isOver({ status }: V1Job): boolean {
  return (status?.conditions ?? []).some(({ type, status }) =>
    status === "True" && ["Complete", "Failed", "Suspended"].includes(type ?? "")
  );
}

/** Reports whether all pods of a StatefulSet are ready, those from the partition on updated. */
function isUpdated({ spec, status }: V1StatefulSet): boolean {
  const { replicas = 0, readyReplicas = 0, updatedReplicas = 0 } = status ?? {};
  if (replicas !== spec.replicas || readyReplicas !== spec.replicas) return false;
  if (spec.updateStrategy?.type === "OnDelete") return true;
  return updatedReplicas >= replicas - (spec.updateStrategy?.rollingUpdate?.partition ?? 0);
}

/** Reports whether a ReplicaSet has its pods, or cannot get them. */
function isFilled({ spec, status }: V1ReplicaSet): boolean {
  return (status?.replicas ?? 0) === spec.replicas || (status?.conditions ?? []).length > 0;
}

function isReady({ status }: V1Pod): boolean {
  return status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ??
    false;
}

/** Reports whether the script of a pod keeps it from becoming ready. */
function isNeverReady({ metadata }: V1Pod): boolean {
  return Object.values(metadata.annotations ?? {}).some((text) => text.includes('"never"'));
}
