/**
 * The order in which a watch observes the states of an object.
 *
 * @module
 */
import { type KubeObject } from "../../lib/apimachinery/meta/mod.ts";
import { factsOf } from "./visited.ts";

/** The facts about an object, each with the number of the watch event with which it began. */
export type Sequence = ReadonlyMap<string, number>;

/** The sequences of the objects of a run, by kind. */
export type Sequences = Readonly<Record<string, readonly Sequence[]>>;

/**
 * The order of the facts about objects, by kind, as chains such as `phase Pending < phase Running`.
 * A chain holds for neighbouring facts: where both occur, the first began before the second. A fact
 * without an order is a chain of one element.
 */
export type Order = Readonly<Record<string, readonly string[]>>;

const BEFORE = " < ";

/**
 * The numbers in a status that are not compared: those that are not counts, and those of pods in
 * transition, which a watch may miss when the pods are fast.
 */
const NO_COUNTS = [
  "collisionCount",
  "numberUnavailable",
  "observedGeneration",
  "terminating",
  "terminatingReplicas",
  "unavailableReplicas",
];

/** The recorder of the facts about one object from the events of a watch. */
export class SequenceRecorder {
  readonly #first = new Map<string, number>();
  readonly #counts = new Map<string, number>();
  #events = 0;

  /** The facts about the object so far. */
  get sequence(): Sequence {
    return this.#first;
  }

  /** Records a version of the object. */
  add(object: KubeObject): void {
    const { status = {} } = object as unknown as { status?: Record<string, unknown> };
    const counts = Object.entries(status).filter(([name, value]) =>
      typeof value === "number" && !NO_COUNTS.includes(name)
    ) as [string, number][];
    // A count of zero is left out of most statuses.
    for (const name of this.#counts.keys()) {
      if (!(name in status)) counts.push([name, 0]);
    }
    const facts = factsOf(object).map(([, , fact]) => fact);
    for (const [name, value] of counts) {
      const before = this.#counts.get(name) ?? 0;
      if (value !== before) facts.push(`${name} ${value > before ? "rises" : "falls"}`);
      this.#counts.set(name, value);
    }
    for (const fact of facts) {
      if (!this.#first.has(fact)) this.#first.set(fact, this.#events);
    }
    this.#events++;
  }
}

/** The number of runs in which two facts must have an order for it to count. */
const EVIDENCE = 2;

/** Returns the order that holds in all of several runs. */
export function orderOf(runs: readonly Sequences[]): Order {
  const kinds = [...new Set(runs.flatMap((run) => Object.keys(run)))].sort();
  return Object.fromEntries(
    kinds.map((kind): [string, string[]] => [kind, chainsOf(runs.map((run) => run[kind] ?? []))])
      .filter(([, chains]) => chains.length > 0),
  );
}

/** Returns the chains of one kind from the sequences of its objects in each run. */
function chainsOf(runs: readonly (readonly Sequence[])[]): string[] {
  const all = runs.flat();
  const facts = [...new Set(all.flatMap((sequence) => [...sequence.keys()]))].sort();
  const withBoth = (a: string, b: string): readonly Sequence[] =>
    all.filter((sequence) => sequence.has(a) && sequence.has(b));
  const isBefore = (a: string, b: string): boolean => {
    const seen = runs.filter((run) => run.some((sequence) => sequence.has(a) && sequence.has(b)));
    return a !== b && seen.length >= Math.min(EVIDENCE, runs.length) &&
      withBoth(a, b).every((sequence) => sequence.get(a)! < sequence.get(b)!);
  };
  const after = new Map(facts.map((a) => [a, facts.filter((b) => isBefore(a, b))]));
  // A pair is left out when a third fact, which is always there with both, comes between them.
  const isImplied = (a: string, b: string): boolean =>
    after.get(a)!.some((middle) =>
      after.get(middle)!.includes(b) && withBoth(a, b).every((sequence) => sequence.has(middle))
    );
  return joined(
    facts,
    new Map(
      [...after].map(([a, others]) => [a, others.filter((b) => !isImplied(a, b))]),
    ),
  );
}

/** Joins ordered pairs of facts to chains that contain each pair once, and each fact. */
function joined(facts: readonly string[], pairs: ReadonlyMap<string, string[]>): string[] {
  const used = new Set<string>();
  const chains: string[] = [];
  const starts = facts.filter((fact) => ![...pairs.values()].some((next) => next.includes(fact)));
  for (const start of [...starts, ...facts]) {
    while (pairs.get(start)!.length > 0 || !used.has(start)) {
      const chain = [start];
      for (let fact = pairs.get(start)!.shift(); fact !== undefined;) {
        chain.push(fact);
        fact = pairs.get(fact)!.shift();
      }
      for (const fact of chain) used.add(fact);
      chains.push(chain.join(BEFORE));
    }
  }
  return chains;
}

/**
 * Returns the violations of an order in a run's sequences: two facts in the wrong order, and counts
 * that rise or fall although they never do in the order. Two facts may begin together, since two
 * close changes are written as one.
 */
export function outOfOrder(run: Sequences, order: Order): string[] {
  const found = Object.entries(order).flatMap(([kind, chains]) => {
    const split = chains.map((chain) => chain.split(BEFORE));
    const pairs = split.flatMap((chain) =>
      chain.slice(1).map((fact, index) => [chain[index]!, fact])
    );
    const known = new Set(split.flat());
    return (run[kind] ?? []).flatMap((sequence) => [
      ...pairs.filter(([a, b]) => sequence.get(a!)! > sequence.get(b!)!)
        .map(([a, b]) => `${kind}: ${b} before ${a}`),
      ...[...sequence.keys()].filter((fact) => / (rises|falls)$/.test(fact) && !known.has(fact))
        .map((fact) => `${kind}: ${fact}`),
    ]);
  });
  return [...new Set(found)].sort();
}
