import { isDeepStrictEqual } from "node:util";
import {
  labelSelectorOf,
  type LabelSelectorSpec,
  matchesLabels,
} from "../../meta/label_selector.ts";
import type { ApiObject } from "../machinery/api_object.ts";
import type { RegistryPort } from "../machinery/registry_port.ts";
import { StatusError } from "../machinery/status_error.ts";
import type { PolicyRule } from "./policy_rule.ts";
import { RBAC_GROUP, rulesOf } from "./role_rules.ts";

const MANAGER = "clusterrole-aggregation-controller";

/**
 * Gives cluster roles with an aggregation rule (`admin`, `edit` and `view` among them) the rules of
 * all that they select, as the controller of kube-controller-manager does.
 */
export class RoleAggregation implements Disposable {
  readonly #registry: RegistryPort;
  readonly #subscription: Disposable;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(registry: RegistryPort) {
    this.#registry = registry;
    this.#subscription = registry.subscribe(({ group, resource }) => {
      if (group === RBAC_GROUP && resource === "clusterroles") void this.settle();
    });
  }

  /** Settles once every role has the rules of those that are there now. */
  settle(): Promise<void> {
    this.#again = true;
    return this.#running ??= this.#run().finally(() => this.#running = undefined);
  }

  [Symbol.dispose](): void {
    this.#stopped = true;
    this.#subscription[Symbol.dispose]();
  }

  /** Each change may be one that another role selects: on until nothing changes any more. */
  async #run(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      await Promise.resolve(); // Many changes of one turn are one.
      const roles = [...this.#registry.list(RBAC_GROUP, "clusterroles")];
      for (const role of roles) {
        const rules = role["aggregationRule"] ? aggregated(role, roles) : undefined;
        if (rules && !isDeepStrictEqual(rules, rulesOf(role))) await this.#write(role, rules);
      }
    }
  }

  async #write({ metadata: { name } }: ApiObject, rules: readonly PolicyRule[]): Promise<void> {
    const address = { group: RBAC_GROUP, resource: "clusterroles", namespace: "", name: name! };
    const change = (current: ApiObject): ApiObject => ({ ...current, rules });
    try {
      await this.#registry.update(address, change, { fieldManager: MANAGER });
    } catch (error) {
      // It was deleted meanwhile, or admission refuses it: the next change brings the next attempt.
      if (!(error instanceof StatusError)) throw error;
    }
  }
}

function aggregated(role: ApiObject, roles: readonly ApiObject[]): readonly PolicyRule[] {
  const { clusterRoleSelectors } = role["aggregationRule"] as {
    clusterRoleSelectors?: readonly LabelSelectorSpec[];
  };
  const rules: PolicyRule[] = [];
  for (const spec of clusterRoleSelectors ?? []) {
    const selector = labelSelectorOf(spec);
    for (const other of roles) {
      if (other.metadata.name === role.metadata.name) continue;
      if (!matchesLabels(selector, other.metadata.labels ?? {})) continue;
      for (const rule of rulesOf(other)) {
        if (!rules.some((known) => isDeepStrictEqual(known, rule))) rules.push(rule);
      }
    }
  }
  return rules;
}
