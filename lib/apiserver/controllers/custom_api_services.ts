// Mirrors `crdregistration/crdregistration_controller.go, crdRegistrationController`.
import type { Clock } from "@xca/apimachinery/base";
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { ObjectAddress, Registry, StoredChange } from "../machinery/registry.ts";
import { Worker } from "./worker.ts";

/** The field manager of the APIServices that the controller creates. */
const MANAGER = "kube-apiserver";
const GROUP = "apiregistration.k8s.io";
const AUTOMANAGED = "kube-aggregator.kubernetes.io/automanaged";

/**
 * The controller that maintains an APIService for each served group and version of custom
 * resources: it creates missing ones, and deletes those that it manages and that are no longer
 * needed.
 */
export class CustomApiServices implements Disposable {
  /**
   * A promise that resolves once the APIServices of the existing CustomResourceDefinitions exist.
   */
  readonly ready: Promise<void>;
  readonly #registry: Registry;
  readonly #worker: Worker;

  constructor(registry: Registry, clock: Clock) {
    this.#registry = registry;
    this.#worker = new Worker(clock, (name) => this.#sync(name));
    this.#worker.follow(registry, (change) => this.#note(change));
    this.ready = this.#syncAll();
  }

  /** Stops the controller of APIServices. */
  [Symbol.dispose](): void {
    this.#worker[Symbol.dispose]();
  }

  #note(change: StoredChange): void {
    if (change.group === GROUP && change.resource === "apiservices" && change.type === "DELETED") {
      if (this.#served().has(change.name)) this.#worker.add(change.name);
    }
    if (change.group !== "apiextensions.k8s.io") return;
    for (const definition of [change.object(), change.previous()]) {
      for (const name of namesOf(definition)) this.#worker.add(name);
    }
  }

  /** Returns the group and version of each needed APIService, by the APIService's name. */
  #served(): Map<string, { group: string; version: string }> {
    const served = new Map<string, { group: string; version: string }>();
    for (const { group, version, customResourceDefinition } of this.#registry.served()) {
      if (customResourceDefinition) served.set(`${version}.${group}`, { group, version });
    }
    return served;
  }

  async #syncAll(): Promise<void> {
    for (const name of this.#served().keys()) await this.#sync(name);
  }

  async #sync(name: string): Promise<void> {
    const place: ObjectAddress = { group: GROUP, resource: "apiservices", namespace: "", name };
    const wanted = this.#served().get(name);
    const found = this.#registry.get(GROUP, "apiservices", "", name);
    try {
      if (wanted && !found) {
        const object = apiService(name, wanted);
        await this.#registry.create(place, object, { fieldManager: MANAGER });
      } else if (!wanted && found?.metadata.labels?.[AUTOMANAGED]) {
        await this.#registry.delete(place);
      }
    } catch (error) {
      const { reason = "" } = error instanceof StatusError ? error : {};
      if (!["AlreadyExists", "NotFound"].includes(reason)) throw error;
    }
  }
}

/** Returns the names of the APIServices that a CustomResourceDefinition may need. */
function namesOf(definition: ApiObject | undefined): string[] {
  const { group, versions = [] } = (definition?.spec ?? {}) as {
    readonly group?: string;
    readonly versions?: readonly { readonly name: string }[];
  };
  return versions.map(({ name }) => `${name}.${group}`);
}

function apiService(
  name: string,
  { group, version }: { readonly group: string; readonly version: string },
): ApiObject {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: "APIService",
    metadata: { name, labels: { [AUTOMANAGED]: "true" } },
    spec: { group, groupPriorityMinimum: 1000, version, versionPriority: 100 },
  };
}
