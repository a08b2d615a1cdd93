import type { Clock } from "../../base/clock.ts";
import type { V1ClusterRole } from "../../kubernetes_types/kinds.ts";
import { sameValue } from "../validation/immutable.ts";
import { selectorMatches } from "../validation/labels.ts";
import type { ApiObject } from "../machinery/api_object.ts";
import type { RegistryPort } from "../machinery/registry_port.ts";
import { StatusError } from "../machinery/status_error.ts";
import { Worker } from "./worker.ts";

const GROUP = "rbac.authorization.k8s.io";
const RESOURCE = "clusterroles";

/** Fills the rules of ClusterRoles that are made of others, as `view`, `edit` and `admin` are. */
export class ClusterRoleAggregation implements Disposable {
  readonly #registry: RegistryPort;
  readonly #worker: Worker;
  readonly #subscription: Disposable;

  constructor(registry: RegistryPort, clock: Clock) {
    this.#registry = registry;
    this.#worker = new Worker(clock, (name) => this.#sync(name));
    this.#subscription = registry.subscribe(({ group, resource }) => {
      if (group === GROUP && resource === RESOURCE) this.#addAll();
    });
    this.#addAll();
  }

  /** Ends its work. */
  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#worker[Symbol.dispose]();
  }

  #addAll(): void {
    for (const role of this.#roles()) {
      if (role.aggregationRule) this.#worker.add(role.metadata.name!);
    }
  }

  /** In the order of their names. */
  #roles(): V1ClusterRole[] {
    return [...this.#registry.list(GROUP, RESOURCE)] as unknown as V1ClusterRole[];
  }

  async #sync(name: string): Promise<void> {
    const role = this.#registry.get(GROUP, RESOURCE, "", name) as unknown as V1ClusterRole;
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

  /** The rules of the selected roles, by selector and name, each rule once. */
  #rulesFor({ aggregationRule, metadata }: V1ClusterRole): NonNullable<V1ClusterRole["rules"]> {
    const rules: NonNullable<V1ClusterRole["rules"]> = [];
    for (const selector of aggregationRule?.clusterRoleSelectors ?? []) {
      for (const role of this.#roles()) {
        if (role.metadata.name === metadata.name) continue;
        if (!selectorMatches(selector, role.metadata.labels ?? {})) continue;
        for (const rule of role.rules ?? []) {
          if (!rules.some((known) => sameValue(known, rule))) rules.push(rule);
        }
      }
    }
    return rules;
  }
}
