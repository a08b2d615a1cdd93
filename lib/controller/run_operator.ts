import type { Clock } from "../base/clock.ts";
import type { Random } from "../base/random.ts";
import type { Client } from "../client/client.ts";
import type { ControllerMetrics } from "./controller_metrics.ts";
import type { Operator } from "./operator.ts";
import type { OperatorHandle } from "./operator_progress.ts";

/** Options for {@linkcode runOperator}. */
export interface RunOperatorOptions {
  /** What the operator reads and writes with. It is not closed at the end. */
  readonly client: Client;
  /** Watches this namespace alone. @default all namespaces */
  readonly namespace?: string | undefined;
  /** How many keys each controller reconciles at once. @default each controller's own number */
  readonly workers?: number | undefined;
  /** Asks the operator to stop. */
  readonly signal?: AbortSignal | undefined;
  /** How long runs may take to end after that, in milliseconds, before they are aborted. @default {30_000} */
  readonly gracePeriodMs?: number;
  /** Where figures go. @default nowhere */
  readonly metrics?: ControllerMetrics;
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock;
  /** Where chance comes from. @default {systemRandom} */
  readonly random?: Random;
}

/** Runs an operator until it is asked to stop. */
export function runOperator(_operator: Operator, _options: RunOperatorOptions): OperatorHandle {
  throw new Error("not there yet");
}
