import type { Played, Theatre } from "../play.ts";
import { unheardOf, united } from "../visited.ts";
import { scenarioOf } from "./scenario.ts";
import type { RandomStep } from "./steps.ts";

/** The result of comparing a scenario in two clusters. */
export type Verdict =
  | { readonly is: "equal" }
  | { readonly is: "different" | "by chance"; readonly difference: Difference };

/** The differences between this library and kube-controller-manager in one scenario. */
export interface Difference {
  /** The lines of the settled state that occur only under kube-controller-manager. */
  readonly missing: readonly string[];
  /** The lines of the settled state that occur only under this library. */
  readonly added: readonly string[];
  /** The intermediate states that never occurred under kube-controller-manager. */
  readonly unheardOf: readonly string[];
}

/** The number of runs under kube-controller-manager before a scenario counts as different. */
const REAL_RUNS = 8;

/** The number of runs under this library before a scenario counts as different. */
const OWN_RUNS = 6;

/**
 * The events of pods that depend on the number of scheduling attempts, and events of containers.
 */
const VARYING_EVENTS =
  /\bPod \w+ (Scheduled|FailedScheduling|Preempted|Pulled|Created|Started|Killing|Unhealthy|BackOff|Pulling): /;

/** The events whose number depends on the nodes of the pods. */
const COUNTLESS_EVENTS =
  / (TaintManagerEviction|NodeNotReady|FailedDaemonPod|SucceededDaemonPod): /;

let plays = 0;

/**
 * Plays a scenario under this library and under kube-controller-manager, and compares the results.
 * Where they differ, both play it again, this library with other seeds for the choice of nodes. The
 * difference counts as random if any two runs agree, or if the runs of kube-controller-manager
 * differ from each other.
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

/**
 * Returns the difference between a run and others that all ended alike; `undefined` when there is
 * none.
 */
function differenceOf(ours: Played, theirs: readonly Played[]): Difference | undefined {
  const [mine, their] = [linesOf(ours.state), linesOf(theirs[0]!.state)];
  const difference = {
    missing: their.filter((line) => !mine.includes(line)),
    added: mine.filter((line) => !their.includes(line)),
    unheardOf: unheardOf(ours.visited, united(theirs.map(({ visited }) => visited))),
  };
  return Object.values(difference).some((lines) => lines.length > 0) ? difference : undefined;
}

/**
 * Returns a state without the values that depend on a pod's node, and without the namespace's name.
 */
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
 * Returns the steps of a differing scenario that are needed for the difference. All candidates of a
 * round are played concurrently.
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
