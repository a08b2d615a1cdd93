import {
  type KubeList,
  type ObjectKey,
  type ResourceType,
  resourceType,
  type Scope,
  type UnstructuredObject,
} from "@xca/apimachinery/meta";
import type { Client } from "./typed/client.ts";
import { type DiscoveryClient, discoveryClient } from "./discovery/discovery_client.ts";
import type {
  ApplyOptions,
  CallOptions,
  CreateOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  WatchOptions,
  WriteOptions,
} from "./calls/options.ts";
import type { Patch } from "./typed/patch.ts";
import type { ApplyFields } from "./typed/patch_fields.ts";
import type { WatchEvent } from "./typed/watch_event.ts";

/**
 * A client for the objects of one resource whose type is known at run time only. Each method is the
 * call of the same name of {@linkcode Client} for that resource.
 */
export interface DynamicResource {
  /**
   * The type of the resource on which the calls are made. Its `kind` is empty when the kind is
   * unknown.
   */
  readonly type: ResourceType<UnstructuredObject>;
  /**
   * Returns one object of the resource; rejects with an `isNotFound` error when it does not exist.
   * See {@linkcode Client.get}.
   */
  get(key: ObjectKey, options?: GetOptions): Promise<UnstructuredObject>;
  /**
   * Reads the resource's objects, page after page, and returns them as one list of one
   * resourceVersion.
   */
  list(options?: ListOptions): Promise<KubeList<UnstructuredObject>>;
  /** Yields the resource's objects page by page; see {@linkcode Client.pages}. */
  pages(options?: ListOptions): AsyncIterable<KubeList<UnstructuredObject>>;
  /** Yields changes of the resource's objects until the server ends the watch. */
  watch(options?: WatchOptions): AsyncIterable<WatchEvent<UnstructuredObject>>;
  /**
   * Creates an object of the resource, and returns the stored object; rejects with an
   * `isAlreadyExists` error when an object of the name exists. See {@linkcode Client.create}.
   */
  create(object: UnstructuredObject, options?: CreateOptions): Promise<UnstructuredObject>;
  /**
   * Replaces an object of the resource, and returns the stored object; rejects with an `isConflict`
   * error when the object is no longer at the given `metadata.resourceVersion`. See {@linkcode
   * Client.update}.
   */
  update(object: UnstructuredObject, options?: WriteOptions): Promise<UnstructuredObject>;
  /** Replaces the status of an object of the resource, and returns the stored object. */
  updateStatus(object: UnstructuredObject, options?: WriteOptions): Promise<UnstructuredObject>;
  /**
   * Patches an object of the resource, and returns the stored object; see {@linkcode Client.patch}.
   */
  patch(key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<UnstructuredObject>;
  /**
   * Patches the status of an object of the resource, which must exist, and returns the stored
   * object.
   */
  patchStatus(key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<UnstructuredObject>;
  /**
   * Applies fields to an object (server-side apply), creates the object if it does not exist, and
   * returns the stored object; see {@linkcode Client.apply}.
   */
  apply(object: UnstructuredObject, options?: ApplyOptions): Promise<UnstructuredObject>;
  /**
   * Applies fields to the status of an object (server-side apply), which must exist, and returns
   * the stored object.
   */
  applyStatus(object: UnstructuredObject, options?: ApplyOptions): Promise<UnstructuredObject>;
  /**
   * Deletes an object of the resource, or begins its deletion; rejects with an `isNotFound` error
   * when it does not exist. See {@linkcode Client.delete}.
   */
  delete(key: ObjectKey, options?: DeleteOptions): Promise<void>;
  /**
   * Deletes the selected objects of the resource; a namespaced resource requires the option
   * `namespace`. See {@linkcode Client.deleteCollection}.
   */
  deleteCollection(options?: DeleteCollectionOptions): Promise<void>;
}

/** The client for resources whose type is known at run time only. */
export interface DynamicClient {
  /**
   * Returns the client for a resource, without a request to the server: the existence and the scope
   * of the resource are not checked.
   */
  resource(name: {
    /** The API group of the dynamic client's resource; empty for the core group. */
    readonly group: string;
    /** The API version of the dynamic client's resource, such as `v1`. */
    readonly version: string;
    /** The plural of the dynamic client's resource as in URLs, such as `deployments`. */
    readonly plural: string;
    /** The scope of the resource, `Namespaced` or `Cluster`. @default {"Namespaced"} */
    readonly scope?: Scope;
    /** The kind of the dynamic client's objects. @default the kind that each object states */
    readonly kind?: string;
  }): DynamicResource;

  /**
   * Returns the client for the resource that has a name in the server's discovery. The name follows
   * kubectl's rules: `deployments`, `Deployment`, `deploy`, `deployments.apps`,
   * `deployments.v1.apps`. All calls share the cached result of discovery.
   *
   * @throws {NoMatchError} When no resource has the name; the error names the most similar ones.
   * @throws {AmbiguousResourceError} When the first two matches are of the same group and version.
   * @throws {TypeError} When the argument is empty or begins with a dot.
   */
  resourceFor(argument: string, options?: Pick<CallOptions, "signal">): Promise<DynamicResource>;
}

/**
 * Returns the client for resources that are known at run time only.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, dynamicClient } from "@xca/operator/client";
 *
 * using client = createClient({ server: "https://api.example.org" }, {
 *   fetch: () => Promise.resolve(Response.json({ metadata: { name: "a" }, spec: {} })),
 * });
 * const leases = dynamicClient(client)
 *   .resource({ group: "coordination.k8s.io", version: "v1", plural: "leases" });
 * const lease = await leases.get("kube-system/a");
 * assert(lease.metadata.name === "a");
 * // Or by any name that kubectl knows: await dynamicClient(client).resourceFor("deploy").
 * ```
 */
export function dynamicClient(client: Client, options: {
  /**
   * The discovery client that looks up resource names.
   *
   * @default {discoveryClient(client)}, created on demand
   */
  readonly discovery?: DiscoveryClient | undefined;
} = {}): DynamicClient {
  let { discovery } = options;
  return {
    resource: (name) => dynamicResource(client, resourceType({ ...name, kind: name.kind ?? "" })),
    resourceFor: async (argument, options) => {
      discovery ??= discoveryClient(client);
      return dynamicResource(client, await discovery.resourceFor(argument, options));
    },
  };
}

function dynamicResource(
  client: Client,
  type: ResourceType<UnstructuredObject>,
): DynamicResource {
  return {
    type,
    get: (key, options) => client.get(type, key, options),
    list: (options) => client.list(type, options),
    pages: (options) => client.pages(type, options),
    watch: (options) => client.watch(type, options),
    create: (object, options) => client.create(type, object, options),
    update: (object, options) => client.update(type, object, options),
    updateStatus: (object, options) => client.updateStatus(type, object, options),
    patch: (key, patch, options) => client.patch(type, key, patch, options),
    apply: (object, options) => client.apply(type, named(object), options),
    applyStatus: (object, options) => client.applyStatus(type, named(object), options),
    patchStatus: (key, patch, options) => client.patchStatus(type, key, patch, options),
    delete: (key, options) => client.delete(type, key, options),
    deleteCollection: (options) => client.deleteCollection(type, options),
  };
}

/**
 * Returns the same object, cast to the type in which `metadata.name` is required. Does not check
 * the name: the client throws when it is absent.
 */
function named(object: UnstructuredObject): ApplyFields<UnstructuredObject> {
  return object as ApplyFields<UnstructuredObject>;
}
