// Mirrors `controller/podautoscaler/horizontal.go, HorizontalController.reconcileAutoscaler`.
import { errorText } from "@xca/apimachinery/base";
import { type LabelSelector, matchesLabels, parseLabelSelector, Pod } from "@xca/apimachinery/meta";
import { nanosOf } from "@xca/apimachinery/internal/values";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";
import type { ReadPod } from "../pods/pod_state.ts";
import { AutoscalerStatus } from "./autoscaler_status.ts";
import { MetricError } from "./metric_error.ts";
import type { MetricsReader, Proposal, TargetFacts } from "./metric_facts.ts";
import { proposalOf } from "./metric_proposal.ts";
import { fieldManagerOf, isUnreportedRescale } from "./own_rescale.ts";
import type { Tolerances } from "./replica_calculator.ts";
import { readScale, type TargetScale, writeScale } from "./scale_target.ts";
import type { ReadAutoscaler, ScalingHistory } from "./scaling_history.ts";
import type { SelectorClaims } from "./selector_claims.ts";

/** The default relative deviation of a metric from its target value that causes no scaling. */
const TOLERANCE = 0.1;

/** The replica limits of an autoscaler, and the scale of its target. */
interface Target {
  readonly scale: TargetScale;
  readonly min: number;
  readonly max: number;
}

/**
 * The number of replicas that an autoscaler has decided on, with the reason, and whether its target
 * is to be scaled.
 */
interface Decision {
  readonly desired: number;
  readonly reason: string;
  readonly rescales: boolean;
}

/**
 * The dependencies of one reconcile run of an autoscaler: among others its history, the selectors
 * of all autoscalers, and the reader of metrics.
 */
export interface ScalingParts {
  readonly context: ReconcileContext;
  readonly autoscaler: ReadAutoscaler;
  readonly history: ScalingHistory;
  readonly claims: SelectorClaims;
  readonly metrics: MetricsReader;
}

/** The reconcile run of one HorizontalPodAutoscaler, which may scale its target. */
export class Scaling {
  readonly #parts: ScalingParts;
  readonly #autoscaler: ReadAutoscaler;
  readonly #history: ScalingHistory;
  readonly #status: AutoscalerStatus;
  readonly #nowMs: number;

  constructor(parts: ScalingParts) {
    const { context, autoscaler, history } = parts;
    this.#parts = parts;
    this.#autoscaler = autoscaler;
    this.#history = history;
    this.#status = new AutoscalerStatus(context, autoscaler);
    this.#nowMs = context.clock.now().getTime();
  }

  /**
   * Decides on the number of replicas of the autoscaler's target, scales the target, and writes the
   * status.
   */
  async run(): Promise<void> {
    const target = await this.#target();
    if (!target) return;
    const current = target.scale.replicas;
    this.#history.begin(current, this.#nowMs);
    await this.#reportLost(target);
    const decision = await this.#decide(target);
    if (!decision) return await this.#writeUndecided(current);
    if (!decision.rescales) return await this.#status.write(current, current);
    if (!await this.#rescale(target, decision)) return await this.#writeUndecided(current);
    await this.#status.write(current, decision.desired);
  }

  async #writeUndecided(current: number): Promise<void> {
    await this.#status.write(current, this.#autoscaler.status?.desiredReplicas ?? 0);
  }

  /**
   * Returns the autoscaler's target, and sets the condition `AbleToScale`; `undefined` after a
   * failure to read the target's scale has been recorded in the status and in an event.
   */
  async #target(): Promise<Target | undefined> {
    const { namespace = "" } = this.#autoscaler.metadata;
    const { scaleTargetRef, minReplicas = 1, maxReplicas } = this.#autoscaler.spec!;
    try {
      const scale = await readScale(this.#parts.context.client, namespace, scaleTargetRef);
      const text = "the HPA controller was able to get the target's current scale";
      this.#status.set("AbleToScale", "True", "SucceededGetScale", text);
      return { scale, min: minReplicas, max: maxReplicas };
    } catch (error) {
      const why = errorText(error);
      this.#status.record("Warning", "FailedGetScale", why);
      const text = `the HPA controller was unable to get the target's current scale: ${why}`;
      this.#status.set("AbleToScale", "False", "FailedGetScale", text);
      await this.#status.writeConditions();
      return undefined;
    }
  }

