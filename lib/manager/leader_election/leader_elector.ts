/** Mirrors k8s.io/client-go/tools/leaderelection/leaderelection.go, LeaderElector. */
import { getLogger } from "@logtape/logtape";
import {
  type Clock,
  delay,
  errorText,
  type Random,
  systemClock,
  systemRandom,
} from "@xca/apimachinery/base";
import { ApiError, isConflict, isNotFound } from "../../client/errors/api_error.ts";
import type { CallOptions } from "../../client/calls/options.ts";
import type { Client } from "../../client/typed/client.ts";
import { type ElectionRecord, isSameRecord, newRecord } from "./election_record.ts";
import {
  type ElectionTiming,
  type FilledTiming,
  fillTiming,
  JITTER_FACTOR,
} from "./election_timing.ts";
import { LeadershipDeadline, type Moment, momentOf } from "./leadership_deadline.ts";
import { LeadershipLostError } from "./leadership_lost_error.ts";
import { LeaseLock } from "./lease_lock.ts";

const logger = getLogger(["xca", "manager", "leader-election"]);

/** The figures of an election, by controller-runtime's names. */
export interface ElectionMetrics {
  /** `leader_election_master_status`: whether this process leads. */
  leading(lease: string, leads: boolean): void;
  /** `leader_election_slowpath_total`: renewals that had to read the Lease first. */
  slowPath(lease: string): void;
}

/** Options for {@linkcode LeaderElector}. */
export interface LeaderElectorOptions extends ElectionTiming {
  /** The client that reads and writes the Lease; it needs get, create and update of leases. */
  readonly client: Pick<Client, "get" | "create" | "update">;
  /** The namespace of the Lease. */
  readonly namespace: string;
  /** The name of the Lease; one per operator. */
  readonly name: string;
  /** The identity of this process; no other process may have it. */
  readonly identity: string;
  /** Labels that each write of the Lease sets. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Called with the identity of each new leader, this process included. */
  readonly onNewLeader?: ((identity: string) => void) | undefined;
  /** Receives the figures. @default none */
  readonly metrics?: ElectionMetrics | undefined;
  /** The source of time. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** The source of jitter. @default {systemRandom} */
  readonly random?: Random | undefined;
}

/** The time during which this process leads. */
export interface Term {
  /** Aborted when the lease is lost, or when the elector stops. */
  readonly signal: AbortSignal;
  /**
   * The time left to start writes, in milliseconds, by whichever clock has less; 0 once it has passed.
   * A renewal moves it.
   */
  readonly remainingMs: number;
}

/**
 * Elects one leader among the processes that name the same Lease.
 *
 * - Expiry is judged by the time since this process saw the record change, never by its timestamps, so
 *   that clocks may differ.
 * - The lease is released only after the leader's work has ended, on a stop too.
 * - A leader that observes another holder has lost at once, not only at its renew deadline.
 * - A Lease that was deleted is created again by its leader, with the term's acquire time. Others that
 *   saw it before wait for a whole lease, which client-go's electors do not; a candidate that starts in
 *   between cannot know of the leader and takes the lease.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { LeaderElector } from "@xca/operator/manager";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * const elector = new LeaderElector({
 *   client,
 *   namespace: "default",
 *   name: "web",
 *   identity: "replica-1",
 * });
 * await elector.run((term) => {
 *   assert(term.remainingMs > 0);
 *   return Promise.resolve(); // the work of the leader; its end releases the lease
 * });
 * assert(!elector.isLeader);
 * ```
 */
export class LeaderElector {
  /** The Lease as `namespace/name`. */
  readonly lease: string;
  readonly #options: LeaderElectorOptions;
  readonly #timing: FilledTiming;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #lock: LeaseLock;
  readonly #deadline: LeadershipDeadline;
  #observed: ElectionRecord | undefined;
  #observedMs = 0;
  /** The time of the first answer that the Lease is absent, since it was there last. */
  #absentSinceMs: number | undefined;
  #reportedLeader = "";
  #running = false;
  /** The text of the last failure, so that a lasting one is logged once. */
  #lastFailure = "";

