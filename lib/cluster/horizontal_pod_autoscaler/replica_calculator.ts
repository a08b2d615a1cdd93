// Mirrors `controller/podautoscaler/replica_calculator.go, ReplicaCalculator`.
import { milliValue } from "@xca/apimachinery/internal/values";
import { podCondition, type ReadPod } from "../pods/pod_state.ts";
import type { PodMetric } from "./pod_metrics.ts";

/**
 * The CPU initialization period in milliseconds, from the start of a pod: in this period, the CPU
 * usage of the pod counts only if the pod is ready, and the measurement began after the last change
 * of the pod's readiness.
 */
const CPU_INITIALIZATION_MS = 300_000;
/**
 * A duration in milliseconds. After the CPU initialization period, an unready pod still counts as
 * starting if its readiness last changed less than this long after its start, or before it.
 */
const INITIAL_READINESS_MS = 30_000;

/**
 * The largest relative deviations of a metric above (`up`) and below (`down`) its target value that
 * cause no scaling.
 */
export interface Tolerances {
  readonly up: number;
  readonly down: number;
}

/**
 * Reports whether the ratio of a metric to its target value is within the tolerances, so that the
 * target is not scaled.
 */
export function isWithin({ up, down }: Tolerances, ratio: number): boolean {
  return ratio >= 1 - down && ratio <= 1 + up;
}

/** The inputs of the replica calculation for a metric of the target's pods. */
export interface ReplicaQuestion {
  readonly pods: readonly ReadPod[];
  /** The values of the metric by pod name, such as the CPU usage of each pod, in thousandths. */
  readonly metrics: ReadonlyMap<string, PodMetric>;
  readonly resource: string;
  readonly container: string | undefined;
  readonly current: number;
  readonly tolerances: Tolerances;
  readonly nowMs: number;
}

/**
 * The result of the replica calculation: the number of replicas, and the average usage per pod from
 * which the number follows.
 */
export interface ReplicaAnswer {
  readonly replicas: number;
  /** The average value of the metric per pod, such as the CPU usage, in thousandths. */
  readonly usage: number;
  /**
   * The average resource usage in percent of the pods' requests; absent if the target is not a
   * percentage.
   */
  readonly utilization?: number;
}

/**
 * Returns the number of replicas with which the resource usage reaches a percentage of the pods'
 * requests; the present number if the usage is within the tolerances, or if the values that are
 * assumed for unready pods and pods without a metric reverse the direction.
 *
 * @throws {Error} When the number cannot be calculated; the message is that of
 *   kube-controller-manager.
 */
export function replicasForUtilization(question: ReplicaQuestion, target: number): ReplicaAnswer {
  const groups = grouped(question);
  const requests = requestsOf(question);
  const ratioOf = (metrics: ReadonlyMap<string, number>): Ratio => {
    const known = [...metrics].filter(([name]) => requests.has(name));
    const total = known.reduce((sum, [, value]) => sum + value, 0);
    const requested = known.reduce((sum, [name]) => sum + requests.get(name)!, 0);
    if (requested === 0) throw new Error("no metrics returned matched known pods");
    const utilization = Math.trunc(total * 100 / requested);
    return { ratio: utilization / target, utilization, usage: Math.trunc(total / known.length) };
  };
  const fallback = (name: string): number =>
    Math.trunc(requests.get(name)! * Math.max(100, target) / 100);
  return answer(question, groups, ratioOf, fallback);
}

/**
 * Returns the number of replicas with which the average value of a metric per pod reaches a target
 * value in thousandths; the present number if the value is within the tolerances, or if the values
 * that are assumed for unready pods and pods without a metric reverse the direction.
 *
 * @throws {Error} When the number cannot be calculated; the message is that of
 *   kube-controller-manager.
 */
export function replicasForUsage(question: ReplicaQuestion, target: number): ReplicaAnswer {
  const ratioOf = (metrics: ReadonlyMap<string, number>): Ratio => {
    const total = [...metrics.values()].reduce((sum, value) => sum + value, 0);
    const usage = Math.trunc(total / metrics.size);
    return { ratio: usage / target, usage };
  };
  return answer(question, grouped(question), ratioOf, () => target);
}

interface Ratio {
  readonly ratio: number;
  readonly usage: number;
  readonly utilization?: number;
}

