// Mirrors `controller/podautoscaler/horizontal.go, HorizontalController.stabilizeRecommendation`.
import type { V2HorizontalPodAutoscaler } from "@xca/apimachinery/kubernetes-types";
import type { DeepReadonly } from "@xca/apimachinery/meta";

/** A deeply read-only autoscaler. */
export type ReadAutoscaler = DeepReadonly<V2HorizontalPodAutoscaler>;
type Behavior = NonNullable<NonNullable<ReadAutoscaler["spec"]>["behavior"]>;
type Rules = NonNullable<Behavior["scaleUp"]>;

/**
 * The default stabilization window for scaling down, in milliseconds: a target is not scaled below
 * a recommendation in the window.
 */
const DOWNSCALE_WINDOW_MS = 300_000;
/** The longest period of a scaling policy that the API server accepts, in milliseconds. */
const LONGEST_PERIOD_MS = 1_800_000;

/**
 * The replica limits of an autoscaler, and the present and desired number of replicas of its
 * target.
 */
export interface Sizes {
  readonly current: number;
  readonly desired: number;
  readonly min: number;
  readonly max: number;
}

/**
 * A limited number of replicas, with the reason and the message of the condition that reports the
 * limit.
 */
export interface LimitedSize {
  readonly size: number;
  readonly reason: string;
  readonly message: string;
}

interface Timed {
  readonly atMs: number;
  readonly count: number;
}

const WITHIN = {
  reason: "DesiredWithinRange",
  message: "the desired count is within the acceptable range",
};
const LOW = {
  reason: "ScaleUpStabilized",
  message: "recent recommendations were lower than current one, applying the lowest recent " +
    "recommendation",
};
const HIGH = {
  reason: "ScaleDownStabilized",
  message: "recent recommendations were higher than current one, applying the highest recent " +
    "recommendation",
};
const TOO_FAST_UP = {
  reason: "ScaleUpLimit",
  message: "the desired replica count is increasing faster than the maximum scale rate",
};
const TOO_FAST_DOWN = {
  reason: "ScaleDownLimit",
  message: "the desired replica count is decreasing faster than the maximum scale rate",
};
const TOO_MANY = {
  reason: "TooManyReplicas",
  message: "the desired replica count is more than the maximum replica count",
};
const TOO_FEW = {
  reason: "TooFewReplicas",
  message: "the desired replica count is less than the minimum replica count",
};

/**
 * A record of the replica numbers that one autoscaler has recently recommended, and of the scalings
 * of its target. The limits of the autoscaler's stabilization windows and scaling policies are
 * computed from the record, which is kept in memory only.
 */
export class ScalingHistory {
  #recommendations: Timed[] = [];
  #ups: Timed[] = [];
  #downs: Timed[] = [];

  /**
   * Records the present number of replicas of the autoscaler's target as a recommendation, if no
   * recommendation is recorded yet.
   */
  begin(current: number, nowMs: number): void {
    if (this.#recommendations.length === 0) {
      this.#recommendations.push({ atMs: nowMs, count: current });
    }
  }

  /** The number of recorded scalings of the autoscaler's target. */
  get scalings(): number {
    return this.#ups.length + this.#downs.length;
  }

  /**
   * Records a scaling of the autoscaler's target, and removes those that no scaling policy can
   * include any more.
   */
  changed(from: number, to: number, nowMs: number): void {
    const recent = (changes: readonly Timed[]): Timed[] =>
      changes.filter(({ atMs }) => atMs > nowMs - LONGEST_PERIOD_MS);
    this.#ups = recent(this.#ups);
    this.#downs = recent(this.#downs);
    if (to > from) this.#ups.push({ atMs: nowMs, count: to - from });
    else this.#downs.push({ atMs: nowMs, count: from - to });
  }

