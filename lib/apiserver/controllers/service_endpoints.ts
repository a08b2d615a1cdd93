import type { Clock } from "@xca/apimachinery/base";
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { Registry } from "../machinery/registry.ts";
import { addressOf, keyOf } from "./object_key.ts";
import { Worker } from "./worker.ts";

/** Deletes the Endpoints of a deleted Service, as kube-apiserver does. */
export class ServiceEndpoints implements Disposable {
  readonly #registry: Registry;
  readonly #worker: Worker;

  constructor(registry: Registry, clock: Clock) {
    this.#registry = registry;
    this.#worker = new Worker(clock, (key) => this.#delete(key));
    this.#worker.follow(registry, (change) => {
      if (change.type !== "DELETED" || change.group !== "" || change.resource !== "services") {
        return;
      }
      this.#worker.add(
        keyOf({ group: "", resource: "endpoints", namespace: change.namespace, name: change.name }),
      );
    });
  }

  /** Stops the controller. */
  [Symbol.dispose](): void {
    this.#worker[Symbol.dispose]();
  }

  async #delete(key: string): Promise<void> {
    const address = addressOf(key);
    const { group, resource, namespace, name } = address;
    if (!this.#registry.get(group, resource, namespace, name)) return;
    try {
      await this.#registry.delete(address);
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 404)) throw error;
    }
  }
}