  /**
   * Makes an elector; {@linkcode LeaderElector.run} starts it.
   *
   * @throws {RangeError} When a duration cannot be.
   * @throws {TypeError} When the name, the namespace or the identity is empty.
   */
  constructor(options: LeaderElectorOptions) {
    for (const field of ["namespace", "name", "identity"] as const) {
      if (!options[field]) throw new TypeError(`Cannot elect a leader: ${field} is empty`);
    }
    this.#options = options;
    this.#timing = fillTiming(options);
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#lock = new LeaseLock(options);
    this.#deadline = new LeadershipDeadline(this.#clock, this.#timing.renewDeadlineMs);
    this.lease = this.#lock.key;
    options.metrics?.leading(this.lease, false);
  }

  /** The identity of the leader as observed last; empty when none is known. */
  get leader(): string {
    return this.#observed?.holder ?? "";
  }

  /** Reports whether this process was the leader when the record was observed last. */
  get isLeader(): boolean {
    return this.#observed?.holder === this.#options.identity;
  }

  /**
   * Returns the problem of a leader that has not renewed for its lease duration and `toleranceMs` more,
   * for a health endpoint; `undefined` when there is none, as on a standby:
   * `leaderelection.HealthzAdaptor`.
   */
  problem(toleranceMs: number): string | undefined {
    if (!this.isLeader) return undefined;
    const elapsedMs = this.#clock.monotonicMs() - this.#observedMs;
    if (elapsedMs <= this.#timing.leaseDurationMs + toleranceMs) return undefined;
    return `the lease ${this.lease} was renewed last ${Math.round(elapsedMs / 1_000)} s ago`;
  }

  /**
   * Waits until this process leads, then calls `lead` and renews the lease until its promise settles;
   * then releases the lease. `lead` ends its work when `term.signal` is aborted.
   *
   * Returns without having called `lead` when `signal` is aborted before.
   *
   * @throws {LeadershipLostError} When the lease was lost; after the promise of `lead` has settled.
   * @throws {unknown} The reason with which `lead` failed; after the lease was released.
   * @throws {Error} When the elector runs already.
   */
  async run(
    lead: (term: Term) => Promise<void>,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    if (this.#running) throw new Error(`Cannot run the elector of ${this.lease}: it runs already`);
    this.#running = true;
    try {
      const { signal = new AbortController().signal } = options;
      if (await this.#acquire(signal)) await this.#lead(lead, signal);
    } finally {
      this.#running = false;
    }
  }

  /** Tries until this process leads; returns false when `signal` was aborted before. */
  async #acquire(signal: AbortSignal): Promise<boolean> {
    const { retryPeriodMs } = this.#timing;
    while (!signal.aborted) {
      if (await this.#tryAcquireOrRenew(signal)) {
        logger.info("{identity} leads: it holds the lease {lease}", this.#facts());
        this.#options.metrics?.leading(this.lease, true);
        return true;
      }
      const waitMs = retryPeriodMs * (1 + this.#random.next() * JITTER_FACTOR);
      await delay(waitMs, { clock: this.#clock, signal }).catch(() => {});
    }
    return false;
  }

  async #lead(lead: (term: Term) => Promise<void>, signal: AbortSignal): Promise<void> {
    const ending = new AbortController();
    const stopRenewing = new AbortController();
    const onStop = (): void => ending.abort(signal.reason);
    signal.addEventListener("abort", onStop, { once: true });
    if (signal.aborted) onStop();
    const deadline = this.#deadline;
    const term: Term = {
      signal: ending.signal,
      get remainingMs() {
        return deadline.remainingMs;
      },
    };
    const lost = this.#renew(stopRenewing.signal).then((error) => {
      if (error) ending.abort(error);
      return error;
    });
    const [work] = await Promise.allSettled([callLead(lead, term)]);
    signal.removeEventListener("abort", onStop);
    stopRenewing.abort();
    const error = await lost;
    this.#deadline.end();
    this.#options.metrics?.leading(this.lease, false);
    if (error) throw error; // The failure of the work after the loss is a consequence of the loss.
    await this.#release();
    if (work.status === "rejected") throw work.reason;
  }

  /** Renews until `signal` is aborted; returns the error when the lease is lost before. */
  async #renew(signal: AbortSignal): Promise<LeadershipLostError | undefined> {
    const { retryPeriodMs, renewDeadlineMs } = this.#timing;
    while (true) {
      const remainingMs = this.#deadline.monotonicRemainingMs;
      const waitMs = Math.min(retryPeriodMs, remainingMs);
      await delay(waitMs, { clock: this.#clock, signal }).catch(() => {});
      if (signal.aborted) return undefined;
      if (await this.#tryAcquireOrRenew(signal)) continue;
      if (signal.aborted) return undefined;
      const reason = !this.isLeader
        ? this.leader === "" ? "it was released" : `${this.leader} holds it`
        : this.#deadline.monotonicRemainingMs === 0
        ? `it could not be renewed for ${renewDeadlineMs / 1_000} s` +
          (this.#lastFailure ? `: ${this.#lastFailure}` : "")
        : undefined;
      if (reason === undefined) continue;
      this.#deadline.end();
      return new LeadershipLostError(this.lease, reason);
    }
  }

  /** Makes one attempt: `LeaderElector.tryAcquireOrRenew`. Returns whether this process leads. */
  async #tryAcquireOrRenew(signal: AbortSignal): Promise<boolean> {
    try {
      const leads = await this.#renewFast(signal) || await this.#acquireOrRenewSlowly(signal);
      this.#lastFailure = "";
      return leads;
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
      return false;
    } finally {
      this.#reportLeader();
    }
  }

  /** The leader's fast path: an update without a read, on the version written last. */
  async #renewFast(signal: AbortSignal): Promise<boolean> {
    if (!this.isLeader || !this.#isLeaseValid()) return false;
    try {
      await this.#write(
        this.#ownRecord(),
        (record, options) => this.#lock.update(record, options),
        signal,
      );
      return true;
    } catch (error) {
      if (signal.aborted) throw error;
      logger.debug("reading the lease {lease}, since its update failed: {error}", {
        lease: this.lease,
        error: errorText(error),
      });
      return false;
    }
  }

  async #acquireOrRenewSlowly(signal: AbortSignal): Promise<boolean> {
    let found: ElectionRecord;
    try {
      found = await this.#lock.get(this.#callOptions(signal));
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (this.#mayHaveLeader()) return false;
      const record = this.#ownRecord();
      await this.#write(record, (record, options) => this.#lock.create(record, options), signal);
      return true;
    }
    if (!this.#observed || !isSameRecord(this.#observed, found)) this.#observe(found);
    this.#absentSinceMs = undefined;
    if (!this.isLeader && found.holder !== "" && this.#isLeaseValid()) return false;
    if (this.isLeader) this.#options.metrics?.slowPath(this.lease);
    const record = this.#ownRecord();
    await this.#write(record, (record, options) => this.#lock.update(record, options), signal);
    return true;
  }

  /**
   * Reports whether a Lease that is absent now, and was there before, may still have a leader: for a
   * whole lease from the first answer without it, since its last renewal may never have been seen here.
   */
  #mayHaveLeader(): boolean {
    if (!this.#observed || (this.isLeader && this.#deadline.remainingMs > 0)) return false;
    const nowMs = this.#clock.monotonicMs();
    this.#absentSinceMs ??= nowMs;
    return nowMs - this.#absentSinceMs < this.#timing.leaseDurationMs;
  }

  /** Sends a record of this process's own, and observes it once the server has stored it. */
  async #write(
    record: ElectionRecord,
    send: (record: ElectionRecord, options: CallOptions) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const sent = momentOf(this.#clock);
    await send(record, this.#callOptions(signal));
    this.#observe(record, sent);
    this.#deadline.renewed(sent);
  }

  /** The record that this process writes: its own term continued, or a new term. */
  #ownRecord(): ElectionRecord {
    const { identity } = this.#options;
    const before = this.#observed;
    return newRecord({
      holder: identity,
      leaseDurationMs: this.#timing.leaseDurationMs,
      now: this.#clock.now(),
      transitions: before ? before.transitions + (this.isLeader ? 0 : 1) : 0,
      acquireTime: this.isLeader ? before?.acquireTime : undefined,
    });
  }

  /** Gives up the lease, if this process holds it: `LeaderElector.release`. */
  async #release(): Promise<void> {
    const { renewDeadlineMs, retryPeriodMs } = this.#timing;
    const endMs = this.#clock.monotonicMs() + renewDeadlineMs;
    const remainingMs = (): number => Math.max(0, endMs - this.#clock.monotonicMs());
    while (remainingMs() > 0) {
      try {
        const found = await this.#lock.get({ timeoutMs: remainingMs() });
        this.#observe(found);
        if (!this.isLeader) return;
        const released = newRecord({
          holder: "",
          leaseDurationMs: 1_000,
          now: this.#clock.now(),
          transitions: found.transitions,
        });
        await this.#lock.update(released, { timeoutMs: remainingMs() });
        this.#observe(released);
        return logger.info("{identity} released the lease {lease}", this.#facts());
      } catch (error) {
        if (isNotFound(error)) return this.#observeDeletion();
        if (isConflict(error)) continue;
        this.#failed(error);
        await delay(Math.min(retryPeriodMs, remainingMs()), { clock: this.#clock });
      }
    }
    logger.warn(
      "{identity} could not release the lease {lease}: others wait until it expires",
      this.#facts(),
    );
  }

  #callOptions(signal: AbortSignal): CallOptions {
    const { renewDeadlineMs } = this.#timing;
    const leftMs = this.#deadline.monotonicRemainingMs;
    const timeoutMs = Math.max(1, Math.min(renewDeadlineMs / 2, leftMs || renewDeadlineMs / 2));
    return { signal, timeoutMs };
  }

  #observe(record: ElectionRecord, at: Moment = momentOf(this.#clock)): void {
    this.#absentSinceMs = undefined;
    this.#observed = record;
    this.#observedMs = at.monotonicMs;
  }

  /** Gives up a record that was deleted; its last write is kept, since another process may have led after it. */
  #observeDeletion(): void {
    if (this.#observed) this.#observe({ ...this.#observed, holder: "" });
  }

  #isLeaseValid(): boolean {
    if (!this.#observed) return false;
    const elapsedMs = this.#clock.monotonicMs() - this.#observedMs;
    // A holder that names no duration is given ours: its lease must not end at the first sight of it.
    const durationMs = this.#observed.leaseDurationSeconds * 1_000 || this.#timing.leaseDurationMs;
    return elapsedMs < durationMs;
  }

  #reportLeader(): void {
    if (this.leader === this.#reportedLeader) return;
    this.#reportedLeader = this.leader;
    const { onNewLeader } = this.#options;
    if (!onNewLeader || this.leader === "") return;
    callBack(() => onNewLeader(this.leader));
  }

  #failed(error: unknown): void {
    const text = errorText(error);
    if (text === this.#lastFailure) return;
    this.#lastFailure = text;
    const forbidden = error instanceof ApiError && error.code === 403;
    logger.warn(
      "cannot acquire or renew the lease {lease}: {error}" +
        (forbidden
          ? "; grant get, create and update of leases in coordination.k8s.io in that namespace"
          : ""),
      { lease: this.lease, error: text },
    );
  }

  #facts(): { identity: string; lease: string } {
    return { identity: this.#options.identity, lease: this.lease };
  }
}

/** Calls `lead`, so that a synchronous throw rejects too. */
async function callLead(lead: (term: Term) => Promise<void>, term: Term): Promise<void> {
  await lead(term);
}

/** Calls a function of the user; its failure, synchronous or not, is logged and ends nothing. */
function callBack(call: () => unknown): void {
  const failed = (error: unknown): void =>
    logger.error("onNewLeader failed: {error}", { error: errorText(error) });
  try {
    Promise.resolve(call()).catch(failed);
  } catch (error) {
    failed(error);
  }
}
