import type { Clock, Random } from "@xca/apimachinery/base";
import type { Client } from "../../client/typed/client.ts";
import type { MetricsProvider } from "../../workqueue/metrics.ts";
import type { ControllerMetrics } from "./controller_metrics.ts";
import type { Informers } from "./informers.ts";
import type { WriteGate } from "./write_gate.ts";

/** The dependencies of a controller. */
export interface ControllerPorts {
  /** The client of the runs. */
  readonly client: Client;
  /** The provider of informers. */
  readonly informers: Informers;
  /** The namespace that the informers watch. @default all */
  readonly namespace?: string | undefined;
  /** The number of workers, in place of the definition's. */
  readonly workers?: number | undefined;
  /** The time that runs have to end at a stop, in milliseconds. @default {30_000} */
  readonly gracePeriodMs?: number | undefined;
  /**
   * Called when the caches have synced. Runs start when it resolves; an error that it throws fails
   * the start.
   */
  readonly verify?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Decides when runs and writes may start, such as while a lease is held. @default {none} */
  readonly gate?: WriteGate | undefined;
  /**
   * Whether the controller waits on for a resource that the server still lacks when `syncTimeoutMs` is
   * over. @default {"fail"}
   */
  readonly missingResources?: "fail" | "wait" | undefined;
  /** Called after any change that may have made the controller idle. */
  readonly onChange?: (() => void) | undefined;
  /** The metrics of the controller. */
  readonly metrics?: ControllerMetrics | undefined;
  /** The metrics of the work queue. */
  readonly queueMetrics?: MetricsProvider | undefined;
  /** The source of time. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** The source of randomness. @default {systemRandom} */
  readonly random?: Random | undefined;
}
