import type { Played, Theatre } from "../play.ts";
import { unheardOf, united } from "../visited.ts";
import { scenarioOf } from "./scenario.ts";
import type { RandomStep } from "./steps.ts";

/** The outcome of a scenario in two worlds. */
export type Verdict =
  | { readonly is: "equal" }
  | { readonly is: "different" | "by chance"; readonly difference: Difference };

/** How the library differs from kube-controller-manager in a scenario. */
export interface Difference {
  /** The lines of the settled state that only kube-controller-manager has. */
  readonly missing: readonly string[];
  /** The lines of the settled state that only the library has. */
  readonly added: readonly string[];
  /** The states on the way that kube-controller-manager never had. */
  readonly unheardOf: readonly string[];
}

/** The number of times that a scenario is played under kube-controller-manager before it is different. */
const REAL_RUNS = 4;

/** The number of times that it is played under the library before it is different. */
const OWN_RUNS = 6;

/** The events of pods that depend on how often the scheduler tried, and those of containers. */
const VARYING_EVENTS =
  /\bPod \w+ (Scheduled|FailedScheduling|Preempted|Pulled|Created|Started|Killing|Unhealthy|BackOff|Pulling): /;

/** The events whose number depends on which nodes pods got. */
const COUNTLESS_EVENTS =
  / (TaintManagerEviction|NodeNotReady|FailedDaemonPod|SucceededDaemonPod): /;

let plays = 0;

/**
 * Plays a scenario under the library and under kube-controller-manager, and compares the ends. Where
 * they differ, both play it again, the library with other seeds of the choice of nodes: an end of one
 * run of each that is equal, or on which kube-controller-manager does not agree with itself, is by
 * chance.
 */
export async function compare(
  real: Theatre,
  library: (seed: number) => Promise<Theatre>,
  steps: readonly RandomStep[],
): Promise<Verdict> {
  const play = async (theatre: Theatre): Promise<Played> => {
    const played = await theatre.play(scenarioOf({ name: `random ${++plays}`, steps }));
    return { ...played, state: withoutVarying(played.state) };
  };
  const playSeed = async (seed: number): Promise<Played> => {
    await using theatre = await library(seed);
    return await play(theatre);
  };
  const ours = [await playSeed(1)];
  const theirs = [await play(real)];
  const difference = differenceOf(ours[0]!, theirs);
  if (difference === undefined) return { is: "equal" };
  for (let seed = 2; seed <= OWN_RUNS; seed++) ours.push(await playSeed(seed));
  for (;;) {
    const states = new Set(theirs.map(({ state }) => JSON.stringify(state)));
    if (states.size > 1 || ours.some((run) => differenceOf(run, theirs) === undefined)) {
      return { is: "by chance", difference };
    }
    if (theirs.length === REAL_RUNS) {
      return { is: "different", difference: differenceOf(ours[0]!, theirs)! };
    }
    theirs.push(await play(real));
  }
}

/** Returns how a run differs from others of which all have ended alike; `undefined` when it does not. */
function differenceOf(ours: Played, theirs: readonly Played[]): Difference | undefined {
  const [mine, their] = [linesOf(ours.state), linesOf(theirs[0]!.state)];
  const difference = {
    missing: their.filter((line) => !mine.includes(line)),
    added: mine.filter((line) => !their.includes(line)),
    unheardOf: unheardOf(ours.visited, united(theirs.map(({ visited }) => visited))),
  };
  return Object.values(difference).some((lines) => lines.length > 0) ? difference : undefined;
}

/** Returns a state without what depends on the node that a pod got, and without the namespace's name. */
function withoutVarying(state: Played["state"]): Played["state"] {
  const { events = [], ...others } = JSON.parse(
    JSON.stringify(state).replace(/\brandom-\d+\b/g, "random-#").replace(/\bnode-\d+\b/g, "node-#")
      // The hash of a ReplicaSet that is gone.
      .replace(/"pod-template-hash":"(?!hash)\w+"/g, '"pod-template-hash":"#"'),
  );
  const compared = (events as string[]).filter((event) => !VARYING_EVENTS.test(event))
    .map((event) => COUNTLESS_EVENTS.test(event) ? event.replace(/^\d+ times /, "") : event);
  return { ...others, events: [...new Set(compared)].sort() };
}

function linesOf(state: Played["state"]): string[] {
  return Object.entries(state).flatMap(([kind, items]) =>
    (items as unknown[]).map((item) =>
      `${kind}: ${typeof item === "string" ? item : JSON.stringify(item)}`
    )
  );
}

/**
 * Returns the steps of a different scenario without those that the difference does not need. All
 * candidates of a round are played at the same time.
 */
export async function shrink(
  isDifferent: (steps: readonly RandomStep[]) => Promise<boolean>,
  steps: readonly RandomStep[],
): Promise<readonly RandomStep[]> {
  for (let small = steps;;) {
    const candidates = small.map((_, index) => small.toSpliced(index, 1));
    const verdicts = await Promise.all(candidates.map(isDifferent));
    const found = verdicts.lastIndexOf(true);
    if (found < 0) return small;
    small = candidates[found]!;
  }
}