function answer(
  { current, tolerances }: ReplicaQuestion,
  { readyCount, unready, missing, metrics }: Groups,
  ratioOf: (metrics: ReadonlyMap<string, number>) => Ratio,
  fallback: (pod: string) => number,
): ReplicaAnswer {
  const { ratio, ...facts } = ratioOf(metrics);
  const stays = { replicas: current, ...facts };
  const startsMore = unready.length > 0 && ratio > 1;
  if (!startsMore && missing.length === 0) {
    return isWithin(tolerances, ratio)
      ? stays
      : { replicas: Math.ceil(ratio * readyCount), ...facts };
  }
  const assumed = new Map(metrics);
  for (const name of missing) {
    if (ratio < 1) assumed.set(name, fallback(name));
    else if (ratio > 1) assumed.set(name, 0);
  }
  if (startsMore) { for (const name of unready) assumed.set(name, 0); }
  const next = ratioOf(assumed).ratio;
  if (isWithin(tolerances, next) || (ratio < 1 && next > 1) || (ratio > 1 && next < 1)) {
    return stays;
  }
  const replicas = Math.ceil(next * assumed.size);
  const isContrary = (next < 1 && replicas > current) || (next > 1 && replicas < current);
  return isContrary ? stays : { replicas, ...facts };
}

/**
 * The pods of an autoscaler's target by group: the number of ready pods, the names of unready pods,
 * and the names of pods without metrics. Failed pods and pods that are being deleted are left out.
 */
interface Groups {
  readonly readyCount: number;
  readonly unready: readonly string[];
  readonly missing: readonly string[];
  /**
   * The values of the metric by pod name, such as the CPU usage, in thousandths, without those of
   * unready and failed pods and of pods that are being deleted.
   */
  readonly metrics: ReadonlyMap<string, number>;
}

function grouped({ pods, metrics, resource, nowMs }: ReplicaQuestion): Groups {
  if (pods.length === 0) {
    throw new Error("no pods returned by selector while calculating replica count");
  }
  const values = new Map([...metrics].map(([name, { value }]) => [name, value]));
  const [unready, missing]: [string[], string[]] = [[], []];
  let readyCount = 0;
  for (const pod of pods) {
    const { name = "", deletionTimestamp } = pod.metadata;
    const metric = metrics.get(name);
    if (deletionTimestamp !== undefined || pod.status?.phase === "Failed") values.delete(name);
    else if (pod.status?.phase === "Pending") unready.push(name);
    else if (!metric) missing.push(name);
    else if (resource === "cpu" && isStarting(pod, metric, nowMs)) unready.push(name);
    else readyCount++;
  }
  for (const name of unready) values.delete(name);
  if (values.size === 0) {
    throw new Error("did not receive metrics for targeted pods (pods might be unready)");
  }
  return { readyCount, unready, missing, metrics: values };
}

/**
 * Reports whether the measured CPU usage of a pod may stem from its start-up; true for a pod
 * without a start time or a condition `Ready`.
 */
function isStarting(pod: ReadPod, { atMs, windowMs }: PodMetric, nowMs: number): boolean {
  const condition = podCondition(pod, "Ready");
  if (!condition || pod.status?.startTime === undefined) return true;
  const startedMs = Date.parse(pod.status.startTime);
  const changedMs = Date.parse(condition.lastTransitionTime ?? "");
  if (startedMs + CPU_INITIALIZATION_MS > nowMs) {
    return condition.status === "False" || atMs < changedMs + windowMs;
  }
  return condition.status === "False" && startedMs + INITIAL_READINESS_MS > changedMs;
}

/**
 * Returns the resource requests of pods, or of one of their containers, in thousandths, by pod
 * name. A pod's request is that of the pod as a whole if `spec.resources` has requests, or else the
 * sum over its containers, sidecars included.
 *
 * @throws {Error} When a pod lacks the container or a request for the resource.
 */
function requestsOf({ pods, resource, container }: ReplicaQuestion): Map<string, number> {
  return new Map(pods.map((pod) => {
    const { name = "" } = pod.metadata;
    const ofPod = pod.spec?.resources?.requests;
    if (container === undefined && ofPod && Object.keys(ofPod).length > 0) {
      if (ofPod[resource] !== undefined) return [name, Number(milliValue(ofPod[resource]))];
      throw new Error(`missing pod-level request for ${resource} in Pod ${name}`);
    }
    const sidecars = pod.spec?.initContainers?.filter((each) => each.restartPolicy === "Always");
    const all = [...pod.spec?.containers ?? [], ...sidecars ?? []];
    const counted = all.filter((each) => container === undefined || each.name === container);
    if (counted.length === 0) {
      throw new Error(`container ${container} not found in Pod ${name}`);
    }
    return [
      name,
      counted.reduce((sum, each) => {
        const request = each.resources?.requests?.[resource];
        if (request !== undefined) return sum + Number(milliValue(request));
        throw new Error(`missing request for ${resource} in container ${each.name} of Pod ${name}`);
      }, 0),
    ];
  }));
}
