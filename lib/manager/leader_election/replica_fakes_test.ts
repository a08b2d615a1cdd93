import type { Clock, Timer } from "@xca/apimachinery/base";
import { seededRandom } from "@xca/apimachinery/base";
import type { FakeClock } from "../../testing/fake_clock.ts";
import { LeaderElector } from "./leader_elector.ts";
import type { LeaderElectorOptions, Term } from "./leader_elector_options.ts";
import type { LeaseStore } from "./lease_store_fakes_test.ts";

/** The clocks of one machine: its wall clock may be wrong, and the machine may be blocked or suspended. */
export class ReplicaClock implements Clock {
  /** The error of the wall clock, in milliseconds. */
  skewMs = 0;
  readonly #shared: FakeClock;
  /** The time that passed while the machine was suspended, which its monotonic clock does not count. */
  #suspendedMs = 0;
  #blockedSinceMs: number | undefined;
  #suspends = false;
  #held: (() => void)[] = [];

  constructor(shared: FakeClock) {
    this.#shared = shared;
  }

  now(): Date {
    return new Date(this.#shared.now().getTime() + this.skewMs);
  }

  monotonicMs(): number {
    const sharedMs = this.#suspends ? this.#blockedSinceMs! : this.#shared.monotonicMs();
    return sharedMs - this.#suspendedMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    let held: (() => void) | undefined;
    const timer = this.#shared.after(delayMs, () => {
      if (this.#blockedSinceMs === undefined) return callback();
      this.#held.push(held = callback);
    });
    return {
      unref: () => timer.unref(),
      [Symbol.dispose]: () => {
        timer[Symbol.dispose]();
        if (held) this.#held = this.#held.filter((each) => each !== held);
      },
    };
  }

  /** Holds all timers back, as a busy event loop does; with `suspend`, stops the monotonic clock too. */
  block(options: { readonly suspend: boolean }): void {
    if (this.#blockedSinceMs !== undefined) return;
    this.#blockedSinceMs = this.#shared.monotonicMs();
    this.#suspends = options.suspend;
  }

  /** Lets the machine go on: overdue timers fire. */
  unblock(): void {
    if (this.#blockedSinceMs === undefined) return;
    if (this.#suspends) this.#suspendedMs += this.#shared.monotonicMs() - this.#blockedSinceMs;
    this.#blockedSinceMs = undefined;
    this.#suspends = false;
    for (const fire of this.#held.splice(0)) fire();
  }
}

/** A process that takes part in an election again and again. */
export class Replica {
  readonly clock: ReplicaClock;
  readonly elector: LeaderElector;
  /** The term while this replica leads. */
  term: Term | undefined;
  /** The reasons of the ended runs; `undefined` for a run that was stopped. */
  readonly ends: unknown[] = [];
  readonly newLeaders: string[] = [];
  #stop = new AbortController();

  constructor(
    readonly identity: string,
    store: LeaseStore,
    shared: FakeClock,
    options: Partial<LeaderElectorOptions> = {},
  ) {
    this.clock = new ReplicaClock(shared);
    this.elector = new LeaderElector({
      client: store.clientOf(identity, this.clock),
      namespace: "shop",
      name: "web",
      identity,
      clock: this.clock,
      random: seededRandom(identity.length),
      onNewLeader: (leader) => this.newLeaders.push(leader),
      ...options,
    });
  }

  /** Starts a run whose work ends as soon as its term does. */
  start(): Promise<void> {
    this.#stop = new AbortController();
    return this.elector.run(async (term) => {
      this.term = term;
      await new Promise<void>((resolve) => {
        term.signal.addEventListener("abort", () => resolve());
        if (term.signal.aborted) resolve();
      });
      this.term = undefined;
    }, { signal: this.#stop.signal }).then(
      () => void this.ends.push(undefined),
      (error) => void this.ends.push(error),
    );
  }

  /** Asks the run to stop. */
  stop(): void {
    this.#stop.abort(new DOMException("stopped", "AbortError"));
  }

  /** Reports whether this replica may start a write now. */
  get mayWrite(): boolean {
    return (this.term?.remainingMs ?? 0) > 0;
  }
}
