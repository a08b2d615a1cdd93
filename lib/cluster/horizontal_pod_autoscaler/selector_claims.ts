// Mirrors `controller/podautoscaler/hpa_selector_store.go, hpaSelectorStore`.
import { type LabelSelector, matchesLabels } from "@xca/apimachinery/meta";
import type { ReadPod } from "../pods/pod_state.ts";

/** The selectors of the targets of autoscalers, by which two autoscalers of one pod are found. */
export class SelectorClaims {
  readonly #selectors = new Map<string, LabelSelector>();

  /** Notes the selector of the target of an autoscaler. */
  set(key: string, selector: LabelSelector): void {
    this.#selectors.set(key, selector);
  }

  /** Removes the selector of an autoscaler that is gone. */
  delete(key: string): void {
    this.#selectors.delete(key);
  }

  /** Returns the keys of autoscalers whose selectors select any of the pods of a namespace. */
  matching(namespace: string, pods: readonly ReadPod[]): string[] {
    return [...this.#selectors].filter(([key, selector]) =>
      key.startsWith(`${namespace}/`) &&
      pods.some(({ metadata }) => matchesLabels(selector, metadata.labels ?? {}))
    ).map(([key]) => key);
  }
}
