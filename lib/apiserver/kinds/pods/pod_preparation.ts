import { FieldPath } from "@xca/apimachinery/internal/errors";
import { formatTime } from "@xca/apimachinery/meta";
import type { RequestContext } from "../../machinery/request_context.ts";
import { sameValue } from "../../validation/immutable.ts";
import { APP_ARMOR, appArmorProfileOf } from "./pod_annotations.ts";
import { dropDisabledFields } from "./dropped_fields.ts";
import { defaultPodLevelResources } from "./pod_level_resources.ts";
import { podQosClass } from "@xca/apimachinery/internal/resources";
import { containersOf, type Pod, type PodSpec } from "./common/pod_types.ts";

type LabelSelector = NonNullable<
  NonNullable<PodSpec["topologySpreadConstraints"]>[number]["labelSelector"]
>;

/**
 * Prepares a new pod for storage, in place (`core/pod/strategy.go`,
 * `podStrategy.PrepareForCreate`): sets its initial status and generation, drops the fields of
 * disabled features, and completes its pod-level resources, label selectors and AppArmor profiles.
 */
export function preparePod(pod: Pod, context: RequestContext): void {
  const spec = pod.spec!;
  pod.metadata.generation = 1;
  dropDisabledFields(spec, undefined);
  defaultPodLevelResources(spec);
  pod.status = { phase: "Pending", qosClass: podQosClass(spec) };
  if ((spec.schedulingGates ?? []).length > 0) {
    pod.status.conditions = [{
      type: "PodScheduled",
      status: "False",
      lastProbeTime: null as unknown as string,
      lastTransitionTime: formatTime(context.now),
      reason: "SchedulingGated",
      message: "Scheduling is blocked due to non-empty scheduling gates",
    }];
  }
  mergeLabelKeys(pod);
  applyAppArmorAnnotations(pod, context);
}

/**
 * Adds the pod's own values of the labels in `matchLabelKeys` and `mismatchLabelKeys` to the label
 * selectors of the pod's affinity terms and topology spread constraints.
 */
function mergeLabelKeys(pod: Pod): void {
  const labels = pod.metadata.labels ?? {};
  const { affinity, topologySpreadConstraints } = pod.spec!;
  for (const each of [affinity?.podAffinity, affinity?.podAntiAffinity]) {
    const preferred = each?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const terms = [
      ...preferred.map(({ podAffinityTerm = {} }) => podAffinityTerm),
      ...each?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
    ];
    for (const { labelSelector, matchLabelKeys, mismatchLabelKeys } of terms) {
      if (!labelSelector) continue;
      addExpressions(labelSelector, matchLabelKeys, "In", labels);
      addExpressions(labelSelector, mismatchLabelKeys, "NotIn", labels);
    }
  }
  for (const { labelSelector, matchLabelKeys } of topologySpreadConstraints ?? []) {
    if (labelSelector) addExpressions(labelSelector, matchLabelKeys, "In", labels);
  }
}

function addExpressions(
  selector: LabelSelector,
  keys: readonly string[] | undefined,
  operator: "In" | "NotIn",
  labels: Readonly<Record<string, string>>,
): void {
  for (const key of keys ?? []) {
    const value = labels[key];
    if (value === undefined) continue;
    selector.matchExpressions = [
      ...selector.matchExpressions ?? [],
      { key, operator, values: [value] },
    ];
  }
}

/**
 * Sets the AppArmor profiles of a pod's containers from the pod's annotations, for containers
 * without a profile; a Windows pod stays unchanged. An annotation that equals the pod's own profile
 * has no effect; every other annotation also causes a warning, and an invalid one nothing else.
 */
function applyAppArmorAnnotations(pod: Pod, context: RequestContext): void {
  const { annotations } = pod.metadata;
  const spec = pod.spec!;
  if (!annotations || spec.os?.name === "windows") return;
  for (const [container] of containersOf(spec, FieldPath.root)) {
    const key = APP_ARMOR + container.name;
    const annotation = annotations[key];
    if (annotation === undefined || container.securityContext?.appArmorProfile) continue;
    const profile = appArmorProfileOf(annotation);
    if (profile && sameValue(profile, spec.securityContext?.appArmorProfile)) continue;
    if (profile) (container.securityContext ??= {}).appArmorProfile = profile;
    const path = FieldPath.of("metadata", "annotations").key(key);
    context.warn(`${path}: deprecated since v1.30; use the "appArmorProfile" field instead`);
  }
}

/**
 * Increments the `metadata.generation` of an updated pod, in place, if its spec differs from the
 * stored one.
 */
export function updatePodGeneration(pod: Pod, old: Pod): void {
  if (sameValue(pod.spec, old.spec)) return;
  pod.metadata.generation = (pod.metadata.generation ?? 0) + 1;
}
