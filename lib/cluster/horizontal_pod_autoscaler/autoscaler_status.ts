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

/** The status of a HorizontalPodAutoscaler during one reconcile run, and the events about it. */
export class AutoscalerStatus {
  /**
   * The metric values that this reconcile run has evaluated, for the HorizontalPodAutoscaler's
   * status. A metric that could not be evaluated has an entry with an empty type.
   */
  readonly metrics: V2MetricStatus[] = [];
  readonly #context: ReconcileContext;
  /** The HorizontalPodAutoscaler as stored. */
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

  /** Reports whether a condition of the HorizontalPodAutoscaler is true. */
  isTrue(type: string): boolean {
    return this.#conditions.some((each) => each.type === type && each.status === "True");
  }

  /**
   * Sets a condition of the HorizontalPodAutoscaler for the next write of the status; an unchanged
   * status keeps its transition time.
   */
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

  /** The conditions of the HorizontalPodAutoscaler, with the changes of this reconcile run. */
  get conditions(): readonly V2HorizontalPodAutoscalerCondition[] {
    return this.#conditions;
  }

  /**
   * Sets the last scale time of the HorizontalPodAutoscaler to now for the next write of the
   * status.
   */
  scaled(): void {
    this.#isScaled = true;
  }

  /**
   * Restores the stored last scale time, and sets all conditions of the HorizontalPodAutoscaler to
   * the given ones, after a failed scaling.
   */
  takeBack(conditions: readonly V2HorizontalPodAutoscalerCondition[]): void {
    this.#isScaled = false;
    this.#conditions = [...conditions];
  }

  /** Emits an event about the HorizontalPodAutoscaler. */
  record(type: "Normal" | "Warning", reason: string, note: string): void {
    this.#context.events.record(HorizontalPodAutoscaler, this.#autoscaler, { type, reason, note });
  }

  /**
   * Writes the status of the HorizontalPodAutoscaler, with the given numbers of replicas, if it has
   * changed. The error of a failed write is emitted as an event and thrown.
   */
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

  /**
   * Writes only the conditions of the HorizontalPodAutoscaler, if they have changed. The reconcile
   * run calls this method when it could not read the target. The error of a failed write is emitted
   * as an event and thrown.
   */
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