  /**
   * Records in the status a scaling that an earlier reconcile run of the autoscaler made without
   * recording it, and that a target which has replicas is no longer scaled to zero.
   */
  async #reportLost({ scale, min }: Target): Promise<void> {
    // The server records no field manager for a size that replaces zero.
    if (scale.replicas > 0 && this.#status.isTrue("ScaledToZero")) this.#setScaledToZero(false);
    const { client } = this.#parts.context;
    if (!await isUnreportedRescale(client, this.#autoscaler, scale)) return;
    this.#status.scaled();
    this.#setScaledToZero(scale.replicas === 0 && min === 0);
  }

  /**
   * Decides on the number of replicas of the autoscaler's target, with the limits and scaling
   * policies of the autoscaler applied. A target at zero stays there, its scaling disabled, unless
   * the autoscaler itself has scaled the target to zero and can scale it up again. Sets the
   * conditions of the status. Returns `undefined`, after the failure was recorded in the status and
   * in events, when the target's selector or the metrics cannot be evaluated.
   */
  async #decide(target: Target): Promise<Decision | undefined> {
    const { scale: { replicas: current }, min, max } = target;
    const isOwnZero = this.#status.isTrue("ScaledToZero") &&
      (min !== 0 || this.#isScalableFromZero());
    if (current === 0 && !isOwnZero) {
      const text = "scaling is disabled since the replica count of the target is zero";
      this.#status.set("ScalingActive", "False", "ScalingDisabled", text);
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

  /** Reports whether a metric of the autoscaler can have a value while the target has no pods. */
  #isScalableFromZero(): boolean {
    return this.#autoscaler.spec?.metrics?.some(({ type }) =>
      type === "Object" || type === "External"
    ) ?? false;
  }

  /**
   * Returns the largest of the replica numbers that the autoscaler's metrics propose, with the name
   * of its metric. A metric that cannot be evaluated is ignored if another one proposes at least
   * the present number; otherwise the failure is recorded in the status and in events, and the
   * result is `undefined`. Records the values of the metrics and the condition `ScalingActive` in
   * the status.
   */
  async #proposal({ scale }: Target): Promise<Pick<Proposal, "replicas" | "name"> | undefined> {
    const pods = await this.#podsOf(scale.selector);
    if (!pods) return undefined;
    const specs = this.#autoscaler.spec?.metrics ?? [];
    const facts: TargetFacts = {
      namespace: this.#autoscaler.metadata.namespace ?? "",
      selector: scale.selector,
      pods,
      current: scale.replicas,
      existing: scale.existing,
      tolerances: this.#tolerances(),
      nowMs: this.#nowMs,
      metrics: this.#parts.metrics,
    };
    let best = { replicas: 0, name: "" };
    const failures: MetricError[] = [];
    for (const spec of specs) {
      try {
        const proposal = await proposalOf(this.#parts.context, spec, facts);
        this.#status.metrics.push(proposal.status);
        if (best.replicas === 0 || proposal.replicas > best.replicas) best = proposal;
      } catch (error) {
        if (!(error instanceof MetricError)) throw error;
        this.#status.record("Warning", error.reason, error.detail);
        this.#status.metrics.push({ type: "" });
        failures.push(error);
      }
    }
    const [first] = failures;
    if (first && (failures.length >= specs.length || best.replicas < scale.replicas)) {
      const text = `the HPA was unable to compute the replica count: ${first.detail}`;
      this.#status.set("ScalingActive", "False", first.reason, text);
      const invalid = `${failures.length} invalid out of ${specs.length}`;
      const note = `invalid metrics (${invalid}), first error is: ${first.message}`;
      this.#status.record("Warning", "FailedComputeMetricsReplicas", note);
      return undefined;
    }
    const text = `the HPA was able to successfully calculate a replica count from ${best.name}`;
    this.#status.set("ScalingActive", "True", "ValidMetricFound", text);
    return best;
  }

  /**
   * Returns the pods that the target's selector matches, and records the selector among those of
   * all autoscalers; `undefined` after an error was recorded: the selector is missing or invalid,
   * or another autoscaler selects one of the pods.
   */
  async #podsOf(text: string): Promise<readonly ReadPod[] | undefined> {
    const { context: { cache, key }, claims } = this.#parts;
    const { namespace = "" } = this.#autoscaler.metadata;
    if (text === "") {
      const message = "the HPA target's scale is missing a selector";
      return this.#invalid("SelectorRequired", "selector is required", "InvalidSelector", message);
    }
    let selector: LabelSelector;
    try {
      selector = parseLabelSelector(text);
    } catch (error) {
      const note = "couldn't convert selector into a corresponding internal selector object: " +
        errorText(error);
      return this.#invalid("InvalidSelector", note);
    }
    claims.set(key, selector);
    const pods = (await cache.shared.list(Pod, { namespace })).filter(({ metadata }) =>
      matchesLabels(selector, metadata.labels ?? {})
    ) as ReadPod[];
    const owners = claims.matching(namespace, pods);
    if (owners.length <= 1) return pods;
    const shown = owners.slice(0, 2).join(" ");
    const note = `pods by selector ${text} are controlled by more than one HPA (e.g. [${shown}])`;
    return this.#invalid("AmbiguousSelector", note);
  }

  #invalid(event: string, note: string, reason = event, message = note): undefined {
    this.#status.record("Warning", event, note);
    this.#status.set("ScalingActive", "False", reason, message);
    this.#status.record("Warning", "FailedComputeMetricsReplicas", note);
  }

