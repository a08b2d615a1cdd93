import { LoopShare, type Work } from "@xca/apimachinery/internal/base";
import { notFound } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { ObjectAddress, Registry, StoredChange } from "../machinery/registry.ts";
import type { ApiResource } from "../machinery/resource.ts";

/**
 * A registry that stores objects without checks, for tests of code that reads and subscribes only.
 */
export class FakeRegistry implements Registry {
  readonly serviceCidr = "10.0.0.0/24";
  readonly nodePorts = { first: 30000, last: 32767 };
  readonly #objects = new Map<string, ApiObject>();
  readonly #listeners = new Set<(change: StoredChange) => void>();
  #revision = 0;

  get(group: string, resource: string, namespace: string, name: string): ApiObject | undefined {
    return structuredClone(this.#objects.get(`${resource}.${group}/${namespace}/${name}`));
  }

  *list(group: string, resource: string, namespace?: string): Iterable<ApiObject> {
    const prefix = `${resource}.${group}/${namespace === undefined ? "" : `${namespace}/`}`;
    for (const [key, object] of this.#objects) {
      if (key.startsWith(prefix)) yield structuredClone(object);
    }
  }

  read({ group, resource, namespace, name }: ObjectAddress): Promise<ApiObject | undefined> {
    return Promise.resolve(this.get(group, resource, namespace, name));
  }

  create(address: ObjectAddress, object: ApiObject): Promise<ApiObject> {
    this.#put("ADDED", address, object);
    return Promise.resolve(object);
  }

  update(
    address: ObjectAddress,
    change: (current: ApiObject) => ApiObject,
  ): Promise<ApiObject> {
    const { group, resource, namespace, name } = address;
    const current = this.get(group, resource, namespace, name);
    if (!current) return Promise.reject(notFound(address, name));
    const changed = change(current);
    this.#put("MODIFIED", address, changed);
    return Promise.resolve(changed);
  }

  rewrite(): ApiObject {
    throw new Error("nothing here needs another form");
  }

  delete(address: ObjectAddress): Promise<ApiObject> {
    const { group, resource, namespace, name } = address;
    const object = this.get(group, resource, namespace, name)!;
    this.#objects.delete(`${resource}.${group}/${namespace}/${name}`);
    this.#tell("DELETED", address, object);
    return Promise.resolve(object);
  }

  served(): Iterable<ApiResource> {
    return [];
  }

  begin(): Work {
    return new LoopShare().begin();
  }

  endWatches(): void {}

  subscribe(listener: (change: StoredChange) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #put(type: "ADDED" | "MODIFIED", address: ObjectAddress, object: ApiObject): void {
    const { group, resource, namespace, name } = address;
    this.#objects.set(`${resource}.${group}/${namespace}/${name}`, structuredClone(object));
    this.#tell(type, address, object);
  }

  #tell(type: StoredChange["type"], address: ObjectAddress, object: ApiObject): void {
    const change = { ...address, type, revision: ++this.#revision };
    for (const listener of this.#listeners) {
      listener({
        ...change,
        object: () => structuredClone(object),
        text: () => JSON.stringify(object),
        previous: () => undefined,
      });
    }
  }
}
