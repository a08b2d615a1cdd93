// Mirrors `core/v1/serviceaccount.go, ServiceAccountLister`.
import type { V1ServiceAccount } from "@xca/apimachinery/kubernetes-types";
import type { Registry } from "../../machinery/registry.ts";

/**
 * A cache of the service accounts that pods have named. An account is parsed again only after a
 * change, since each new pod reads one twice.
 */
export class Accounts {
  readonly #parsed = new Map<string, V1ServiceAccount>();
  #followed: Registry | undefined;

  /**
   * Returns the service account with a namespace and a name, which the caller must not change;
   * `undefined` if there is none.
   */
  get(registry: Registry, namespace: string, name: string): V1ServiceAccount | undefined {
    if (this.#followed !== registry) this.#follow(registry);
    const key = `${namespace}/${name}`;
    const known = this.#parsed.get(key);
    if (known) return known;
    const account = registry.get("", "serviceaccounts", namespace, name);
    if (account) this.#parsed.set(key, account as V1ServiceAccount);
    return account as V1ServiceAccount | undefined;
  }

  #follow(registry: Registry): void {
    this.#followed = registry;
    this.#parsed.clear();
    registry.subscribe(({ group, resource, namespace, name }) => {
      if (group === "" && resource === "serviceaccounts") {
        this.#parsed.delete(`${namespace}/${name}`);
      }
    });
  }
}
