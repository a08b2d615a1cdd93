import { type Clock, delay, systemClock } from "@xca/apimachinery/base";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { checked } from "./manifests.ts";

/**
 * A function that sends an HTTP request to the embedded API server with the rights of its
 * administrator.
 */
export type SeedFetch = (request: Request) => Promise<Response>;

/** Options of {@linkcode seedObjects}, which applies manifests to a server. */
export interface SeedOptions {
  /** The namespace of seeded objects that name none. @default {"default"} */
  readonly namespace?: string;
  /**
   * The clock by which seeding waits until a new CustomResourceDefinition is served.
   *
   * @default {systemClock}
   */
  readonly clock?: Clock;
}

/** A resource, or a subresource such as `pods/status`, in a discovery document of the server. */
interface FoundResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const ORIGIN = "https://embedded.invalid";
const TRIES = 100;
const PAUSE_MS = 10;

/**
 * Applies objects to a server in the given order, like `kubectl apply --server-side`, so that
 * applying them again changes nothing; an object without a name is created with its `generateName`.
 * The field manager `seed` takes over fields of other managers. Waits up to a second for kinds
 * whose definition was applied before. Writes a given `status` by the `status` subresource if the
 * kind has one, otherwise as a field like any other. Returns the stored objects.
 *
 * @throws {TypeError} If a value is not a Kubernetes object; the message has its position.
 * @throws {Error} If the server refuses an object or does not serve its kind; the message names it.
 *   The objects before it remain stored.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ApiServer, seedObjects } from "@xca/apiserver";
 *
 * using server = await ApiServer.start();
 * const [made] = await seedObjects((request) => server.fetch(request), [
 *   { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { x: "1" } },
 * ]);
 * assert.equal(made?.metadata.namespace, "default");
 * ```
 */
export async function seedObjects(
  fetch: SeedFetch,
  objects: readonly ApiObject[],
  options: SeedOptions = {},
): Promise<ApiObject[]> {
  for (const [index, object] of objects.entries()) checked(object, index + 1, "object");
  const sower = new Sower(fetch, options);
  const made: ApiObject[] = [];
  for (const object of objects) made.push(await sower.sow(object));
  return made;
}

class Sower {
  readonly #fetch: SeedFetch;
  readonly #clock: Clock;
  readonly #namespace: string;
  readonly #found = new Map<string, readonly FoundResource[]>();

  constructor(fetch: SeedFetch, { namespace = "default", clock = systemClock }: SeedOptions) {
    this.#fetch = fetch;
    this.#namespace = namespace;
    this.#clock = clock;
  }

  async sow(object: ApiObject): Promise<ApiObject> {
    const { name, generateName } = object.metadata;
    const resource = await this.#resourceOf(object);
    const { status, ...withoutStatus } = object;
    const hasStatus = await this.#hasStatus(object, resource);
    const rest = hasStatus ? withoutStatus : object;
    const path = this.#pathOf(object, resource);
    const made = name === undefined
      ? await this.#send("POST", `${path}?fieldManager=seed`, rest, generateName!)
      : await this.#apply(`${path}/${name}`, rest, name);
    if (status === undefined || !hasStatus) return made;
    const { resourceVersion: _, managedFields: __, ...metadata } = made.metadata;
    const at = `${path}/${made.metadata.name}/status`;
    return await this.#apply(at, { ...rest, metadata, status }, made.metadata.name!);
  }

  #apply(path: string, object: unknown, name: string): Promise<ApiObject> {
    return this.#send("PATCH", `${path}?fieldManager=seed&force=true`, object, name);
  }

  async #send(method: string, path: string, object: unknown, name: string): Promise<ApiObject> {
    const type = method === "PATCH" ? "application/apply-patch+yaml" : "application/json";
    const response = await this.#fetch(
      new Request(ORIGIN + path, {
        method,
        headers: { "Content-Type": type },
        body: yamlOf(object),
      }),
    );
    const answer = await response.json();
    if (response.ok) return answer;
    throw new Error(`Cannot seed ${(object as ApiObject).kind} ${name}: ${answer.message}`);
  }

  #pathOf({ apiVersion, metadata }: ApiObject, resource: FoundResource): string {
    const root = groupPath(apiVersion!);
    if (!resource.namespaced) return `${root}/${resource.name}`;
    return `${root}/namespaces/${metadata.namespace ?? this.#namespace}/${resource.name}`;
  }

  async #hasStatus({ apiVersion }: ApiObject, { name }: FoundResource): Promise<boolean> {
    const found = await this.#discover(apiVersion!);
    return found.some((each) => each.name === `${name}/status`);
  }

  /**
   * Returns the resource of an object's kind. Waits up to a second for a resource whose definition
   * was just created.
   *
   * @throws {Error} If the server has no resource of the kind.
   */
  async #resourceOf({ apiVersion, kind }: ApiObject): Promise<FoundResource> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const found = await this.#discover(apiVersion!);
      const resource = found.find((each) => each.kind === kind && !each.name.includes("/"));
      if (resource) return resource;
      this.#found.delete(apiVersion!);
      await delay(PAUSE_MS, { clock: this.#clock });
    }
    throw new Error(
      `Cannot seed ${kind}: the server has no such kind in ${apiVersion}; ` +
        "put its CustomResourceDefinition before it",
    );
  }

  async #discover(apiVersion: string): Promise<readonly FoundResource[]> {
    let found = this.#found.get(apiVersion);
    if (found === undefined) {
      const response = await this.#fetch(new Request(ORIGIN + groupPath(apiVersion)));
      // An unknown group is answered with plain text.
      const text = response.ok ? await response.text() : "{}";
      if (!response.ok) await response.body?.cancel();
      const { resources = [] } = JSON.parse(text) as { resources?: FoundResource[] };
      this.#found.set(apiVersion, found = resources);
    }
    return found;
  }
}

/**
 * Encodes an object as JSON that is valid YAML too; the characters that YAML forbids are escaped.
 */
function yamlOf(object: unknown): string {
  return JSON.stringify(object).replace(
    /[\x7f-\x84\x86-\x9f\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function groupPath(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}
