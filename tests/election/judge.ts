/**
 * Judges a run by the audit log of the server and the records of the replicas: one leader at a
 * time, no write that starts after the deadline, and late writes only to objects that had no other
 * writer.
 *
 * @module
 */
import type { AuditEvent } from "../../lib/testing/plane/audit_log.ts";
import type { ReplicaRecord, StartRecord } from "./records.ts";

/** The record of an election run, from which {@linkcode judge} finds violations. */
export interface Run {
  /** The audit events that the server wrote during the election run. */
  readonly events: readonly AuditEvent[];
  /** The records that replicas wrote, by name of the process, which is its User-Agent. */
  readonly records: ReadonlyMap<string, readonly ReplicaRecord[]>;
  /** The namespace of the election run's objects and Lease. */
  readonly namespace: string;
  /** The renew deadline of the election, in milliseconds. */
  readonly renewDeadlineMs: number;
}

/** The term of one process as leader, by the writes of the Lease that the server accepted. */
export interface LeaderTerm {
  readonly process: string;
  /** The times at which the server received the leader's writes of the Lease, in milliseconds. */
  readonly renewals: readonly number[];
}

/** The findings of {@linkcode judge} about an election run. */
export interface Judgement {
  /** The terms of the leaders, the first one first. */
  readonly terms: readonly LeaderTerm[];
  /** The number of writes of objects that the server accepted from replicas. */
  readonly writes: number;
  /** The number of starts of writes that replicas recorded. */
  readonly starts: number;
  /** The accepted writes that the server received after the successor had taken the Lease. */
  readonly late: readonly string[];
  /** The violations of the rules of leader election, one text each. */
  readonly violations: readonly string[];
}

/**
 * The difference that two clocks of one machine may show, in milliseconds: times are cut to milliseconds,
 * and the rates of wall clock and monotonic clock differ while the wall clock is adjusted.
 */
const CLOCK_ERROR_MS = 5;

interface AcceptedWrite {
  readonly process: string;
  readonly object: string;
  readonly verb: string;
  readonly receivedMs: number;
  readonly storedMs: number;
}

/** Returns the findings about an election run. */
export function judge(run: Run): Judgement {
  const accepted = acceptedWrites(run);
  const leases = accepted.filter(({ object }) => object.startsWith("leases/"));
  const writes = accepted.filter(({ object }) => !object.startsWith("leases/"));
  const terms = termsOf(leases);
  const ofReplicas = writes.filter(({ process }) => run.records.has(process));
  const violations: string[] = [];
  let starts = 0;
  for (const [process, records] of run.records) {
    const own = records.filter((record) => record.kind === "start");
    starts += own.length;
    violations.push(...lateStarts(process, own, { terms, run }));
  }
  const late: string[] = [];
  for (const write of ofReplicas) {
    const start = startOf(write, run);
    if (!start) {
      violations.push(`${textOf(write)}: no start of it was recorded`);
      continue;
    }
    if (!terms.some((term, at) => isLate(write, start, { term, next: terms[at + 1] }))) continue;
    late.push(
      `${textOf(write)}, started ${Math.round(write.receivedMs - start.startedMs)} ms before`,
    );
    const other = writes.find((each) => changedBetween(each, write, start));
    if (other) violations.push(`late ${textOf(write)} changed what ${textOf(other)} had changed`);
  }
  return { terms, writes: ofReplicas.length, starts, late, violations };
}

/** Returns a text for each write that a process started past its deadline, or without leading. */
function lateStarts(
  process: string,
  starts: readonly StartRecord[],
  { terms, run }: { readonly terms: readonly LeaderTerm[]; readonly run: Run },
): string[] {
  const violations: string[] = [];
  for (const { verb, object, checkedMs, startedMs } of starts) {
    const text = `${process} started ${verb} ${object} at ${startedMs}`;
    const isBefore = (renewalMs: number): boolean => renewalMs <= checkedMs + CLOCK_ERROR_MS;
    const index = terms.findLastIndex((term) => isBefore(term.renewals[0]!));
    const term = terms[index];
    const next = terms[index + 1];
    if (term?.process !== process) {
      violations.push(`${text}, when ${term?.process ?? "nobody"} led`);
      continue;
    }
    const ageMs = checkedMs - term.renewals.findLast(isBefore)!;
    if (ageMs > run.renewDeadlineMs + CLOCK_ERROR_MS) {
      violations.push(`${text}, ${ageMs} ms after its last renewal`);
    }
    if (next && next.renewals[0]! < startedMs - CLOCK_ERROR_MS) {
      violations.push(`${text}, after ${next.process} had taken the lease`);
    }
  }
  return violations;
}

/** Reports whether a write that was started in a term was received after the next one had begun. */
function isLate(
  write: AcceptedWrite,
  start: StartRecord,
  { term, next }: { readonly term: LeaderTerm; readonly next: LeaderTerm | undefined },
): boolean {
  return next !== undefined && term.process === write.process &&
    start.startedMs < next.renewals[0]! && next.renewals[0]! < write.receivedMs;
}

/** Reports whether another process changed the object of a write between its start and its arrival. */
function changedBetween(other: AcceptedWrite, write: AcceptedWrite, start: StartRecord): boolean {
  return other.process !== write.process && other.object === write.object &&
    other.receivedMs > start.startedMs + CLOCK_ERROR_MS &&
    other.storedMs < write.receivedMs - CLOCK_ERROR_MS;
}

/** Returns the last start that a replica recorded of a write before the server received it. */
function startOf(write: AcceptedWrite, { records }: Run): StartRecord | undefined {
  return records.get(write.process)!.findLast((record): record is StartRecord =>
    record.kind === "start" && record.verb === write.verb && record.object === write.object &&
    record.startedMs <= write.receivedMs + CLOCK_ERROR_MS
  );
}

function termsOf(leases: readonly AcceptedWrite[]): LeaderTerm[] {
  const terms: { process: string; renewals: number[] }[] = [];
  for (const { process, receivedMs } of leases) {
    const last = terms.at(-1);
    if (last?.process === process) last.renewals.push(receivedMs);
    else terms.push({ process, renewals: [receivedMs] });
  }
  return terms;
}

/** Returns the writes that the server accepted in an election run, the first received one first. */
function acceptedWrites({ events, namespace }: Run): AcceptedWrite[] {
  return events
    .filter(({ stage, verb, objectRef, responseStatus }) =>
      stage === "ResponseComplete" && objectRef?.namespace === namespace &&
      /^(create|update|patch|delete)$/.test(verb) && (responseStatus?.code ?? 500) < 300
    )
    .map((event) => ({
      process: event.userAgent ?? "",
      object: `${event.objectRef!.resource}/${event.objectRef!.name ?? fieldManagerOf(event)}`,
      verb: event.verb,
      receivedMs: Date.parse(event.requestReceivedTimestamp),
      storedMs: Date.parse(event.stageTimestamp),
    }))
    .sort((a, b) => a.receivedMs - b.receivedMs);
}

/** Returns the field manager of an audited write; for a create, it names the object. */
function fieldManagerOf({ requestURI }: AuditEvent): string | null {
  return new URL(requestURI, "https://server.invalid").searchParams.get("fieldManager");
}

function textOf({ process, verb, object, receivedMs }: AcceptedWrite): string {
  return `${verb} ${object} of ${process} at ${receivedMs}`;
}
