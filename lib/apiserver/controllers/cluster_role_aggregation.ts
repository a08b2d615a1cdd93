// Mirrors `clusterroleaggregation/clusterroleaggregation_controller.go,
// ClusterRoleAggregationController`.
import type { Clock } from "@xca/apimachinery/base";
import { StatusError } from "@xca/apimachinery/internal/errors";
import { selectorMatches } from "@xca/apimachinery/internal/validation";
import { type ApiObject, canonicalJson } from "@xca/apimachinery/internal/values";
import type { V1ClusterRole } from "@xca/apimachinery/kubernetes-types";
import { sameValue } from "../validation/immutable.ts";
import type { Registry } from "../machinery/registry.ts";
import { Worker } from "./worker.ts";

const GROUP = "rbac.authorization.k8s.io";
const RESOURCE = "clusterroles";

/**
 * The controller that sets the rules of ClusterRoles with an `aggregationRule`, such as `view`,
 * `edit` and `admin`, to those of the ClusterRoles that the rule selects.
 */
export class ClusterRoleAggregation implements Disposable {
  readonly #registry: Registry;
  readonly #worker: Worker;
  /** All ClusterRoles by name, parsed once per change. */
  readonly #roles = new Map<string, V1ClusterRole>();

  constructor(registry: Registry, clock: Clock) {
    this.#registry = registry;
    this.#worker = new Worker(clock, (name) => this.#sync(name));
    for (const role of registry.list(GROUP, RESOURCE)) {
      this.#roles.set(role.metadata.name!, role as unknown as V1ClusterRole);
    }
    this.#worker.follow(registry, (change) => {
      if (change.group !== GROUP || change.resource !== RESOURCE) return;
      if (change.type === "DELETED") this.#roles.delete(change.name);
      else this.#roles.set(change.name, change.object() as unknown as V1ClusterRole);
      this.#addAll();
    });
    this.#addAll();
  }

  /** Stops the controller of aggregated ClusterRoles. */
  [Symbol.dispose](): void {
    this.#worker[Symbol.dispose]();
  }

  #addAll(): void {
    for (const [name, role] of this.#roles) {
      if (role.aggregationRule) this.#worker.add(name);
    }
  }

  async #sync(name: string): Promise<void> {
    const role = this.#roles.get(name);
    if (!role?.aggregationRule) return;
    const rules = this.#rulesFor(role);
    if (sameValue(rules, role.rules)) return;
    const address = { group: GROUP, resource: RESOURCE, namespace: "", name };
    try {
      await this.#registry.update(address, (current): ApiObject => ({ ...current, rules }), {
        fieldManager: "clusterrole-aggregation-controller",
      });
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 404)) throw error;
    }
  }

  /**
   * Returns the rules of the other ClusterRoles that a ClusterRole's aggregation rule selects,
   * ordered by selector and name, without duplicates.
   */
  #rulesFor({ aggregationRule, metadata }: V1ClusterRole): NonNullable<V1ClusterRole["rules"]> {
    const rules = new Map<string, NonNullable<V1ClusterRole["rules"]>[number]>();
    const names = [...this.#roles.keys()].sort();
    for (const selector of aggregationRule?.clusterRoleSelectors ?? []) {
      for (const name of names) {
        const role = this.#roles.get(name)!;
        if (name === metadata.name) continue;
        if (!selectorMatches(selector, role.metadata.labels ?? {})) continue;
        for (const rule of role.rules ?? []) {
          const text = canonicalJson(rule);
          if (!rules.has(text)) rules.set(text, rule);
        }
      }
    }
    return [...rules.values()];
  }
}
