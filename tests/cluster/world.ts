/**
 * The clusters in which scenarios of workloads run: an API server with this library's controllers,
 * or with those of kube-controller-manager. Both use this library's kubelet, since a real kubelet
 * needs containers, and usually its scheduler.
 *
 * @module
 */
import type { EventsV1Event, V1Pod } from "../../lib/apimachinery/kubernetes_types/mod.ts";
import type { KubeObject, ResourceType } from "../../lib/apimachinery/meta/mod.ts";
import {
  EventsEvent,
  Namespace,
  Pod,
  ReplicaSet,
  ServiceAccount,
} from "../../lib/apimachinery/meta/mod.ts";
import { type Client, ignoreNotFound } from "../../lib/client/mod.ts";
import type { MetricsHandlers } from "../../lib/cluster/mod.ts";
import { delay } from "../../lib/apimachinery/base/mod.ts";

/** A kind whose objects, and the events about them, a scenario compares. */
export interface ComparedKind {
  readonly type: ResourceType;
  /**
   * Reports whether the controller of an object has no work left on it.
   *
   * @default {always}
   */
  readonly isAtRest?: (object: never, pods: readonly V1Pod[]) => boolean;
  /** Returns the compared facts of an object. @default {all fields except varying ones} */
  readonly facts?: (object: never) => unknown;
  /**
   * Reports whether a cluster-scoped object belongs to the scenario of a namespace. @default
   * {never}
   */
  readonly belongsTo?: (object: never, namespace: string) => boolean;
  /** Sets whether the events about the objects are compared. @default {true} */
  readonly hasEvents?: boolean;
  /** The texts of events whose number differs between any two runs. @default {none} */
  readonly varyingEvents?: RegExp;
  /**
   * Sets whether the events about cluster-scoped objects of the scenario are compared. @default
   * {false}
   */
  readonly hasClusterEvents?: boolean;
  /**
   * The fields that differ between any two runs, in addition to {@linkcode VARYING}.
   *
   * @default {none}
   */
  readonly varying?: readonly string[];
}

/** The scenarios of an area, such as one controller. */
export interface ScenarioArea {
  /** The name of the area, equal to the name of its file. */
  readonly name: string;
  /** The kinds that the scenarios of the area compare, besides pods. */
  readonly kinds: readonly ComparedKind[];
  readonly scenarios: readonly Scenario[];
  /**
   * The controllers of kube-controller-manager that the area compares in addition to the default
   * ones.
   */
  readonly controllers?: readonly string[];
  /** The metrics handlers that the scenarios of the area need. @default {none} */
  readonly metrics?: MetricsHandlers;
  /**
   * Reports whether each scenario is played alone, since it changes nodes or classes that others use. The
   * real control plane then runs kube-scheduler.
   *
   * @default {false}
   */
  readonly isAlone?: boolean;
}

/** A scenario: the actions of a user in a namespace, whose settled result is compared. */
export interface Scenario {
  readonly name: string;
  /** The time for which the state must not change to count as settled, in milliseconds. */
  readonly restMs?: number;
  /**
   * The number of polls without a change after which the state counts as settled although a
   * controller has work left.
   *
   * @default {Infinity}
   */
  readonly patience?: number;
  /** The kinds that the scenario compares, besides pods and those of its area. @default {none} */
  readonly kinds?: readonly ComparedKind[];
  /**
   * The controllers whose crash may change the result of the scenario, since they keep pending work
   * in memory only.
   *
   * @default {none}
   */
  readonly forgetful?: readonly string[];
  readonly run: (stage: Stage) => Promise<void>;
  /** Undoes the changes that the scenario made outside its namespace. @default {nothing} */
  readonly after?: (stage: Stage) => Promise<void>;
}

const REST_MS = 700;

/** The number of polls after which a namespace counts as never settled: about two minutes. */
const MOST_LOOKS = 170;

/**
 * A function that lets time pass, in milliseconds: by waiting on a real clock, by advancing a fake
 * clock.
 */
