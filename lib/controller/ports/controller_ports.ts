import type { Clock, Random } from "@xca/apimachinery/base";
import type { Client } from "../../client/typed/client.ts";
import type { MetricsProvider } from "@xca/apimachinery/workqueue";
import type { EventRecorder } from "../../events/event_recorder.ts";
import type { ControllerMetrics } from "./controller_metrics.ts";
import type { Informers } from "./informers.ts";
import type { WriteGate } from "./write_gate.ts";

/** The dependencies of a controller; the argument of the {@linkcode Controller} constructor. */
export interface ControllerPorts {
  /** The client of the controller's reconcile runs. */
  readonly client: Client;
  /** The provider of the controller's informers. */
  readonly informers: Informers;
  /** The namespace that the informers of sources without `namespaces` watch. @default all */
  readonly namespace?: string | undefined;
  /** The recorder of events that the controller's reconcilers get. The caller closes it. */
  readonly events: Pick<EventRecorder, "record">;
  /**
   * The number of the controller's workers, which overrides the option `workers` of its definition.
   *
   * @default that of the definition
   */
  readonly workers?: number | undefined;
  /**
   * The time that reconcile runs have to end at a stop, in milliseconds; `Infinity` for no limit.
   *
   * @default {30_000}
   */
  readonly gracePeriodMs?: number | undefined;
  /**
   * Called once, when the controller's caches have synced and before it waits for the gate. No
   * reconcile run starts before the returned promise resolves; an error of the callback fails the
   * start.
   */
  readonly verify?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /**
   * The gate that decides when reconcile runs and writes may start, such as only while a lease is
   * held.
   *
   * @default {none}
   */
  readonly gate?: WriteGate | undefined;
  /**
   * The reaction when the server still lacks a resource of the controller after `syncTimeoutMs`:
   * `fail` fails the start, `wait` continues to wait.
   *
   * @default {"fail"}
   */
  readonly missingResources?: "fail" | "wait" | undefined;
  /** Called after any change that may have made the controller idle or settled. */
  readonly onChange?: (() => void) | undefined;
  /** The port that receives the controller's metrics. @default none */
  readonly metrics?: ControllerMetrics | undefined;
  /** The provider of the metrics that the controller's work queue updates. @default none */
  readonly queueMetrics?: MetricsProvider | undefined;
  /** The clock of the controller. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** The random number source of the controller. @default {systemRandom} */
  readonly random?: Random | undefined;
}
