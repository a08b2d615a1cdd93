// Mirrors `api/v1/pod/util.go, UpdatePodCondition`.
import type { V1Pod } from "@xca/apimachinery/kubernetes-types";
import { formatTime } from "@xca/apimachinery/meta";
import { setCondition } from "./set_condition.ts";

type Condition = NonNullable<NonNullable<V1Pod["status"]>["conditions"]>[number];

/**
 * Sets a condition in the status of a pod to true, in place; a missing condition is added. The
 * condition's `lastTransitionTime` stays if the condition was true before.
 */
export function setPodCondition(
  pod: V1Pod,
  type: string,
  now: Date,
  more: Pick<Condition, "reason" | "message"> = {},
): void {
  const condition = {
    type,
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: formatTime(now),
    ...more,
  } as unknown as Condition;
  setCondition((pod.status ??= {}).conditions ??= [], condition);
}
