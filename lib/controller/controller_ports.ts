import type { Clock } from "../base/clock.ts";
import type { Random } from "../base/random.ts";
import type { Client } from "../client/client.ts";
import type { MetricsProvider } from "../workqueue/metrics.ts";
import type { ControllerMetrics } from "./controller_metrics.ts";
import type { Informers } from "./informers.ts";

/** What a controller runs on. */
export interface ControllerPorts {
  /** What runs read and write with. */
  readonly client: Client;
  /** Where caches come from. */
  readonly informers: Informers;
  /** The namespace that the informers watch. @default all */
  readonly namespace?: string | undefined;
  /** Instead of the definition's number of workers. */
  readonly workers?: number | undefined;
  /** How long runs may take to end at a stop, in milliseconds. @default {30_000} */
  readonly gracePeriodMs?: number | undefined;
  /** Called when the caches have synced; nothing runs before it resolves, and what it throws ends the start. */
  readonly verify?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Called after anything that may have left the controller idle. */
  readonly onChange?: (() => void) | undefined;
  /** Where figures go. */
  readonly metrics?: ControllerMetrics | undefined;
  /** Where the work queue's figures go. */
  readonly queueMetrics?: MetricsProvider | undefined;
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** Where chance comes from. @default {systemRandom} */
  readonly random?: Random | undefined;
}
