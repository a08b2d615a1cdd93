// Mirrors `scheduler/framework/plugins/interpodaffinity/filtering.go, InterPodAffinity`.
import type { V1PodAffinityTerm } from "@xca/apimachinery/kubernetes-types";
import { type DeepReadonly, labelSelectorOf, matchesLabels } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";
import type { NodeInfo } from "./node_info.ts";

type Term = DeepReadonly<V1PodAffinityTerm>;

/** A required term of a pod, with the topology values, such as zones, that have a matching pod. */
interface Counted {
  readonly term: Term;
  readonly values: Set<string>;
}

/**
 * A function that returns the labels of a namespace, for affinity terms with a namespace selector.
 */
export type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>>;

/**
 * The required affinities and anti-affinities of one pod to the pods of all nodes, and the required
 * anti-affinities of these to the pod, computed once per scheduling attempt.
 */
export class PodAffinity {
  readonly #pod: ReadPod;
  /** The required affinity terms of the pod; a pod matches only if all terms select it. */
  readonly #wanted: readonly Counted[];
  /** The required anti-affinity terms of the pod. */
  readonly #avoided: readonly Counted[];
  /**
   * The topologies, as texts `key=value`, in which another pod's required anti-affinity rejects the
   * pod.
   */
  readonly #refusing = new Set<string>();

  constructor(pod: ReadPod, nodes: Iterable<NodeInfo>, namespaceLabels: NamespaceLabels) {
    this.#pod = pod;
    const start = (term: Term): Counted => ({ term, values: new Set() });
    this.#wanted = required(pod, "podAffinity").map(start);
    this.#avoided = required(pod, "podAntiAffinity").map(start);
    const hasTerms = this.#wanted.length + this.#avoided.length > 0;
    for (const node of nodes) {
      const others = hasTerms ? node.pods : node.podsWithAffinity;
      for (const other of others) this.#count(other, node, namespaceLabels);
    }
    this.#matchesItself = this.#wanted.every(({ term }) =>
      selects(term, pod, pod, namespaceLabels)
    );
  }

  /**
   * Reports whether the pod matches all its own required affinity terms, so that the first pod of a
   * group can be scheduled.
   */
  readonly #matchesItself: boolean;

  /**
   * Returns the reason why inter-pod affinity rejects a node, in kube-scheduler's wording;
   * `undefined` if it does not.
   */
  problem(node: NodeInfo): string | undefined {
    if (!this.#meetsAffinity(node)) return "node(s) didn't match pod affinity rules";
    const avoids = this.#avoided.some(({ term, values }) => {
      const value = node.labels[term.topologyKey];
      return value !== undefined && values.has(value);
    });
    if (avoids) return "node(s) didn't match pod anti-affinity rules";
    const refuses = Object.entries(node.labels)
      .some(([key, value]) => this.#refusing.has(`${key}=${value}`));
    return refuses ? "node(s) didn't satisfy existing pods anti-affinity rules" : undefined;
  }

  #meetsAffinity(node: NodeInfo): boolean {
    if (this.#wanted.some(({ term }) => node.labels[term.topologyKey] === undefined)) return false;
    if (this.#wanted.every(({ term, values }) => values.has(node.labels[term.topologyKey]!))) {
      return true;
    }
    return this.#matchesItself && this.#wanted.every(({ values }) => values.size === 0);
  }

  #count(other: ReadPod, node: NodeInfo, namespaceLabels: NamespaceLabels): void {
    const isSelectedBy = ({ term }: Counted): boolean =>
      selects(term, this.#pod, other, namespaceLabels);
    const wanted = this.#wanted.every(isSelectedBy) ? this.#wanted : [];
    for (const { term, values } of [...wanted, ...this.#avoided.filter(isSelectedBy)]) {
      const value = node.labels[term.topologyKey];
      if (value !== undefined) values.add(value);
    }
    for (const term of required(other, "podAntiAffinity")) {
      const value = node.labels[term.topologyKey];
      if (value === undefined || !selects(term, other, this.#pod, namespaceLabels)) continue;
      this.#refusing.add(`${term.topologyKey}=${value}`);
    }
  }
}

function required({ spec }: ReadPod, kind: "podAffinity" | "podAntiAffinity"): readonly Term[] {
  return spec?.affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
}

/**
 * Reports whether an affinity term of one pod (`of`) selects another pod, by namespace and labels;
 * a term without a label selector selects none.
 */
export function selects(
  term: Term,
  of: ReadPod,
  other: ReadPod,
  namespaceLabels: NamespaceLabels,
): boolean {
  const { namespace = "", labels = {} } = other.metadata;
  const { namespaces = [], namespaceSelector } = term;
  const own = namespaces.length === 0 && namespaceSelector === undefined;
  const inNamespace = own ? namespace === of.metadata.namespace : namespaces.includes(namespace) ||
    namespaceSelector !== undefined &&
      matchesLabels(labelSelectorOf(namespaceSelector), namespaceLabels(namespace));
  return inNamespace && term.labelSelector !== undefined &&
    matchesLabels(labelSelectorOf(term.labelSelector), labels);
}