export type Pass = (ms: number) => Promise<void>;

/** The fields of a scenario that its stage needs. */
type Opened = Pick<Scenario, "name" | "restMs" | "patience" | "kinds">;

/**
 * The reason of kube-apiserver's events about Services that it has not observed since its start.
 */
const API_SERVER_REPAIR = "ClusterIPNotAllocated";

/** Returns the name of the namespace of a scenario. */
export function namespaceOf({ name }: Pick<Scenario, "name">): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 60).replace(/-$/, "");
}

/** A namespace of a cluster, in which one scenario runs. */
export class Stage {
  readonly client: Client;
  readonly namespace: string;

  /** Lets time pass in the cluster of the stage. */
  readonly pass: Pass;

  readonly #restMs: number;
  readonly #patience: number;
  readonly #kinds: readonly ComparedKind[];

  private constructor(client: Client, namespace: string, scenario: Opened, pass: Pass) {
    this.client = client;
    this.namespace = namespace;
    this.#restMs = scenario.restMs ?? REST_MS;
    this.#patience = scenario.patience ?? Infinity;
    this.#kinds = scenario.kinds ?? [];
    this.pass = pass;
  }

  /** Creates the namespace of a scenario, on a real clock unless `pass` advances a fake one. */
  static async open(client: Client, scenario: Opened, pass: Pass = delay): Promise<Stage> {
    const namespace = namespaceOf(scenario);
    await client.create(Namespace, { metadata: { name: namespace } });
    const stage = new Stage(client, namespace, scenario, pass);
    await stage.#awaitAccount();
    return stage;
  }

  /** Returns the key of an object in the stage's namespace. */
  readonly key = (name: string): string => `${this.namespace}/${name}`;

  /**
   * Waits until the rollouts of the namespace are complete, paused, or blocked by pods that are not
   * ready, and the state has not changed for the rest time; or until the scenario's patience is
   * exhausted.
   */
  async settle(): Promise<void> {
    let before = "";
    let quiet = 0;
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const now = JSON.stringify(await this.#versions());
      quiet = now === before ? quiet + 1 : 0;
      if (quiet >= this.#patience || quiet > 0 && await this.#isAtRest()) return;
      before = now;
      await this.pass(this.#restMs);
    }
    throw new Error(`Namespace ${this.namespace} does not settle: ${before}`);
  }

  /** Waits for the service account of the pods, without which no pod can be created. */
  async #awaitAccount(): Promise<void> {
    const key = this.key("default");
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      await this.pass(looks === 0 ? 0 : this.#restMs);
      if (await ignoreNotFound(this.client.get(ServiceAccount, key))) return;
    }
    throw new Error(`Namespace ${this.namespace} gets no service account`);
  }

  async #isAtRest(): Promise<boolean> {
    const pods = await this.#list(Pod);
    if (pods.some(isInMotion)) return false;
    for (const { type, isAtRest } of this.#kinds) {
      const objects = await this.#list(type);
      if (isAtRest && !objects.every((object) => isAtRest(object as never, pods))) return false;
    }
    return true;
  }