  /**
   * Records the desired number of replicas as a new recommendation; returns the number that the
   * stabilization windows allow. The reason is meaningful only if that number is not the desired
   * one.
   */
  stabilize(
    { current, desired }: Sizes,
    behavior: Behavior | undefined,
    nowMs: number,
  ): LimitedSize {
    const recent = this.#recommendations;
    if (!behavior) {
      const kept = recent.filter(({ atMs }) => atMs >= nowMs - DOWNSCALE_WINDOW_MS);
      this.#recommendations = [...kept, { atMs: nowMs, count: desired }];
      return { size: Math.max(desired, ...kept.map(({ count }) => count)), ...HIGH };
    }
    const upMs = (behavior.scaleUp?.stabilizationWindowSeconds ?? 0) * 1000;
    const downMs = (behavior.scaleDown?.stabilizationWindowSeconds ?? DOWNSCALE_WINDOW_MS / 1000) *
      1000;
    const within = (ms: number): number[] =>
      recent.filter(({ atMs }) => atMs > nowMs - ms).map(({ count }) => count);
    const up = Math.min(desired, ...within(upMs));
    const down = Math.max(desired, ...within(downMs));
    const size = Math.min(Math.max(current, up), down);
    this.#recommendations = [
      ...recent.filter(({ atMs }) => atMs >= nowMs - Math.max(upMs, downMs)),
      { atMs: nowMs, count: desired },
    ];
    return { size, ...(desired >= current ? LOW : HIGH) };
  }

  /**
   * Returns the desired number of replicas, limited by the replica limits and the scaling policies
   * of an autoscaler, with the reason for the limit.
   */
  limit(sizes: Sizes, behavior: Behavior | undefined, nowMs: number): LimitedSize {
    const { current, desired, min, max } = sizes;
    if (!behavior) return limitByRules(sizes);
    if (desired > current) {
      const rate = Math.max(current, this.#upLimit(current, behavior.scaleUp, nowMs));
      const most = Math.min(max, rate);
      const why = max > rate ? TOO_FAST_UP : TOO_MANY;
      if (desired > most) return { size: most, ...why };
    } else if (desired < current) {
      const rate = Math.min(current, this.#downLimit(current, behavior.scaleDown, nowMs));
      const least = Math.max(min, rate);
      const why = min < rate ? TOO_FAST_DOWN : TOO_FEW;
      if (desired < least) return { size: least, ...why };
    }
    return { size: desired, ...WITHIN };
  }

  #upLimit(current: number, rules: Rules | undefined, nowMs: number): number {
    if (rules?.selectPolicy === "Disabled") return current;
    const proposals = (rules?.policies ?? []).map(({ type, value, periodSeconds }) => {
      const start = this.#startOf(current, periodSeconds, nowMs);
      return type === "Pods" ? start + value : Math.ceil(start * (1 + value / 100));
    });
    return rules?.selectPolicy === "Min" ? Math.min(...proposals) : Math.max(...proposals);
  }

  #downLimit(current: number, rules: Rules | undefined, nowMs: number): number {
    if (rules?.selectPolicy === "Disabled") return current;
    const proposals = (rules?.policies ?? []).map(({ type, value, periodSeconds }) => {
      const start = this.#startOf(current, periodSeconds, nowMs);
      return type === "Pods" ? start - value : Math.trunc(start * (1 - value / 100));
    });
    return rules?.selectPolicy === "Min" ? Math.max(...proposals) : Math.min(...proposals);
  }

  /**
   * Returns the number of replicas that the autoscaler's target had at the start of a policy's
   * period.
   */
  #startOf(current: number, seconds: number, nowMs: number): number {
    const sum = (changes: readonly Timed[]): number =>
      changes.filter(({ atMs }) => atMs > nowMs - seconds * 1000)
        .reduce((total, { count }) => total + count, 0);
    return current - sum(this.#ups) + sum(this.#downs);
  }
}

/**
 * Returns the desired number of replicas of an autoscaler without `spec.behavior`, limited by its
 * replica limits, and to at most double the present number, or four if that is more.
 */
function limitByRules({ current, desired, min, max }: Sizes): LimitedSize {
  const rate = Math.max(2 * current, 4);
  if (desired < min) return { size: min, ...TOO_FEW };
  if (desired > Math.min(max, rate)) {
    return { size: Math.min(max, rate), ...(max > rate ? TOO_FAST_UP : TOO_MANY) };
  }
  return { size: desired, ...WITHIN };
}