  #tolerances(): Tolerances {
    const { scaleUp, scaleDown } = this.#autoscaler.spec?.behavior ?? {};
    const of = (text: string | undefined): number =>
      text === undefined ? TOLERANCE : Number(nanosOf(text)) / 1e9;
    return { up: of(scaleUp?.tolerance), down: of(scaleDown?.tolerance) };
  }

  /**
   * Returns the proposed number of replicas, limited by the stabilization window, the scaling
   * policies and the limits of the autoscaler. Records the proposed number in the history, and sets
   * the conditions `AbleToScale` and `ScalingLimited`.
   */
  #normalized({ scale, min, max }: Target, proposed: number): number {
    const { behavior } = this.#autoscaler.spec ?? {};
    const sizes = { current: scale.replicas, desired: proposed, min, max };
    const stable = this.#history.stabilize(sizes, behavior, this.#nowMs);
    if (stable.size === proposed) {
      const text = "recommended size matches current size";
      this.#status.set("AbleToScale", "True", "ReadyForNewScale", text);
    } else this.#status.set("AbleToScale", "True", stable.reason, stable.message);
    const limited = this.#history.limit({ ...sizes, desired: stable.size }, behavior, this.#nowMs);
    const isLimited = limited.size === stable.size ? "False" : "True";
    this.#status.set("ScalingLimited", isLimited, limited.reason, limited.message);
    return limited.size;
  }

  /**
   * Scales the autoscaler's target, and records that in the status, in an event and, with
   * `spec.behavior`, in the history. Returns whether that succeeded; a failure is recorded in the
   * status and in an event.
   */
  async #rescale({ scale, min }: Target, { desired, reason }: Decision): Promise<boolean> {
    const current = scale.replicas;
    const isZero = current > 0 && desired === 0 && min === 0;
    const before = this.#status.conditions;
    const text = `the HPA controller was able to update the target scale to ${desired}`;
    this.#status.set("AbleToScale", "True", "SucceededRescale", text);
    this.#status.scaled();
    this.#setScaledToZero(isZero);
    // A target at zero is scaled up again only if the status records that the autoscaler has scaled
    // it.
    if (isZero) await this.#status.write(current, desired);
    try {
      const manager = fieldManagerOf(this.#autoscaler);
      await writeScale(this.#parts.context.client, scale, desired, manager);
    } catch (error) {
      const why = errorText(error);
      const note = `New size: ${desired}; reason: ${reason}; error: ${why}`;
      this.#status.record("Warning", "FailedRescale", note);
      const failure = `the HPA controller was unable to update the target scale: ${why}`;
      this.#status.takeBack(before);
      this.#status.set("AbleToScale", "False", "FailedUpdateScale", failure);
      return false;
    }
    const note = `New size: ${desired}; reason: ${reason}`;
    this.#status.record("Normal", "SuccessfulRescale", note);
    if (this.#autoscaler.spec?.behavior) this.#history.changed(current, desired, this.#nowMs);
    return true;
  }

  #setScaledToZero(isZero: boolean): void {
    if (isZero && this.#isScalableFromZero()) {
      const text = "the HPA controller scaled the workload to zero";
      return this.#status.set("ScaledToZero", "True", "ScaledToZero", text);
    }
    const text = "the HPA controller did not scale the workload to zero";
    this.#status.set("ScaledToZero", "False", "NotScaledToZero", text);
  }
}