  /** Returns the state of the namespace, with random names, UIDs and times normalized. */
  async state(): Promise<unknown> {
    const names = new Map<string, string>();
    const sets = await this.#list(ReplicaSet);
    sets.sort((a, b) => revisionOf(a) - revisionOf(b));
    for (const [index, { metadata }] of sets.entries()) {
      const hash = metadata.labels?.["pod-template-hash"];
      if (hash) names.set(hash, `hash${index + 1}`);
    }
    const kinds = [...new Map(this.#kinds.map((kind) => [kind.type.plural, kind])).values()];
    const objects: Record<string, unknown> = {};
    for (const { type, facts, varying = [] } of withPods(kinds)) {
      const items = (await this.#list(type)).map((object) => {
        const compared = facts ? facts(object as never) : object;
        return JSON.stringify(normalized(compared, names, new Set([...VARYING, ...varying])));
      });
      objects[type.plural] = items.sort().map((text) => JSON.parse(text));
    }
    const varyingEvents = kinds.flatMap((kind) => kind.varyingEvents ?? []);
    const events = (await this.#events())
      .map(({ regarding, reason, note, type }) => `${regarding?.kind} ${type} ${reason}: ${note}`)
      .filter((text) => !varyingEvents.some((pattern) => pattern.test(text)))
      .flatMap((text) => singleSteps(renamed(text, names)));
    return { ...objects, events: withoutMany(withoutLateCancels(events).sort()) };
  }

  /** Returns the sources of the compared events, as `Kind Reason: component`, sorted. */
  async eventSources(): Promise<string[]> {
    const sources = (await this.#events()).map((
      { regarding, reason, reportingController, deprecatedSource },
    ) => `${regarding?.kind} ${reason}: ${deprecatedSource?.component || reportingController}`);
    return [...new Set(sources)].sort();
  }

  /** Returns the events about objects of compared kinds. */
  async #events(): Promise<EventsV1Event[]> {
    const kinds = this.#kinds.filter(({ hasEvents = true }) => hasEvents)
      .map(({ type }) => type.kind);
    const events = [...await this.#list(EventsEvent), ...await this.#clusterEvents()];
    return events.filter(({ regarding, reason }) =>
      kinds.includes(regarding?.kind ?? "") && reason !== API_SERVER_REPAIR
    );
  }

  /** Returns the events about the scenario's cluster-scoped objects, including deleted ones. */
  async #clusterEvents(): Promise<EventsV1Event[]> {
    const kinds = this.#kinds.filter(({ hasClusterEvents }) => hasClusterEvents);
    if (kinds.length === 0) return [];
    const { items } = await this.client.list(EventsEvent, { namespace: "default" });
    return items.filter(({ regarding: { kind, name } = {} }) =>
      kinds.some((each) =>
        each.type.kind === kind && each.belongsTo?.({ metadata: { name } } as never, this.namespace)
      )
    );
  }

  async #list<T extends KubeObject>(type: ResourceType<T>): Promise<T[]> {
    if (type.scope !== "Cluster") {
      return (await this.client.list(type, { namespace: this.namespace })).items;
    }
    const { belongsTo } = this.#kinds.find((kind) => kind.type.plural === type.plural) ?? {};
    return (await this.client.list(type)).items.filter((object) =>
      belongsTo?.(object as never, this.namespace)
    );
  }

  async #versions(): Promise<unknown> {
    const types = [...this.#kinds.map(({ type }) => type), Pod, EventsEvent] as ResourceType[];
    return await Promise.all(
      types.map(async (type) =>
        (await this.#list(type)).map(({ metadata }) => metadata.resourceVersion)
      ),
    );
  }
}

/** Returns the compared kinds, with pods added if they are missing. */
function withPods(kinds: readonly ComparedKind[]): readonly ComparedKind[] {
  const pods = kinds.some(({ type }) => type.plural === Pod.plural);
  return pods ? kinds : [...kinds, { type: Pod as ResourceType }];
}

/** Reports whether the kubelet has still to start or to terminate a pod of its node. */
function isInMotion({ metadata, spec, status }: V1Pod): boolean {
  const { deletionTimestamp, finalizers = [] } = metadata;
  if (deletionTimestamp !== undefined) return finalizers.length === 0;
  const { containerStatuses = [], initContainerStatuses = [] } = status ?? {};
  return spec?.nodeName !== undefined &&
    containerStatuses.length + initContainerStatuses.length === 0;
}

function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata.annotations?.["deployment.kubernetes.io/revision"] ?? 0);
}

/**
 * Removes events about the cancelled eviction of a pod that was evicted: the deletion of the pod
 * may be observed before its eviction returns.
 */
function withoutLateCancels(events: readonly string[]): string[] {
  const marked = events.flatMap((event) =>
    /: Marking for deletion Pod (.*)$/.exec(event)?.[1] ?? []
  );
  return events.filter((event) =>
    !marked.some((pod) => event.endsWith(`: Cancelling deletion of Pod ${pod}`))
  );
}

