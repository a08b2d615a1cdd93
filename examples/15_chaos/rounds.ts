/**
 * The transitions of a Chaos's status: rounds that begin, end and are skipped, with their records.
 *
 * @module
 */
import type { ReconcileContext } from "@xca/operator";
import { patchStatus } from "@xca/operator/controller";
import { formatTime, type Summary } from "@xca/operator/meta";
import { Chaos, type ChaosStatus, conditionsOf, type Round, type RoundRecord } from "./chaos.ts";

/** The maximum number of records of rounds that the status of a Chaos keeps. */
const MAX_RECORDS = 10;

/** The fields of a Chaos's status that change; `null` removes a field. */
type StatusChange = { [F in keyof ChaosStatus]: ChaosStatus[F] | null };

/** Writes the changed fields of a Chaos's status, and its conditions. */
export async function write(
  context: ReconcileContext,
  chaos: Chaos,
  summary: Summary,
  change: StatusChange = {},
): Promise<void> {
  const conditions = conditionsOf(chaos, summary, context.clock.now());
  await patchStatus(context, Chaos, chaos, { ...change, conditions });
}

/** Emits an event about a Chaos. */
export function note(
  { events }: ReconcileContext,
  chaos: Chaos,
  type: "Normal" | "Warning",
  reason: string,
  note: string,
): void {
  events.record(Chaos, chaos, { type, reason, note });
}

/**
 * Writes to the status, and in an event, that a round has begun, with the selected pods. All later
 * steps follow from this record.
 */
export async function begin(context: ReconcileContext, chaos: Chaos, round: Round): Promise<void> {
  const pods = round.victims.map(({ pod }) => pod).join(", ");
  note(context, chaos, "Normal", "RoundBegun", `Round of ${round.at}: ${round.fault} ${pods}`);
  const summary: Summary = { state: "Progressing", reason: "RoundBegun" };
  await write(context, chaos, summary, { round, lastTime: round.at });
}

/**
 * Writes to the status, and in an event, that the target of a round recovered, and the number of
 * seconds since the round began.
 */
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

/**
 * Writes to the status, and in an event, that the present round was stopped, with the reason;
 * without a round, writes the conditions alone.
 */
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

/**
 * Writes to the status, and in an event, that the round of a scheduled time was skipped, with the
 * reason; `change` is written to the status too.
 */
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
