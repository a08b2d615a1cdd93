// Mirrors k8s.io/client-go/tools/leaderelection/leaderelection.go, LeaderElector.
import { type Clock, delay, type Random, systemClock, systemRandom } from "@xca/apimachinery/base";
import {
  ApiError,
  isAlreadyExists,
  isConflict,
  isNotFound,
} from "../../client/errors/api_error.ts";
import type { CallOptions } from "../../client/calls/options.ts";
import { ElectionLog } from "./election_log.ts";
import {
  type ElectionRecord,
  isSameRecord,
  isSameTerm,
  newRecord,
  releasedRecord,
} from "./election_record.ts";
import { type FilledTiming, fillTiming, JITTER_FACTOR } from "./election_timing.ts";
import { checkElectorOptions } from "./elector_checks.ts";
import type { LeaderElectorOptions, Term } from "./leader_elector_options.ts";
import { LeadershipDeadline, type Moment, momentOf } from "./leadership_deadline.ts";
import { LeadershipLostError } from "./leadership_lost_error.ts";
import { checkCoordinated, LeaseCandidacy } from "./lease_candidacy.ts";
import { LeaseLock } from "./lease_lock.ts";
import { callBack, callLead } from "./user_calls.ts";

/** The pause before the release of a lease is retried after a conflict, in milliseconds. */
const CONFLICT_PAUSE_MS = 100;

