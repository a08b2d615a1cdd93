// Mirrors `controller/podautoscaler/horizontal.go, HorizontalController.reconcileAutoscaler`.
import type {
  V2HorizontalPodAutoscaler,
  V2HorizontalPodAutoscalerCondition,
  V2MetricStatus,
} from "@xca/apimachinery/kubernetes-types";
import { formatTime, HorizontalPodAutoscaler, Pod } from "@xca/apimachinery/meta";
import { jsonEqual, milliValue } from "@xca/apimachinery/internal/values";
import { controllerFor } from "../../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../../controller/definition/controller_definition.ts";
import type { Predicate } from "../../controller/definition/predicate.ts";
import type { ReconcileContext, RequeueAfter } from "../../controller/definition/reconciler.ts";
import { MetricError, type Proposal, proposalOf } from "./metric_proposal.ts";
import { type ReadUsage, readUsage } from "./pod_metrics.ts";
import type { Tolerances } from "./replica_calculator.ts";
import { readScale, type TargetScale, writeScale } from "./scale_target.ts";
import { type ReadAutoscaler, ScalingHistory } from "./scaling_history.ts";

/** The time between two looks at an autoscaler, in milliseconds. */
const PERIOD_MS = 15_000;
/** The relative deviation from a target that leads to no change by default. */
const TOLERANCE = 0.1;

/**
 * Creates the controller of HorizontalPodAutoscalers, which scales their targets by the use of CPU and
 * memory.
 */
export function autoscalerController(read: ReadUsage = readUsage): ControllerDefinition {
  const histories = new Map<string, ScalingHistory>();
  return controllerFor(HorizontalPodAutoscaler)
    .named("horizontal-pod-autoscaler-controller")
    .withPredicates(isSpecChange)
    .watches(Pod, () => [])
    .options({ workers: 5, hotLoopRuns: Infinity })
    .reconcile(async (context) => {
      const { cache, key } = context;
      const autoscaler = cache.shared.get(HorizontalPodAutoscaler, key);
      if (!autoscaler) return void histories.delete(key);
      const history = histories.get(key) ?? new ScalingHistory();
      histories.set(key, history);
      return await new Scaling(context, autoscaler, history, read).run();
    });
}

/** Passes the changes of an autoscaler's spec: those of its status are the controller's own. */
const isSpecChange: Predicate = (event) => {
  if (event.type !== "updated") return true;
  const text = ({ object }: typeof event.object): string =>
    JSON.stringify((object as ReadAutoscaler).spec);
  return text(event.old) !== text(event.object);
};

/** The bounds of an autoscaler, and the scale of its target. */
interface Target {
  readonly scale: TargetScale;
  readonly min: number;
  readonly max: number;
}

/** A decision about the size of a target. */
interface Decision {
  readonly desired: number;
  readonly reason: string;
  readonly rescales: boolean;
}

/** One look at an autoscaler. */
class Scaling {
  readonly #context: ReconcileContext;
  readonly #autoscaler: ReadAutoscaler;
  readonly #history: ScalingHistory;
  readonly #read: ReadUsage;
  readonly #nowMs: number;
  #conditions: V2HorizontalPodAutoscalerCondition[];
  #metrics: V2MetricStatus[] = [];

