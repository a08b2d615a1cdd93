import type { WriteGate } from "../../controller/ports/write_gate.ts";
import { beforeAbort } from "@xca/apimachinery/internal/base";

/** The gate of operators without a leader election, which opens once, and refuses no write. */
export class StartGate implements WriteGate {
  readonly #opened = Promise.withResolvers<void>();
  readonly closed: boolean = false;
  readonly remainingMs: number = Infinity;

  /** Opens the gate: reconcile runs of the operators may start. */
  open(): void {
    this.#opened.resolve();
  }

  opened(signal: AbortSignal): Promise<void> {
    return beforeAbort(this.#opened.promise, signal);
  }

  admit(): void {}
}
