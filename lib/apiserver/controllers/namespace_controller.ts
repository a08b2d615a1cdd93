// Mirrors `namespace/deletion/namespaced_resources_deleter.go, namespacedResourcesDeleter`.
import { type Clock, errorText } from "@xca/apimachinery/base";
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { V1Namespace } from "@xca/apimachinery/kubernetes-types";
import { formatTime } from "@xca/apimachinery/meta";
import type { ObjectAddress, Registry, StoredChange } from "../machinery/registry.ts";
import { namespaceConditions, type Remaining } from "./namespace_conditions.ts";
import { Worker } from "./worker.ts";

const FINALIZER = "kubernetes";
const MANAGER = "kube-controller-manager";

interface Counts {
  readonly objects: Map<string, number>;
  readonly finalizers: Map<string, number>;
  readonly failures: string[];
}

/**
 * The controller that deletes the content of a terminating namespace, pods first, then everything
 * else, and then removes the finalizer `kubernetes` from the namespace's spec. Remaining content is
 * reported in the namespace's conditions.
 */
export class NamespaceController implements Disposable {
  readonly #registry: Registry;
  readonly #clock: Clock;
  readonly #worker: Worker;
  /**
   * The names of the terminating namespaces; a write in such a namespace may allow its deletion to
   * continue.
   */
  readonly #terminating = new Set<string>();

  constructor(registry: Registry, clock: Clock) {
    this.#registry = registry;
    this.#clock = clock;
    this.#worker = new Worker(clock, (name) => this.#sync(name));
    this.#worker.follow(registry, (change) => this.#note(change));
    for (const namespace of registry.list("", "namespaces")) this.#noteNamespace(namespace);
  }

  /** Stops the namespace controller. */
  [Symbol.dispose](): void {
    this.#worker[Symbol.dispose]();
  }

  #note(change: StoredChange): void {
    if (change.group === "" && change.resource === "namespaces") {
      const dying = change.type !== "DELETED" && change.text().includes('"deletionTimestamp"');
      if (dying) this.#noteNamespace(change.object());
      else this.#terminating.delete(change.name);
    } else if (change.type !== "ADDED" && this.#terminating.has(change.namespace)) {
      this.#worker.add(change.namespace);
    }
  }

  #noteNamespace({ metadata }: ApiObject): void {
    if (metadata.deletionTimestamp === undefined) return;
    this.#terminating.add(metadata.name!);
    this.#worker.add(metadata.name!);
  }

  async #sync(name: string): Promise<void> {
    const namespace = this.#registry.get("", "namespaces", "", name) as V1Namespace | undefined;
    if (!namespace?.metadata.deletionTimestamp) return;
    if (!namespace.spec?.finalizers?.includes(FINALIZER)) return;
    const counts: Counts = { objects: new Map(), finalizers: new Map(), failures: [] };
    await this.#empty(name, { group: "", resource: "pods" }, counts);
    const podsGone = counts.objects.size === 0;
    if (podsGone) {
      for (const resource of this.#otherResources()) await this.#empty(name, resource, counts);
    }
    await this.#report(name, counts, podsGone);
    if (counts.failures.length > 0) throw new Error(counts.failures.join(", "));
    if (counts.objects.size === 0) await this.#finalize(name);
  }

  /** Returns all namespaced resources, other than pods, whose objects can be listed and deleted. */
  #otherResources(): Pick<ObjectAddress, "group" | "resource">[] {
    const seen = new Map<string, Pick<ObjectAddress, "group" | "resource">>();
    for (const { group: own, strategy, plural, namespaced, verbs } of this.#registry.served()) {
      if (!namespaced || !verbs.includes("delete") || !verbs.includes("list")) continue;
      const group = strategy.storedAs?.group ?? own;
      seen.set(`${plural}.${group}`, { group, resource: plural });
    }
    seen.delete("pods.");
    return [...seen.values()];
  }

  /**
   * Deletes all objects of a resource in a terminating namespace that are not being deleted yet.
   * Adds the objects that remain, their finalizers and the failed deletions to `counts`.
   */
  async #empty(
    namespace: string,
    { group, resource }: Pick<ObjectAddress, "group" | "resource">,
    counts: Counts,
  ): Promise<void> {
    for (const { metadata } of [...this.#registry.list(group, resource, namespace)]) {
      const address = { group, resource, namespace, name: metadata.name! };
      if (metadata.deletionTimestamp !== undefined) continue;
      try {
        await this.#registry.delete(address, { propagation: "Background", fieldManager: MANAGER });
      } catch (error) {
        const gone = error instanceof StatusError && error.code === 404;
        if (!gone) counts.failures.push(errorText(error));
      }
    }
    const name = `${resource}.${group}`;
    for (const { metadata } of this.#registry.list(group, resource, namespace)) {
      counts.objects.set(name, (counts.objects.get(name) ?? 0) + 1);
      for (const finalizer of metadata.finalizers ?? []) {
        counts.finalizers.set(finalizer, (counts.finalizers.get(finalizer) ?? 0) + 1);
      }
    }
  }

  async #report(name: string, remaining: Remaining, counted: boolean): Promise<void> {
    await this.#update(name, "status", (namespace) => {
      const now = formatTime(this.#clock.now());
      const { conditions = [] } = namespace.status ??= {};
      namespace.status.conditions = namespaceConditions(conditions, remaining, counted, now);
    });
  }

  async #finalize(name: string): Promise<void> {
    await this.#update(name, "finalize", ({ spec }) => {
      if (spec) {
        spec.finalizers = (spec.finalizers ?? []).filter((each) => each !== FINALIZER).sort();
      }
    });
  }

  async #update(
    name: string,
    subresource: string,
    change: (namespace: V1Namespace) => void,
  ): Promise<void> {
    const address = { group: "", resource: "namespaces", namespace: "", name };
    try {
      await this.#registry.update(address, (current) => {
        change(current as V1Namespace);
        return current;
      }, { subresource, fieldManager: MANAGER });
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 404)) throw error;
    }
  }
}
