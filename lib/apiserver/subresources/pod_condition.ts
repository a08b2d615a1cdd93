import type { V1Pod } from "@xca/apimachinery/kubernetes-types";
import { formatTime } from "@xca/apimachinery/meta";

type Condition = NonNullable<NonNullable<V1Pod["status"]>["conditions"]>[number];

/**
 * Sets a condition of a pod to true, in place. `lastTransitionTime` changes only with the status.
 */
export function setPodCondition(
  pod: V1Pod,
  type: string,
  now: Date,
  more: Pick<Condition, "reason" | "message"> = {},
): void {
  const status = pod.status ??= {};
  const conditions = status.conditions ??= [];
  const at = conditions.findIndex((each) => each.type === type);
  const before = at < 0 ? undefined : conditions[at];
  const condition = {
    type,
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: before?.status === "True" ? before.lastTransitionTime : formatTime(now),
    ...more,
  } as unknown as Condition;
  if (at < 0) conditions.push(condition);
  else conditions[at] = condition;
}
