import { isInstance } from "@xca/apimachinery/internal/base";
import type { WriteGate } from "../../controller/ports/write_gate.ts";
import type { Term } from "./leader_elector_options.ts";
import { LeadershipLostError } from "./leadership_lost_error.ts";

/**
 * The gate of the operators that work only while this process leads: reconcile runs start with the
 * term, and no write starts once the monotonic clock or the wall clock says that the lease may be
 * lost.
 */
export class LeaseGate implements WriteGate {
  readonly #lease: string;
  readonly #opened = Promise.withResolvers<void>();
  #term: Term | undefined;

  /** Creates a closed gate for reconcile runs, which a term of leadership opens. */
  constructor(lease: string) {
    this.#lease = lease;
  }

  /** Opens the gate for a term of leadership. */
  open(term: Term): void {
    this.#term = term;
    this.#opened.resolve();
  }

  opened(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason);
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      void this.#opened.promise.then(() => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      });
    });
  }

  admit(): void {
    if (this.remainingMs > 0) return;
    throw new LeadershipLostError(
      this.#lease,
      this.#term
        ? "it was not renewed in time, so that no write may start: another process may lead"
        : "this process does not lead yet, so that no write may start",
    );
  }

  get remainingMs(): number {
    return this.#term?.remainingMs ?? 0;
  }

  get closed(): boolean {
    return isInstance(this.#term?.signal.reason, LeadershipLostError);
  }
}
