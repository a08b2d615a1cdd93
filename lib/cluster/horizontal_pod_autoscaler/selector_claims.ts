// Mirrors `controller/podautoscaler/hpa_selector_store.go, hpaSelectorStore`.
import { type LabelSelector, matchesLabels } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";

/**
 * The pod selectors of all autoscalers' targets, from which pods that several autoscalers select
 * are found.
 */
export class SelectorClaims {
  readonly #selectors = new Map<string, LabelSelector>();

  /** Records the pod selector of an autoscaler's target, to find overlapping autoscalers. */
  set(key: string, selector: LabelSelector): void {
    this.#selectors.set(key, selector);
  }

  /** Removes the recorded pod selector of a deleted autoscaler's target. */
  delete(key: string): void {
    this.#selectors.delete(key);
  }

  /**
   * Returns the keys ("namespace/name") of the autoscalers of a namespace whose targets' selectors
   * match any of the given pods of that namespace.
   */
  matching(namespace: string, pods: readonly ReadPod[]): string[] {
    return [...this.#selectors].filter(([key, selector]) =>
      key.startsWith(`${namespace}/`) &&
      pods.some(({ metadata }) => matchesLabels(selector, metadata.labels ?? {}))
    ).map(([key]) => key);
  }
}