/**
 * An elector of one leader among the processes that name the same Lease.
 *
 * - Expiry is judged by the time since this process saw the record change, never by its timestamps,
 *   so that clocks may differ.
 * - The lease is released only after the leader's work has ended, on a stop too.
 * - A leader that observes another holder has lost at once, not only at its renew deadline.
 * - A Lease that was deleted is created again by its leader, with the term's acquire time. Others
 *   that saw it before wait for a whole lease, which client-go's electors do not; a candidate that
 *   starts in between, or that has not read the Lease between two deletions, cannot know of the
 *   leader and takes the lease.
 * - In a coordinated election the server judges the expiry of the lease by its own wall clock and
 *   the timestamps of the leader: the wall clock of a leader must not be behind that of the server
 *   by more than the time between renew deadline and lease duration.
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
  /** The key of the elector's Lease, `namespace/name`. */
  readonly lease: string;
  readonly #options: LeaderElectorOptions;
  readonly #timing: FilledTiming;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #lock: LeaseLock;
  readonly #log: ElectionLog;
  readonly #deadline: LeadershipDeadline;
  readonly #candidacy: LeaseCandidacy | undefined;
  /**
   * The last election record of this process that the server stored, or may have stored;
   * `undefined` when there is none.
   */
  #claim: ElectionRecord | undefined;
  #observed: ElectionRecord | undefined;
  #observedMs = 0;
  /** The monotonic time of the first response that the Lease is absent, after it was present. */
  #absentSinceMs: number | undefined;
  #reportedLeader = "";
  #running = false;
  /**
   * The monotonic time at which this candidate last observed a leader, or else began to run;
   * `undefined` while the elector does not run.
   */
  #leaderlessSinceMs: number | undefined;

  /**
   * Creates an elector; {@linkcode LeaderElector.run} starts it.
   *
   * @throws {RangeError} When a duration is invalid.
   * @throws {TypeError} When the name, the namespace, the identity, a label or a version of a
   * coordinated election is invalid, or an option is unknown or of the wrong type.
   */
  constructor(options: LeaderElectorOptions) {
    checkElectorOptions(options);
    this.#options = options;
    this.#timing = fillTiming(options);
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#lock = new LeaseLock(options);
    this.#deadline = new LeadershipDeadline(this.#clock, this.#timing.renewDeadlineMs);
    this.lease = this.#lock.key;
    this.#log = new ElectionLog(options.identity, this.lease);
    if (options.coordinated) {
      checkCoordinated(options.coordinated);
      this.#candidacy = new LeaseCandidacy({
        ...options,
        coordinated: options.coordinated,
        retryPeriodMs: this.#timing.retryPeriodMs,
      });
    }
    options.metrics?.leading(this.lease, false);
  }

  /**
   * The identity of the leader in the last observed election record, even if expired or deleted
   * since; empty before the first observation, and after the leader has released the lease.
   */
  get leader(): string {
    return this.#observed?.holder ?? "";
  }

  /**
   * Reports whether this process was the leader in the last observed election record; does not
   * consider whether the lease has expired since.
   */
  get isLeader(): boolean {
    return this.#observed !== undefined && this.#isOwn(this.#observed);
  }

  /**
   * Returns the problem of a leader that has not renewed for its lease duration and `toleranceMs` more,
   * for a liveness endpoint; `undefined` when there is none, as on a candidate
   * (tools/leaderelection/healthzadaptor.go, HealthzAdaptor).
   */
  problem(toleranceMs: number): string | undefined {
    const lateMs = this.isLeader ? this.#lateMs(this.#observedMs, toleranceMs) : undefined;
    if (lateMs === undefined) return undefined;
    return `the lease ${this.lease} was renewed last ${Math.round(lateMs / 1_000)} s ago`;
  }

  /**
   * Returns the problem of a candidate that could neither lead nor observe a leader for the lease
   * duration and `toleranceMs` more, for instance without permission for the Lease or without its
   * namespace; `undefined` when there is none. The candidate keeps trying. The problem is for
   * readiness and alerts, since a restarted process would fail the same way.
   */
  candidateProblem(toleranceMs: number): string | undefined {
    const lateMs = this.isLeader || this.#leaderlessSinceMs === undefined
      ? undefined
      : this.#lateMs(this.#leaderlessSinceMs, toleranceMs);
    if (lateMs === undefined) return undefined;
    return `no leader of the lease ${this.lease} was observed for ${Math.round(lateMs / 1_000)} s` +
      (this.#log.lastFailure ? `: ${this.#log.lastFailure}` : "");
  }

  /** Returns the milliseconds since a moment; `undefined` up to lease duration plus tolerance. */
  #lateMs(sinceMs: number, toleranceMs: number): number | undefined {
    const elapsedMs = this.#clock.monotonicMs() - sinceMs;
    return elapsedMs > this.#timing.leaseDurationMs + toleranceMs ? elapsedMs : undefined;
  }

  /**
   * Waits until this process leads, then calls `lead` and renews the lease until the promise of
   * `lead` settles; then releases the lease. `lead` ends its work when `term.signal` is aborted.
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
      this.#leaderlessSinceMs = this.#clock.monotonicMs();
      this.#candidacy?.start();
      if (await this.#acquire(signal)) await this.#lead(lead, signal);
    } finally {
      await this.#candidacy?.stop();
      this.#leaderlessSinceMs = undefined;
      this.#running = false;
    }
  }

  /** Tries to acquire the lease until this process leads; returns false when aborted before. */
  async #acquire(signal: AbortSignal): Promise<boolean> {
    const { retryPeriodMs } = this.#timing;
    while (!signal.aborted) {
      if (await this.#try((signal) => this.#tryAcquire(signal), signal)) {
        this.#log.leads();
        this.#options.metrics?.leading(this.lease, true);
        return true;
      }
      // A coordinating server gives the chosen leader five seconds to renew: too short for jitter.
      const jitter = this.#isCoordinated ? 0 : this.#random.next() * JITTER_FACTOR;
      const waitMs = retryPeriodMs * (1 + jitter);
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
    let ended = false; // The next term moves the same deadline.
    const term: Term = {
      signal: ending.signal,
      get remainingMs() {
        return ended ? 0 : deadline.remainingMs;
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
    ended = true;
    this.#deadline.end();
    this.#options.metrics?.leading(this.lease, false);
    if (error && !this.#isPreferredElsewhere()) throw error; // The loss ended the work.
    await this.#candidacy?.stop(); // Or the server would choose this process again.
    await this.#release();
    if (error) throw error;
    if (work.status === "rejected") throw work.reason;
  }

  /** Renews the lease until `signal` is aborted; returns the error when it is lost before. */
  async #renew(signal: AbortSignal): Promise<LeadershipLostError | undefined> {
    const { retryPeriodMs, renewDeadlineMs } = this.#timing;
    while (true) {
      const remainingMs = this.#deadline.monotonicRemainingMs;
      const waitMs = Math.min(retryPeriodMs, remainingMs);
      await delay(waitMs, { clock: this.#clock, signal }).catch(() => {});
      if (signal.aborted) return undefined;
      if (await this.#try((signal) => this.#tryRenew(signal), signal)) continue;
      if (signal.aborted) return undefined;
      const reason = !this.isLeader
        ? this.leader === "" ? "it was released" : `${this.#holderText()} holds it`
        : this.#isPreferredElsewhere()
        ? `the server prefers ${this.#observed?.preferredHolder}`
        : this.#deadline.monotonicRemainingMs === 0
        ? `it could not be renewed for ${renewDeadlineMs / 1_000} s` +
          (this.#log.lastFailure ? `: ${this.#log.lastFailure}` : "")
        : undefined;
      if (reason === undefined) continue;
      this.#deadline.end();
      return new LeadershipLostError(this.lease, reason);
    }
  }

  /**
   * Makes one attempt to acquire or renew the lease; reports whether the lease was acquired or
   * renewed. Logs an error and returns `false`, without a log message if `signal` is aborted.
   */
  async #try(
    attempt: (signal: AbortSignal) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<boolean> {
    try {
      const leads = await attempt(signal);
      this.#log.succeeded();
      return leads;
    } catch (error) {
      if (!signal.aborted) this.#log.failed(error);
      return false;
    } finally {
      this.#reportLeader();
    }
  }

  /** Acquires a free lease; reports if it did: `LeaderElector.tryAcquireOrRenew` of a candidate. */
  async #tryAcquire(signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#takeFreeLease(signal);
    } catch (error) {
      if (!isAlreadyExists(error) && !isConflict(error)) throw error;
      this.#log.outrun(error);
      return false;
    }
  }

  async #takeFreeLease(signal: AbortSignal): Promise<boolean> {
    const found = await this.#read(signal);
    if (this.#isCoordinated) {
      if (found?.holder !== this.#options.identity || found.preferredHolder) return false;
      // Without an acquire time the server has chosen this process; else a process took the lease.
      const free = found.acquireTime === "" || this.isLeader || !this.#isLeaseValid();
      return free && await this.#update(signal);
    }
    if (!found) return !this.#mayHaveLeader() && await this.#create(signal);
    if (!this.isLeader && found.holder !== "" && this.#isLeaseValid()) return false;
    return await this.#update(signal);
  }

  /**
   * Renews the lease; reports if it did: `LeaderElector.tryAcquireOrRenew` of the leader. A lease
   * that another process has held since the last renewal ends the term, even if it is free again.
   */
  async #tryRenew(signal: AbortSignal): Promise<boolean> {
    if (await this.#renewFast(signal)) return true;
    this.#options.metrics?.slowPath(this.lease);
    const found = await this.#read(signal);
    if (!found) {
      return !this.#isCoordinated && !this.#mayHaveLeader() && await this.#create(signal);
    }
    if (!this.isLeader || this.#isPreferredElsewhere()) return false;
    return await this.#update(signal);
  }

  /** Renews without a read, at the last known resourceVersion; reports whether that succeeded. */
  async #renewFast(signal: AbortSignal): Promise<boolean> {
    if (!this.#isLeaseValid()) return false;
    try {
      return await this.#update(signal);
    } catch (error) {
      if (signal.aborted) throw error;
      this.#log.slow(error);
      return false;
    }
  }

  /** Reads and observes the election record; returns `undefined` when there is no Lease. */
  async #read(signal: AbortSignal): Promise<ElectionRecord | undefined> {
    try {
      const found = await this.#lock.get(this.#callOptions(signal));
      if (!this.#observed || !isSameRecord(this.#observed, found)) this.#observe(found);
      this.#absentSinceMs = undefined;
      return found;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return undefined;
    }
  }

  /** Reports whether the server coordinates the election, as far as this process knows. */
  get #isCoordinated(): boolean {
    return this.#candidacy !== undefined && !this.#candidacy.unsupported;
  }

  /** Reports whether this process leads a coordinated election and the server prefers another. */
  #isPreferredElsewhere(): boolean {
    const preferred = this.#observed?.preferredHolder ?? "";
    return this.#isCoordinated && this.isLeader && preferred !== "" &&
      preferred !== this.#options.identity;
  }

  /** Reports whether this process wrote a record, or may have; an equal identity does not suffice. */
  #isOwn(record: ElectionRecord): boolean {
    return this.#claim !== undefined && isSameTerm(record, this.#claim);
  }

  /**
   * Reports whether another process may lead by a Lease that this process saw and that is absent:
   * for a lease duration after the first response without the Lease, whose time it records.
   */
  #mayHaveLeader(): boolean {
    if (!this.#observed || (this.isLeader && this.#deadline.remainingMs > 0)) return false;
    const nowMs = this.#clock.monotonicMs();
    this.#absentSinceMs ??= nowMs;
    return nowMs - this.#absentSinceMs < this.#timing.leaseDurationMs;
  }

  #create(signal: AbortSignal): Promise<boolean> {
    return this.#write((record, options) => this.#lock.create(record, options), signal);
  }

  #update(signal: AbortSignal): Promise<boolean> {
    return this.#write((record, options) => this.#lock.update(record, options), signal);
  }

  /** Writes a record of this process; once it is stored, observes it and extends the deadline. */
  async #write(
    send: (record: ElectionRecord, options: CallOptions) => Promise<void>,
    signal: AbortSignal,
  ): Promise<true> {
    const sent = momentOf(this.#clock);
    const renews = this.isLeader;
    const record = this.#ownRecord();
    this.#claim = record; // Also without an answer, since the server may have stored it.
    try {
      await send(record, this.#callOptions(signal));
    } catch (error) {
      if (!renews && error instanceof ApiError && error.code < 500) this.#claim = undefined;
      throw error;
    }
    this.#observe(record, sent);
    this.#deadline.renewed(sent);
    return true;
  }

  /** Returns the election record to write: the present term of this process, or a new term. */
  #ownRecord(): ElectionRecord {
    const { identity } = this.#options;
    const before = this.#observed;
    return newRecord({
      holder: identity,
      leaseDurationMs: this.#timing.leaseDurationMs,
      now: this.#clock.now(),
      transitions: before ? before.transitions + (this.isLeader ? 0 : 1) : 0,
      acquireTime: this.isLeader ? before?.acquireTime : undefined,
      strategy: this.#isCoordinated ? before?.strategy : undefined,
    });
  }

  /**
   * Releases the lease if this process is the leader, with retries until the renew deadline. Never
   * rejects.
   */
  async #release(): Promise<void> {
    const { renewDeadlineMs, retryPeriodMs } = this.#timing;
    const endMs = this.#clock.monotonicMs() + renewDeadlineMs;
    const remainingMs = (): number => Math.max(0, endMs - this.#clock.monotonicMs());
    while (remainingMs() > 0) {
      try {
        const found = await this.#lock.get({ timeoutMs: remainingMs() });
        this.#observe(found);
        if (!this.isLeader) return;
        const released = releasedRecord(found, this.#clock.now());
        await this.#lock.update(released, { timeoutMs: remainingMs() });
        this.#observe(released);
        return this.#log.released();
      } catch (error) {
        if (isNotFound(error)) return this.#observeDeletion();
        if (!isConflict(error)) this.#log.failed(error);
        const waitMs = isConflict(error) ? CONFLICT_PAUSE_MS : retryPeriodMs;
        await delay(Math.min(waitMs, remainingMs()), { clock: this.#clock });
      }
    }
    this.#log.notReleased();
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
    if (record.holder !== "") this.#leaderlessSinceMs = at.monotonicMs;
  }

  /**
   * Clears the holder in the observed record of a deleted Lease, and keeps the other fields of the
   * record, since another process may have led after it.
   */
  #observeDeletion(): void {
    if (this.#observed) this.#observe({ ...this.#observed, holder: "" });
  }

  #isLeaseValid(): boolean {
    if (!this.#observed) return false;
    const elapsedMs = this.#clock.monotonicMs() - this.#observedMs;
    // A record without a duration gets that of this process, or its lease would end at once.
    const durationMs = this.#observed.leaseDurationSeconds * 1_000 || this.#timing.leaseDurationMs;
    return elapsedMs < durationMs;
  }

  #reportLeader(): void {
    if (this.leader === this.#reportedLeader) return;
    this.#reportedLeader = this.leader;
    if (this.leader === this.#options.identity && !this.isLeader && this.#observed?.acquireTime) {
      this.#log.namesake();
    }
    const { onNewLeader } = this.#options;
    if (!onNewLeader || this.leader === "") return;
    callBack(() => onNewLeader(this.leader));
  }

  /** Returns the holder of the lease for a message that distinguishes it from this process. */
  #holderText(): string {
    return this.leader === this.#options.identity
      ? `another process with the identity ${this.leader}`
      : this.leader;
  }
}
