// Mirrors k8s.io/client-go/tools/leaderelection/resourcelock/interface.go, LeaderElectionRecord.
import type { V1LeaseSpec } from "@xca/apimachinery/kubernetes-types";
import { formatMicroTime } from "@xca/apimachinery/meta";

/** The state of a leader election, as a Lease stores it. */
export interface ElectionRecord {
  /** The identity of the leader; empty when the last leader released the lease. */
  readonly holder: string;
  /** The time without a renewal after which candidates may acquire the lease, in seconds. */
  readonly leaseDurationSeconds: number;
  /**
   * The time at which the leader acquired the lease, in RFC 3339 with six fractional digits; empty
   * when the Lease has none.
   */
  readonly acquireTime: string;
  /**
   * The time of the last lease renewal, in RFC 3339 with six fractional digits; empty when the
   * Lease has none.
   */
  readonly renewTime: string;
  /**
   * The number of leader changes of the election since the Lease was created; 0 for the first
   * leader.
   */
  readonly transitions: number;
  /**
   * The identity that the server prefers as the next leader, in a coordinated election; absent
   * while the server prefers no other.
   */
  readonly preferredHolder?: string | undefined;
  /** The strategy of a coordinated election; absent in an election without coordination. */
  readonly strategy?: string | undefined;
}

/** Options for {@linkcode newRecord}, which creates the election record that a leader writes. */
export interface NewRecordOptions {
  /** The identity of the leader in the new election record; empty to release the lease. */
  readonly holder: string;
  /** The duration of the election's lease, in milliseconds; whole seconds. */
  readonly leaseDurationMs: number;
  /** The present time by the wall clock, for the new election record. */
  readonly now: Date;
  /** The number of leader changes for the new election record. */
  readonly transitions: number;
  /**
   * The time at which the leader acquired the lease, in the form of {@linkcode
   * ElectionRecord.acquireTime}.
   *
   * @default now
   */
  readonly acquireTime?: string | undefined;
  /** The strategy of a coordinated election; absent in an election without coordination. */
  readonly strategy?: string | undefined;
}

/** Creates the election record that a leader writes to acquire, renew or release the lease. */
export function newRecord(options: NewRecordOptions): ElectionRecord {
  const now = formatMicroTime(options.now);
  return {
    holder: options.holder,
    leaseDurationSeconds: options.leaseDurationMs / 1_000,
    acquireTime: options.acquireTime ?? now,
    renewTime: now,
    transitions: options.transitions,
    strategy: options.strategy,
  };
}

/**
 * Creates the election record that replaces `before` when its leader releases the lease: without a
 * holder, with a lease duration of a second, and with `now` as both times
 * (`LeaderElector.release`).
 */
export function releasedRecord(before: ElectionRecord, now: Date): ElectionRecord {
  const { transitions, strategy } = before;
  return newRecord({ holder: "", leaseDurationMs: 1_000, now, transitions, strategy });
}

/**
 * Returns the election record that a Lease stores; an absent field becomes an empty text or 0, and
 * an absent `preferredHolder` or `strategy` `undefined`.
 */
export function recordOf(spec: V1LeaseSpec = {}): ElectionRecord {
  return {
    holder: spec.holderIdentity ?? "",
    leaseDurationSeconds: spec.leaseDurationSeconds ?? 0,
    acquireTime: spec.acquireTime ?? "",
    renewTime: spec.renewTime ?? "",
    transitions: spec.leaseTransitions ?? 0,
    preferredHolder: spec.preferredHolder,
    strategy: spec.strategy,
  };
}

/** Returns the spec of a Lease that stores an election record. */
export function specOf(record: ElectionRecord): V1LeaseSpec {
  return {
    holderIdentity: record.holder,
    leaseDurationSeconds: record.leaseDurationSeconds,
    ...(record.acquireTime === "" ? {} : { acquireTime: record.acquireTime }),
    ...(record.renewTime === "" ? {} : { renewTime: record.renewTime }),
    leaseTransitions: record.transitions,
    ...(record.preferredHolder ? { preferredHolder: record.preferredHolder } : {}),
    ...(record.strategy ? { strategy: record.strategy } : {}),
  };
}

/** Reports whether two election records have equal fields. */
export function isSameRecord(a: ElectionRecord, b: ElectionRecord): boolean {
  return a.holder === b.holder && a.leaseDurationSeconds === b.leaseDurationSeconds &&
    a.acquireTime === b.acquireTime && a.renewTime === b.renewTime &&
    a.transitions === b.transitions && a.preferredHolder === b.preferredHolder &&
    a.strategy === b.strategy;
}

/**
 * Reports whether two election records are of one term: of one leader since it acquired the lease.
 */
export function isSameTerm(a: ElectionRecord, b: ElectionRecord): boolean {
  return a.holder === b.holder && a.transitions === b.transitions &&
    isSameMoment(a.acquireTime, b.acquireTime);
}

/**
 * Reports whether two times of election records are equal to the millisecond; a server may format
 * them differently.
 */
function isSameMoment(a: string, b: string): boolean {
  return a === b || Date.parse(a) === Date.parse(b);
}
