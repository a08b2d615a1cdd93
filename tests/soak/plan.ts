import type { Random } from "../../lib/apimachinery/base/time/random.ts";

/** A fault. Times are in milliseconds. */
export type Fault =
  /** Every open connection is closed. */
  | { readonly type: "cut" }
  /** Closes every open connection after a number of further bytes from the server. */
  | { readonly type: "cutAfter"; readonly bytes: number }
  /** Closes every new connection after a number of bytes from the server, for a time. */
  | { readonly type: "cutNew"; readonly bytes: number; readonly forMs: number }
  /** Nothing passes for a while; then it does, or the connections that were silent are closed. */
  | { readonly type: "stall"; readonly forMs: number; readonly thenCut: boolean }
  /** New connections are refused for a while, and the open ones are closed. */
  | { readonly type: "refuse"; readonly forMs: number }
  /** The server's threads stop for a while. */
  | { readonly type: "pause"; readonly forMs: number }
  /** The history in etcd is compacted. */
  | { readonly type: "compact" }
  /** The server is killed and starts again. */
  | { readonly type: "restart" }
  /** Restarts the server without its history. */
  | { readonly type: "expire" }
  /** The operator is stopped and started again. */
  | { readonly type: "operator" }
  /** Adds a handler until the end of the round. */
  | { readonly type: "handler" };

/** The kinds that are written. */
export type WrittenKind = "ConfigMap" | "Xca";

/** One write of the churn. */
export type Write =
  /** Changes an object, or creates it when there is none. */
  | {
    readonly type: "put";
    readonly kind: WrittenKind;
    readonly name: string;
    readonly size: number;
  }
  /** Deletes an object, if there is one. */
  | { readonly type: "delete"; readonly kind: WrittenKind; readonly name: string }
  /** Reverts the operator's change of an Xca. */
  | { readonly type: "deactivate"; readonly name: string };

/** The steps, in order: a fault may begin, then a write, then a pause. */
export interface Step {
  readonly fault?: Fault;
  readonly write: Write;
  readonly waitMs: number;
}

/** The number of names of each kind, which bounds the number of objects and so the memory. */
const NAMES: Readonly<Record<WrittenKind, number>> = { ConfigMap: 300, Xca: 100 };

/** The relative probability of each fault. Faults that kill the server take seconds each. */
const WEIGHTS: Readonly<Record<Fault["type"], number>> = {
  cut: 4,
  cutAfter: 6,
  cutNew: 3,
  stall: 3,
  refuse: 3,
  pause: 2,
  compact: 2,
  restart: 2,
  expire: 3,
  operator: 2,
  handler: 3,
};

/** Returns the plan of a round, which depends on the random numbers alone. */
export function planRound(random: Random): Step[] {
  const steps = between(random, 200, 500);
  const faults = new Map<number, Fault>();
  for (let left = between(random, 2, 5); left > 0; left--) {
    faults.set(between(random, 0, steps - 1), planFault(random));
  }
  return Array.from({ length: steps }, (_, at) => {
    const fault = faults.get(at);
    const step = { write: planWrite(random), waitMs: between(random, 0, 30) };
    return fault ? { fault, ...step } : step;
  });
}

function planFault(random: Random): Fault {
  const type = weighted(random, WEIGHTS);
  switch (type) {
    case "cutAfter":
      return { type, bytes: someBytes(random) };
    case "cutNew":
      return { type, bytes: someBytes(random), forMs: between(random, 100, 2_000) };
    case "stall":
      return { type, forMs: between(random, 100, 6_000), thenCut: random.next() < 0.5 };
    case "refuse":
      return { type, forMs: between(random, 100, 3_000) };
    case "pause":
      return { type, forMs: between(random, 100, 3_000) };
    default:
      return { type };
  }
}

function planWrite(random: Random): Write {
  const kind: WrittenKind = random.next() < 0.6 ? "ConfigMap" : "Xca";
  const name = `${kind.toLowerCase()}-${between(random, 0, NAMES[kind] - 1)}`;
  const chance = random.next();
  if (chance < 0.25) return { type: "delete", kind, name };
  if (chance < 0.4 && kind === "Xca") return { type: "deactivate", name };
  return { type: "put", kind, name, size: someBytes(random) % 20_000 };
}

/** Few bytes as often as many: in a TLS handshake, in a header, between events, within one. */
function someBytes(random: Random): number {
  return Math.floor(2 ** (random.next() * 17));
}

/** A whole number of a range, both ends included. */
function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random.next() * (most - least + 1));
}

function weighted<Name extends string>(
  random: Random,
  weights: Readonly<Record<Name, number>>,
): Name {
  const entries = Object.entries(weights) as [Name, number][];
  let at = random.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    at -= weight;
    if (at < 0) return name;
  }
  return entries[0]![0];
}
