import { systemClock } from "../../lib/apimachinery/base/time/clock.ts";
import { delay } from "../../lib/apimachinery/base/time/delay.ts";
import type { ControlPlane } from "../../lib/testing/plane/control_plane.ts";
import type { FaultProxy } from "../../lib/testing/faults/fault_proxy.ts";
import type { Fault } from "./plan.ts";
import type { Subject } from "./subject.ts";

/** Carries out faults, one after the other, while others go on writing. */
export class FaultInjector {
  /** The number of faults. */
  faults = 0;
  /** The number of kills of the server. */
  kills = 0;
  /** The faults of this round as they happened, with their times. */
  schedule: string[] = [];
  readonly #plane: ControlPlane;
  readonly #proxy: FaultProxy;
  readonly #subject: Subject;
  #last: Promise<void> = Promise.resolve();
  #roundBeganMs = 0;

  constructor(plane: ControlPlane, proxy: FaultProxy, subject: Subject) {
    this.#plane = plane;
    this.#proxy = proxy;
    this.#subject = subject;
  }

  /** Begins a new schedule. */
  begin(): void {
    this.#roundBeganMs = systemClock.monotonicMs();
    this.schedule = [];
  }

  /** Adds a fault; it begins when those before it are over. */
  add(fault: Fault): void {
    const next = this.#last.then(() => this.#inject(fault));
    // Whoever awaits idle() is told.
    next.catch(() => {});
    this.#last = next;
  }

  /** Settles when no fault is left. */
  idle(): Promise<void> {
    return this.#last;
  }

  /** Ends what faults left behind. */
  async mend(): Promise<void> {
    await this.idle();
    await this.#proxy.resume();
  }

  async #inject(fault: Fault): Promise<void> {
    this.faults++;
    const seconds = ((systemClock.monotonicMs() - this.#roundBeganMs) / 1000).toFixed(3);
    this.schedule.push(`${seconds} s ${JSON.stringify(fault)}`);
    switch (fault.type) {
      case "cut":
        return this.#proxy.cutAll();
      case "cutAfter":
        return this.#proxy.cutAfter(fault.bytes);
      case "cutNew":
        this.#proxy.cutAll();
        this.#proxy.cutAfter(fault.bytes, "later");
        return await this.#resumeAfter(fault.forMs);
      case "stall":
        this.#proxy.stall();
        await delay(fault.forMs);
        if (fault.thenCut) this.#proxy.cutAll();
        return await this.#proxy.resume();
      case "refuse":
        await this.#proxy.refuse();
        this.#proxy.cutAll();
        return await this.#resumeAfter(fault.forMs);
      case "pause":
        await this.#plane.pauseApiserver();
        await delay(fault.forMs);
        return await this.#plane.resumeApiserver();
      case "compact":
        await this.#plane.compact();
        return;
      case "restart":
        this.kills++;
        return await this.#plane.restartApiserver();
      case "expire":
        this.kills++;
        await this.#plane.expireHistory();
        return;
      case "operator":
        return await this.#subject.restartOperator();
      case "handler":
        return this.#subject.addLateHandler();
    }
  }

  async #resumeAfter(ms: number): Promise<void> {
    await delay(ms);
    await this.#proxy.resume();
  }
}