/** The number of events with one reason from which some may have been combined. */
const MANY = 8;

/** Removes numerous events of one reason: recorders combine the tenth and later ones. */
function withoutMany(events: readonly string[]): string[] {
  // How often a refused request is repeated is a matter of time.
  const isFailure = (event: string): boolean => / Warning Failed\w+: /.test(event);
  const once = [...new Set(events.filter(isFailure)), ...events.filter((each) => !isFailure(each))];
  const byReason = Map.groupBy(once, (event) => event.split(":")[0]!);
  return [...byReason].flatMap(([reason, all]) => all.length < MANY ? all : [`${reason}: many`])
    .sort();
}

/**
 * Splits an event about scaling by several pods into events about single pods, since two close
 * changes of a size are one or two writes. Combined events are removed.
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
 * Replaces the hashes of pod templates, including those of deleted ReplicaSets, and the random
 * suffixes of names.
 */
function renamed(text: string, names: ReadonlyMap<string, string>): string {
  let result = text;
  for (const [hash, name] of names) result = result.replaceAll(hash, name);
  result = result.replace(/\b(web|state)-[bcdfghjklmnpqrstvwxz2456789]{8,10}\b/g, "$1-hash0");
  // The name of a CronJob's Job ends with its time in minutes.
  result = result.replace(/\b(tick)-\d{8}\b/g, "$1-minute");
  return result.replace(
    /\b([a-z]+(?:-hash\d+|-\d+|-minute)?)-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g,
    "$1-#####",
  ).replace(/^node-\d+$/, "node-#").replace(/\b(pvc-|by pod )[0-9a-f-]{36}\b/g, "$1#");
}

/** The fields that differ between any two runs. */
export const VARYING: ReadonlySet<string> = new Set([
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

/** Returns a value without varying fields, with random names replaced. */
function normalized(
  value: unknown,
  names: ReadonlyMap<string, string>,
  varying: ReadonlySet<string>,
): unknown {
  if (typeof value === "string") return renamed(value, names);
  if (Array.isArray(value)) {
    const items = value.map((item) => normalized(item, names, varying));
    return items.filter((item) => !isTokenVolume(item));
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([name]) => !varying.has(name) && name !== "controller-revision-hash")
    // The order in which containers were made available decides how often a spec was written.
    .filter(([name]) => !/^(observedG|g)eneration$/.test(name))
    .map(([name, item]) => [name, normalized(item, names, varying)] as const)
    .filter(([, item]) => !(Array.isArray(item) && item.length === 0))
    .map(([name, item]) => [name, name === "conditions" ? byType(item) : item] as const)
    .sort(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(entries);
}

/**
 * Reports whether a volume or volume mount holds a service account token, which only the scenarios
 * of service accounts compare.
 */
function isTokenVolume(item: unknown): boolean {
  const { name } = (item ?? {}) as { name?: string };
  return typeof name === "string" && name.startsWith("kube-api-access-");
}

/** The reasons of a rollout in progress; the last of them depends on the speed of the pods. */
export const GOING_ON: readonly string[] = [
  "NewReplicaSetCreated",
  "FoundNewReplicaSet",
  "ReplicaSetUpdated",
];

/**
 * Sorts conditions by type, since they are stored in the order of their last changes, and unifies
 * the reasons that depend on the speed of the pods under kube-controller-manager.
 */
function byType(conditions: unknown): unknown {
  const list = conditions as { type: string; reason?: string; message?: string }[];
  return list.toSorted((a, b) => a.type < b.type ? -1 : 1).map((condition) => {
    const { reason = "", message = "" } = condition;
    if (GOING_ON.includes(reason)) return { ...condition, reason: "going on", message: "" };
    return { ...condition, message: message.replace(/web-hash\d+(" has successfully)/, "web$1") };
  });
}
