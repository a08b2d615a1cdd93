// Mirrors `controller/podautoscaler/horizontal.go, HorizontalController.setStatus` and
// `controller/podautoscaler/horizontal.go, HorizontalController.updateStatusIfNeeded`.
import { errorText } from "@xca/apimachinery/base";
import type {
  V2HorizontalPodAutoscaler,
  V2HorizontalPodAutoscalerCondition,
  V2HorizontalPodAutoscalerStatus,
  V2MetricStatus,
} from "@xca/apimachinery/kubernetes-types";
import { formatTime, HorizontalPodAutoscaler } from "@xca/apimachinery/meta";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import type { ReadAutoscaler } from "./scaling_history.ts";

/** The status of an autoscaler as one look at it changes it, and the events about it. */
export class AutoscalerStatus {
  /** The values of the metrics; empty until they have been evaluated. */
  readonly metrics: V2MetricStatus[] = [];
  readonly #context: ReconcileContext;
  /** The autoscaler as it is stored. */
  #autoscaler: ReadAutoscaler;
  readonly #now: string;
  #conditions: V2HorizontalPodAutoscalerCondition[];
  readonly #lastScaleTime: string | undefined;
  #isScaled = false;

  constructor(context: ReconcileContext, autoscaler: ReadAutoscaler) {
    this.#context = context;
    this.#autoscaler = autoscaler;
    this.#now = formatTime(context.clock.now());
    const { conditions = [], lastScaleTime } = autoscaler.status ?? {};
    this.#conditions = structuredClone(conditions) as V2HorizontalPodAutoscalerCondition[];
    this.#lastScaleTime = lastScaleTime;
  }

  /** Reports whether a condition is true. */
  isTrue(type: string): boolean {
    return this.#conditions.some((each) => each.type === type && each.status === "True");
  }

  /** Sets a condition. */
  set(type: string, status: "True" | "False", reason: string, message: string): void {
    const known = this.#conditions.find((condition) => condition.type === type);
    const lastTransitionTime = known?.status === status && known.lastTransitionTime
      ? known.lastTransitionTime
      : this.#now;
    const condition = { type, status, lastTransitionTime, reason, message };
    this.#conditions = known
      ? this.#conditions.map((each) => each === known ? condition : each)
      : [...this.#conditions, condition];
  }

  /** The conditions so far. */
  get conditions(): readonly V2HorizontalPodAutoscalerCondition[] {
    return this.#conditions;
  }

  /** Notes that the target is scaled now. */
  scaled(): void {
    this.#isScaled = true;
  }

  /** Takes back that the target is scaled, with the conditions that tell of that. */
  takeBack(conditions: readonly V2HorizontalPodAutoscalerCondition[]): void {
    this.#isScaled = false;
    this.#conditions = [...conditions];
  }

  /** Records an event about the autoscaler. */
  record(type: "Normal" | "Warning", reason: string, note: string): void {
    this.#context.events.record(HorizontalPodAutoscaler, this.#autoscaler, { type, reason, note });
  }

  /** Writes the status with the numbers of replicas, unless it is stored already. */
  async write(currentReplicas: number, desiredReplicas: number): Promise<void> {
    const { generation } = this.#autoscaler.metadata;
    const lastScaleTime = this.#isScaled ? this.#now : this.#lastScaleTime;
    await this.#write({
      ...(generation !== undefined && { observedGeneration: generation }),
      ...(lastScaleTime !== undefined && { lastScaleTime }),
      currentReplicas,
      desiredReplicas,
      ...(this.metrics.length > 0 && { currentMetrics: this.metrics }),
      conditions: this.#conditions,
    });
  }

  /** Writes the conditions alone, when nothing is known about the target. */
  async writeConditions(): Promise<void> {
    const { desiredReplicas = 0, ...status } = this.#autoscaler.status ?? {};
    await this.#write(
      { ...status, desiredReplicas, conditions: this.#conditions } as never,
    );
  }

  async #write(status: V2HorizontalPodAutoscalerStatus): Promise<void> {
    if (jsonEqual(status, this.#autoscaler.status)) return;
    const changed = { ...this.#autoscaler, status } as unknown as V2HorizontalPodAutoscaler;
    try {
      this.#autoscaler = await this.#context.client.updateStatus(HorizontalPodAutoscaler, changed);
    } catch (error) {
      this.record("Warning", "FailedUpdateStatus", errorText(error));
      throw error;
    }
  }
}
