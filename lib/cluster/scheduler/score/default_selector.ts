// Mirrors `scheduler/framework/plugins/helper/spread.go, DefaultSelector`.
import type {
  V1LabelSelector,
  V1ReplicaSet,
  V1ReplicationController,
  V1Service,
  V1StatefulSet,
} from "@xca/apimachinery/kubernetes-types";
import {
  type DeepReadonly,
  formatKey,
  labelSelectorOf,
  matchesLabels,
} from "@xca/apimachinery/meta";
import type { ReadPod } from "../../pods/pod_state.ts";

/**
 * A function that returns the label selector of the group of pods that a pod belongs to;
 * `undefined` for a pod of no group.
 */
export type DefaultSelector = (pod: ReadPod) => DeepReadonly<V1LabelSelector> | undefined;

/**
 * The objects that select groups of pods: the Services, and functions that look up the controllers
 * of pods.
 */
export interface PodGroups {
  readonly services: readonly DeepReadonly<V1Service>[];
  /** Returns a ReplicationController by its key; `undefined` if the cache has none. */
  readonly replicationController: (
    key: string,
  ) => DeepReadonly<V1ReplicationController> | undefined;
  /** Returns a ReplicaSet by its key; `undefined` if the cache has none. */
  readonly replicaSet: (key: string) => DeepReadonly<V1ReplicaSet> | undefined;
  /** Returns a StatefulSet by its key; `undefined` if the cache has none. */
  readonly statefulSet: (key: string) => DeepReadonly<V1StatefulSet> | undefined;
}

/**
 * Returns a function that returns the default selector of a pod: the requirements of the Services
 * that select the pod, and of the ReplicationController, ReplicaSet or StatefulSet that controls
 * it.
 */
export function defaultSelectorFrom(groups: PodGroups): DefaultSelector {
  const selecting = groups.services.flatMap(({ metadata: { namespace }, spec }) =>
    spec?.selector ? [{ namespace, matchLabels: spec.selector }] : []
  ).map((each) => ({ ...each, selector: labelSelectorOf(each) }));
  const services = Map.groupBy(selecting, ({ namespace }) => namespace);
  return (pod) => {
    const { namespace, labels = {} } = pod.metadata;
    const selectors = (services.get(namespace) ?? [])
      .filter(({ selector }) => matchesLabels(selector, labels))
      .map(({ matchLabels }) => matchLabels);
    const controller = controllerSelector(pod, groups);
    const matchLabels = Object.assign({}, ...selectors, controller?.matchLabels);
    const { matchExpressions = [] } = controller ?? {};
    const isEmpty = Object.keys(matchLabels).length + matchExpressions.length === 0;
    return isEmpty ? undefined : { matchLabels, matchExpressions };
  };
}

function controllerSelector(
  { metadata }: ReadPod,
  groups: PodGroups,
): DeepReadonly<V1LabelSelector> | undefined {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  if (!owner) return undefined;
  const key = formatKey({ namespace: metadata.namespace ?? "", name: owner.name });
  switch (`${owner.apiVersion} ${owner.kind}`) {
    case "v1 ReplicationController":
      return { matchLabels: groups.replicationController(key)?.spec?.selector ?? {} };
    case "apps/v1 ReplicaSet":
      return groups.replicaSet(key)?.spec?.selector;
    case "apps/v1 StatefulSet":
      return groups.statefulSet(key)?.spec?.selector;
    default:
      return undefined;
  }
}
