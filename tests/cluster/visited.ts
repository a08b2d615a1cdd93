import { type KubeObject, Pod, type ResourceType } from "../../lib/apimachinery/meta/mod.ts";
import type { Client } from "../../lib/client/mod.ts";
import { SequenceRecorder, type Sequences } from "./sequences.ts";
import { GOING_ON } from "./world.ts";

/**
 * The states of the objects of a namespace that a watch has observed, by kind: conditions such as
 * `Available=True MinimumReplicasAvailable`, phases, and transitions such as
 * `Available: False > True`.
 */
export type Visited = Readonly<Record<string, readonly string[]>>;

/** Returns the union of the states that several runs visited. */
export function united(all: readonly Visited[]): Visited {
  const kinds = [...new Set(all.flatMap((each) => Object.keys(each)))].sort();
  return Object.fromEntries(
    kinds.map((kind) => [kind, [...new Set(all.flatMap((each) => each[kind] ?? []))].sort()]),
  );
}

/** Returns the states of a run that the other runs did not visit. */
export function unheardOf(actual: Visited, expected: Visited): string[] {
  return Object.entries(actual).flatMap(([kind, facts]) =>
    facts.filter((each) => !expected[kind]?.includes(each)).map((each) => `${kind} ${each}`)
  );
}

/**
 * The recorder of the states of a namespace's objects that a watch observes.
 *
 * Two runs are equivalent when the second visits no state that the first did not visit. A state is
 * the phase of an object, or the type, status and reason of one of its conditions; a transition is
 * a change of the phase, or of the status of a condition, between two watch events. A run may skip
 * states and transitions: kube-controller-manager writes two close changes as one, so its own runs
 * differ by that. Of counts in statuses only the order of rises and falls is compared ({@linkcode
 * Sequences}), since intermediate values depend on which changes were written together. Objects
 * that are being deleted are not compared, since the order in which their finalizers are removed
 * depends on timing.
 */
export class VisitedStates implements AsyncDisposable {
  readonly #ending = new AbortController();
  readonly #watches: Promise<void>[] = [];
  readonly #seen = new Map<string, Set<string>>();
  readonly #recorders = new Map<string, Map<string, SequenceRecorder>>();

  private constructor() {}

  /** Starts watches of pods and other kinds in a namespace. */
  static async start(
    client: Client,
    namespace: string,
    types: readonly ResourceType[],
  ): Promise<VisitedStates> {
    const states = new VisitedStates();
    for (const type of new Set([...types, Pod as ResourceType])) {
      const { metadata } = await client.list(type, { namespace });
      const resourceVersion = metadata?.resourceVersion ?? "";
      states.#watches.push(states.#watch(client, namespace, type, resourceVersion));
    }
    return states;
  }

  /** Returns the visited states by kind. */
  result(): Visited {
    const kinds = [...this.#seen].filter(([, facts]) => facts.size > 0);
    return Object.fromEntries(
      kinds.sort(([a], [b]) => a < b ? -1 : 1).map(([kind, facts]) => [kind, [...facts].sort()]),
    );
  }

  /** Returns the sequences of the states of each object, by kind. */
  sequences(): Sequences {
    return Object.fromEntries(
      [...this.#recorders].map(([kind, recorders]) => [
        kind,
        [...recorders.values()].map(({ sequence }) => sequence),
      ]),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#watches);
  }

  async #watch(
    client: Client,
    namespace: string,
    type: ResourceType,
    resourceVersion: string,
  ): Promise<void> {
    const { signal } = this.#ending;
    const last = new Map<string, Map<string, string>>();
    const seen = new Set<string>();
    this.#seen.set(type.kind, seen);
    const recorders = new Map<string, SequenceRecorder>();
    this.#recorders.set(type.kind, recorders);
    try {
      for await (const event of client.watch(type, { namespace, resourceVersion, signal })) {
        if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
        const { object } = event;
        if (object.metadata.deletionTimestamp !== undefined) continue;
        const { uid = "" } = object.metadata;
        const recorder = recorders.get(uid) ?? new SequenceRecorder();
        recorders.set(uid, recorder);
        recorder.add(object);
        const before = last.get(uid) ?? new Map<string, string>();
        last.set(uid, before);
        for (const [name, value, fact] of factsOf(object)) {
          seen.add(fact);
          const from = before.get(name);
          if (from !== undefined && from !== value) seen.add(`${name}: ${from} > ${value}`);
          before.set(name, value);
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

/** Returns the names, values and full texts of an object's phase and conditions. */
export function factsOf(object: KubeObject): [string, string, string][] {
  const { status = {} } = object as unknown as { readonly status?: StatusFacts };
  const { phase, conditions = [] } = status;
  return [
    ...(phase === undefined
      ? []
      : [["phase", phase, `phase ${phase}`] as [string, string, string]]),
    ...conditions.map(({ type, status, reason }): [string, string, string] => [
      type,
      status,
      [`${type}=${status}`, GOING_ON.includes(reason ?? "") ? "going on" : reason]
        .filter(Boolean).join(" "),
    ]),
  ];
}

/** The fields of a status that are compared. */
interface StatusFacts {
  readonly phase?: string;
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason?: string;
  }[];
}