  constructor(
    context: ReconcileContext,
    autoscaler: ReadAutoscaler,
    history: ScalingHistory,
    read: ReadUsage,
  ) {
    this.#context = context;
    this.#autoscaler = autoscaler;
    this.#history = history;
    this.#read = read;
    this.#nowMs = context.clock.now().getTime();
    this.#conditions = structuredClone(
      autoscaler.status?.conditions ?? [],
    ) as V2HorizontalPodAutoscalerCondition[];
  }

  async run(): Promise<RequeueAfter> {
    const again = { requeueAfterMs: PERIOD_MS };
    const target = await this.#target();
    if (!target) return again;
    const current = target.scale.replicas;
    this.#history.begin(current, this.#nowMs);
    const decision = await this.#decide(target);
    if (!decision) {
      await this.#write(current, this.#autoscaler.status?.desiredReplicas ?? 0, false);
      return again;
    }
    if (decision.rescales && !await this.#rescale(target, decision)) return again;
    await this.#write(current, decision.rescales ? decision.desired : current, decision.rescales);
    return again;
  }

  /** Returns the target; `undefined` after its absence has been reported. */
  async #target(): Promise<Target | undefined> {
    const { namespace = "" } = this.#autoscaler.metadata;
    const { scaleTargetRef, minReplicas = 1, maxReplicas } = this.#autoscaler.spec!;
    try {
      const scale = await readScale(this.#context.client, namespace, scaleTargetRef);
      this.#set(
        "AbleToScale",
        "True",
        "SucceededGetScale",
        "the HPA controller was able to get the target's current scale",
      );
      return { scale, min: minReplicas, max: maxReplicas };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#warn("FailedGetScale", why);
      const text = `the HPA controller was unable to get the target's current scale: ${why}`;
      this.#set("AbleToScale", "False", "FailedGetScale", text);
      const { currentReplicas = 0, desiredReplicas = 0 } = this.#autoscaler.status ?? {};
      await this.#write(currentReplicas, desiredReplicas, false);
      return undefined;
    }
  }

  /** Decides about the size of the target; `undefined` when its metrics cannot be evaluated. */
  async #decide(target: Target): Promise<Decision | undefined> {
    const { scale: { replicas: current }, min, max } = target;
    const stopped = this.#hasStopped(min);
    if (current === 0 && !stopped) {
      const text = "scaling is disabled since the replica count of the target is zero";
      this.#set("ScalingActive", "False", "ScalingDisabled", text);
      return { desired: 0, reason: "", rescales: false };
    }
    if (current > max) {
      const reason = "Current number of replicas above Spec.MaxReplicas";
      return { desired: max, reason, rescales: true };
    }
    if (current > 0 && current < min) {
      const reason = "Current number of replicas below Spec.MinReplicas";
      return { desired: min, reason, rescales: true };
    }
    const proposal = await this.#proposal(target);
    if (!proposal) return undefined;
    const reason = proposal.replicas > current
      ? `${proposal.name} above target`
      : proposal.replicas < current
      ? "All metrics below target"
      : "";
    const desired = this.#normalized(target, proposal.replicas);
    if (current === 0 && min !== 0 && desired < min) {
      const text = reason || "Current number of replicas below Spec.MinReplicas";
      return { desired: min, reason: text, rescales: true };
    }
    return { desired, reason, rescales: desired !== current };
  }

  /** Reports whether the autoscaler itself has scaled its target to zero, and may scale it up again. */
  #hasStopped(min: number): boolean {
    const scaled = this.#conditions.some(({ type, status }) =>
      type === "ScaledToZero" && status === "True"
    );
    return scaled && (min !== 0 || this.#hasOutsideMetrics());
  }

  #hasOutsideMetrics(): boolean {
    return this.#autoscaler.spec?.metrics?.some(({ type }) =>
      type === "Object" || type === "External"
    ) ?? false;
  }

  /** Returns the largest proposal of the metrics; `undefined` after a failure has been reported. */
  async #proposal({ scale }: Target): Promise<Pick<Proposal, "replicas" | "name"> | undefined> {
    const { namespace = "" } = this.#autoscaler.metadata;
    if (scale.selector === "") {
      this.#warn("SelectorRequired", "selector is required");
      const text = "the HPA target's scale is missing a selector";
      this.#set("ScalingActive", "False", "InvalidSelector", text);
      this.#warn("FailedComputeMetricsReplicas", "selector is required");
      return undefined;
    }
    const specs = this.#autoscaler.spec?.metrics ?? [];
    const facts = {
      namespace,
      selector: scale.selector,
      current: scale.replicas,
      tolerances: this.#tolerances(),
      read: this.#read,
    };
    let best = { replicas: 0, name: "" };
    const failures: MetricError[] = [];
    for (const spec of specs) {
      try {
        const proposal = await proposalOf(this.#context, spec, facts);
        this.#metrics.push(proposal.status);
        if (best.replicas === 0 || proposal.replicas > best.replicas) best = proposal;
      } catch (error) {
        if (!(error instanceof MetricError)) throw error;
        this.#warn(error.reason, error.detail);
        this.#metrics.push({ type: "" });
        failures.push(error);
      }
    }
    const [first] = failures;
    if (first && (failures.length >= specs.length || best.replicas < scale.replicas)) {
      const text = `the HPA was unable to compute the replica count: ${first.detail}`;
      this.#set("ScalingActive", "False", first.reason, text);
      this.#warn(
        "FailedComputeMetricsReplicas",
        `invalid metrics (${failures.length} invalid out of ${specs.length}), first error is: ` +
          first.message,
      );
      return undefined;
    }
    const text = `the HPA was able to successfully calculate a replica count from ${best.name}`;
    this.#set("ScalingActive", "True", "ValidMetricFound", text);
    return best;
  }

  #tolerances(): Tolerances {
    const { scaleUp, scaleDown } = this.#autoscaler.spec?.behavior ?? {};
    const of = (text: string | undefined): number =>
      text === undefined ? TOLERANCE : Number(milliValue(text)) / 1000;
    return { up: of(scaleUp?.tolerance), down: of(scaleDown?.tolerance) };
  }

  /** Returns the size that recent recommendations, policies and bounds allow. */
  #normalized({ scale, min, max }: Target, proposed: number): number {
    const { behavior } = this.#autoscaler.spec ?? {};
    const sizes = { current: scale.replicas, desired: proposed, min, max };
    const stable = this.#history.stabilize(sizes, behavior, this.#nowMs);
    if (stable.size === proposed) {
      const text = "recommended size matches current size";
      this.#set("AbleToScale", "True", "ReadyForNewScale", text);
    } else this.#set("AbleToScale", "True", stable.reason, stable.message);
    const limited = this.#history.limit({ ...sizes, desired: stable.size }, behavior, this.#nowMs);
    const isLimited = limited.size === stable.size ? "False" : "True";
    this.#set("ScalingLimited", isLimited, limited.reason, limited.message);
    return limited.size;
  }

  /** Scales the target. Returns whether that succeeded; a failure is reported. */
  async #rescale({ scale, min }: Target, { desired, reason }: Decision): Promise<boolean> {
    const current = scale.replicas;
    try {
      await writeScale(this.#context.client, scale, desired);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#warn("FailedRescale", `New size: ${desired}; reason: ${reason}; error: ${why}`);
      const text = `the HPA controller was unable to update the target scale: ${why}`;
      this.#set("AbleToScale", "False", "FailedUpdateScale", text);
      await this.#write(current, this.#autoscaler.status?.desiredReplicas ?? 0, false);
      return false;
    }
    const text = `the HPA controller was able to update the target scale to ${desired}`;
    this.#set("AbleToScale", "True", "SucceededRescale", text);
    const note = `New size: ${desired}; reason: ${reason}`;
    this.#context.events.record(HorizontalPodAutoscaler, this.#autoscaler, {
      reason: "SuccessfulRescale",
      note,
    });
    if (this.#autoscaler.spec?.behavior) this.#history.changed(current, desired, this.#nowMs);
    if (current > 0 && desired === 0 && min === 0 && this.#hasOutsideMetrics()) {
      const zero = "the HPA controller scaled the workload to zero";
      this.#set("ScaledToZero", "True", "ScaledToZero", zero);
    } else {
      const other = "the HPA controller did not scale the workload to zero";
      this.#set("ScaledToZero", "False", "NotScaledToZero", other);
    }
    return true;
  }

  #warn(reason: string, note: string): void {
    const warning = { type: "Warning", reason, note } as const;
    this.#context.events.record(HorizontalPodAutoscaler, this.#autoscaler, warning);
  }

  #set(type: string, status: "True" | "False", reason: string, message: string): void {
    const known = this.#conditions.find((condition) => condition.type === type);
    const lastTransitionTime = known?.status === status && known.lastTransitionTime
      ? known.lastTransitionTime
      : formatTime(new Date(this.#nowMs));
    const condition = { type, status, lastTransitionTime, reason, message };
    this.#conditions = known
      ? this.#conditions.map((each) => each === known ? condition : each)
      : [...this.#conditions, condition];
  }

  async #write(currentReplicas: number, desiredReplicas: number, rescaled: boolean): Promise<void> {
    const { metadata, status: old } = this.#autoscaler;
    const lastScaleTime = rescaled ? formatTime(new Date(this.#nowMs)) : old?.lastScaleTime;
    const status = {
      ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
      ...(lastScaleTime !== undefined && { lastScaleTime }),
      currentReplicas,
      desiredReplicas,
      ...(this.#metrics.length > 0 && { currentMetrics: this.#metrics }),
      conditions: this.#conditions,
    };
    if (jsonEqual(status, old)) return;
    await this.#context.client.updateStatus(
      HorizontalPodAutoscaler,
      { ...this.#autoscaler, status } as unknown as V2HorizontalPodAutoscaler,
    );
  }
}
