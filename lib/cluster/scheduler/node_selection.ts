// Mirrors `component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go, RequiredNodeAffinity` and
// `component-helpers/scheduling/corev1/helpers.go, TolerationsTolerateTaint`.
import type {
  V1NodeSelectorRequirement,
  V1NodeSelectorTerm,
  V1Taint,
  V1Toleration,
} from "@xca/apimachinery/kubernetes-types";
import { parseInt64 } from "@xca/apimachinery/internal/meta";
import type { DeepReadonly } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";
import type { NodeInfo } from "./node_info.ts";

type Requirement = DeepReadonly<V1NodeSelectorRequirement>;

/** Reports whether a node meets the node selector and the required node affinity of a pod. */
export function matchesNodeAffinity({ spec }: ReadPod, node: NodeInfo): boolean {
  const selector = Object.entries(spec?.nodeSelector ?? {});
  if (!selector.every(([name, value]) => node.labels[name] === value)) return false;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined ||
    required.nodeSelectorTerms.some((term) => matchesTerm(term, node));
}

/**
 * Reports whether a pod's required node affinity excludes a node by its name: every term has
 * `metadata.name In` requirements, and no term's requirements all list the name
 * (`scheduler/framework/plugins/nodeaffinity/node_affinity.go, PreFilter`).
 */
export function isUnnamed({ spec }: ReadPod, name: string): boolean {
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const lists = required?.nodeSelectorTerms.map(({ matchFields = [] }) =>
    matchFields.filter(({ key, operator }) => key === "metadata.name" && operator === "In")
  );
  if (lists === undefined || lists.length === 0 || lists.some((list) => list.length === 0)) {
    return false;
  }
  return !lists.some((list) => list.every(({ values = [] }) => values.includes(name)));
}

/** Reports whether a node meets one node selector term; an empty term matches no node. */
export function matchesTerm(term: DeepReadonly<V1NodeSelectorTerm>, node: NodeInfo): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  return matchExpressions.every((each) => meets(each, node.labels[each.key])) &&
    matchFields.every((each) => meets(each, each.key === "metadata.name" ? node.name : undefined));
}

function meets({ operator, values = [] }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return isGreater(value, values[0]);
    case "Lt":
      return isGreater(values[0], value);
    default:
      return false;
  }
}

/** Reports whether two texts are integers of 64 bits, of which the first is the greater one. */
function isGreater(text = "", other = ""): boolean {
  const [left, right] = [parseInt64(text), parseInt64(other)];
  return left !== undefined && right !== undefined && left > right;
}

/**
 * Returns the first taint of the given effects that a pod does not tolerate; `undefined` if it
 * tolerates all of them.
 */
export function untolerated(
  { spec }: ReadPod,
  taints: readonly DeepReadonly<V1Taint>[] | undefined,
  effects: readonly string[],
): DeepReadonly<V1Taint> | undefined {
  const tolerations = spec?.tolerations ?? [];
  return taints?.find((taint) =>
    effects.includes(taint.effect) && !tolerations.some((each) => tolerates(each, taint))
  );
}

/**
 * Reports whether a toleration tolerates a taint. A toleration without a key or an effect is for
 * every key or effect. With `Lt` and `Gt` the taint's value must be an integer below or above that
 * of the toleration.
 */
export function tolerates(
  { key = "", operator = "", value = "", effect = "" }: DeepReadonly<V1Toleration>,
  taint: DeepReadonly<V1Taint>,
): boolean {
  if (effect !== "" && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  if (operator === "Exists") return true;
  const given = taint.value ?? "";
  if (operator === "" || operator === "Equal") return value === given;
  if (operator === "Lt") return isGreater(value, given);
  return operator === "Gt" && isGreater(given, value);
}
