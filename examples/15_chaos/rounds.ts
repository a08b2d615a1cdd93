/**
 * The status of a Chaos: how a round begins and ends, and the record of it.
 *
 * @module
 */
import type { ReconcileContext } from "@xca/operator";
import { patchStatus } from "@xca/operator/controller";
import { formatTime, type Summary } from "@xca/operator/meta";
import { Chaos, type ChaosStatus, conditionsOf, type Round, type RoundRecord } from "./chaos.ts";

/** The number of records that the status keeps. */
const MAX_RECORDS = 10;

/** The fields of the status that change; `null` removes a field. */
type StatusChange = { [F in keyof ChaosStatus]: ChaosStatus[F] | null };

/** Writes the changed fields of the status, and the conditions. */
export async function write(
  context: ReconcileContext,
  chaos: Chaos,
  summary: Summary,
  change: StatusChange = {},
): Promise<void> {
  const conditions = conditionsOf(chaos, summary, context.clock.now());
  await patchStatus(context, Chaos, chaos, { ...change, conditions });
}

/** Records an event about a Chaos. */
export function note(
  { events }: ReconcileContext,
  chaos: Chaos,
  type: "Normal" | "Warning",
  reason: string,
  note: string,
): void {
  events.record(Chaos, chaos, { type, reason, note });
}

/** Writes that a round has begun. All that follows can be derived from this record. */
export async function begin(context: ReconcileContext, chaos: Chaos, round: Round): Promise<void> {
  const pods = round.victims.map(({ pod }) => pod).join(", ");
  note(context, chaos, "Normal", "RoundBegun", `Round of ${round.at}: ${round.fault} ${pods}`);
  const summary: Summary = { state: "Progressing", reason: "RoundBegun" };
  await write(context, chaos, summary, { round, lastTime: round.at });
}

/** Writes that the target has recovered, and after which time. */
export async function recovered(
  context: ReconcileContext,
  chaos: Chaos,
  round: Round,
): Promise<void> {
  const seconds = Math.round((context.clock.now().getTime() - Date.parse(round.begun)) / 1000);
  note(context, chaos, "Normal", "Recovered", `The target has recovered after ${seconds} s`);
  const summary: Summary = { state: "Ready", reason: "Recovered" };
  await write(context, chaos, summary, {
    round: null,
    history: history(chaos, { ...recordOf(round), outcome: "Recovered", seconds }),
  });
}

/** Writes that the round has ended early, if there is one, and why. */
export async function stop(
  context: ReconcileContext,
  chaos: Chaos,
  message: string,
): Promise<void> {
  const summary: Summary = { state: "Ready", reason: "Stopped", message };
  const round = chaos.status?.round;
  if (!round) return await write(context, chaos, summary);
  note(context, chaos, "Normal", "Stopped", `Round of ${round.at} is stopped: ${message}`);
  await write(context, chaos, summary, {
    round: null,
    history: history(chaos, { ...recordOf(round), outcome: "Stopped", message }),
  });
}

/** Writes that a time of the schedule goes by without a round, and why. */
export async function skip(
  context: ReconcileContext,
  chaos: Chaos,
  time: Date,
  message: string,
  change: StatusChange = {},
): Promise<void> {
  const at = formatTime(time);
  note(context, chaos, "Warning", "RoundSkipped", `No round at ${at}: ${message}`);
  const record: RoundRecord = {
    at,
    fault: chaos.spec.fault,
    outcome: "Skipped",
    pods: [],
    message,
  };
  await write(context, chaos, { state: "Degraded", reason: "RoundSkipped", message }, {
    ...change,
    lastTime: at,
    history: history(chaos, record),
  });
}

function recordOf({ at, fault, victims }: Round): Pick<RoundRecord, "at" | "fault" | "pods"> {
  return { at, fault, pods: victims.map(({ pod }) => pod) };
}

function history({ status }: Chaos, record: RoundRecord): RoundRecord[] {
  return [record, ...status?.history ?? []].slice(0, MAX_RECORDS);
}
