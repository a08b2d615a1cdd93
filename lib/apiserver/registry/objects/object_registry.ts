// Mirrors `registry/generic/registry/store.go, Store`.
import type { RegistryReader } from "../../machinery/registry_reader.ts";
import type { Clock, Random } from "@xca/apimachinery/base";
import type { RequestUser } from "@xca/apimachinery/internal/access";
import { LoopShare, type Work } from "@xca/apimachinery/internal/base";
import { notFound } from "@xca/apimachinery/internal/errors";
import { type ApiObject, cloneJson, jsonEqual } from "@xca/apimachinery/internal/values";
import type { Admission } from "../../machinery/admission.ts";
import type {
  InnerCallOptions,
  InnerDeleteOptions,
  ObjectAddress,
  StoredChange,
} from "../../machinery/registry.ts";
import { FieldManagers } from "../../managed_fields/field_managers.ts";
import type { ApiResource } from "../../machinery/resource.ts";
import type { Collection, LogEvent } from "../../storage/collection.ts";
import type { RevisionLog } from "../../storage/revision_log.ts";
import type { WriteFeed } from "../../storage/write_feed.ts";
import { createObject } from "./create_object.ts";
import { deleteObject } from "./delete_object.ts";
import { checkDeleteOptions } from "../../request/delete_options.ts";
import { apiVersionOf, collectionName, storageKey } from "../../machinery/keys.ts";
import { WatchHub } from "../watch/watch_hub.ts";
import type { RegistryCore } from "./registry_core.ts";
import { VerbContext } from "./verb_context.ts";
import type { ResourceFinder } from "./resource_finder.ts";
import { updateObject } from "./update_object.ts";
import { fromStorage, isStoredForm } from "./versions.ts";
import { storeText } from "./written.ts";

/** The user that the server's own calls run as by default. */
const SERVER: RequestUser = {
  name: "system:apiserver",
  groups: ["system:masters", "system:authenticated"],
};

/**
 * The size of a stored object in bytes from which a write by the server's own controllers yields to
 * requests. Since requests never wait for these writes, yielding does not delay a request.
 */
const LARGE_BYTES = 32 * 1024;

/**
 * The time in milliseconds for which all requests together use the event loop before the loop runs
 * other work. Single steps may take several times as long; a shorter slice makes long requests wait
 * for more turns.
 */
const SLICE_MS = 8;

/** The parameters of an {@linkcode ObjectRegistry}. */
export interface ObjectRegistryInit {
  readonly log: RevisionLog;
  /** The feed of writes that watchers are notified of. @default {those of the log, at once} */
  readonly feed?: WriteFeed | undefined;
  readonly resources: ResourceFinder;
  readonly clock: Clock;
  readonly random: Random;
  readonly admission: readonly Admission[];
  readonly serviceCidr: string;
  readonly nodePorts: { readonly first: number; readonly last: number };
  /**
   * Returns the address at which a kubelet or an extension API server is reached; see
   * {@linkcode RegistryReader.reach}.
   */
  readonly reach?: RegistryReader["reach"];
  /** The names of the components that run together with the API server. @default {none} */
  readonly components?: readonly string[] | undefined;
  /** The signal that aborts the registry's own calls when the server stops. */
  readonly signal: AbortSignal;
}

/**
 * The registry of the API server: the objects of all resources, and the verbs on them
 * (`registry/store.go`, `Store`).
 */
export class ObjectRegistry implements RegistryCore {
  readonly log: RevisionLog;
  readonly resources: ResourceFinder;
  readonly managers: FieldManagers;
  /** The hub that notifies watchers of the registry's writes. */
  readonly hub: WatchHub;
  readonly clock: Clock;
  readonly share: LoopShare;
  readonly random: Random;
  readonly admission: readonly Admission[];
  readonly serviceCidr: string;
  readonly nodePorts: { readonly first: number; readonly last: number };
  readonly reach: RegistryReader["reach"];
  readonly components: readonly string[];
  readonly #signal: AbortSignal;
  /**
   * The last write that subscribers were notified of, and its change, which all subscribers share;
   * `undefined` before the first write.
   */
  #told: { readonly event: LogEvent; readonly change: StoredChange } | undefined;

  constructor(init: ObjectRegistryInit) {
    this.log = init.log;
    this.hub = new WatchHub(init.feed ?? init.log);
    this.resources = init.resources;
    this.managers = new FieldManagers((resource) => (apiVersion) => {
      const [version = "", group = ""] = apiVersion.split("/").reverse();
      return init.resources.find(group, version, resource.plural);
    });
    this.clock = init.clock;
    this.share = new LoopShare(init.clock, SLICE_MS);
    this.random = init.random;
    this.admission = init.admission;
    this.serviceCidr = init.serviceCidr;
    this.nodePorts = init.nodePorts;
    this.reach = init.reach;
    this.components = init.components ?? [];
    this.#signal = init.signal;
  }

  /** Returns the collection that stores the objects of a resource. */
  collectionOf(resource: ApiResource): Collection {
    return this.log.collection(collectionName(resource));
  }

  get(group: string, resource: string, namespace: string, name: string): ApiObject | undefined {
    return this.#collection(group, resource).get(storageKey(namespace, name))?.tree();
  }

  *list(group: string, resource: string, namespace?: string): Iterable<ApiObject> {
    const prefix = namespace ? `${namespace}/` : "";
    for (const stored of this.#collection(group, resource).list(prefix)) yield stored.tree();
  }

  async read(address: ObjectAddress): Promise<ApiObject | undefined> {
    const resource = this.#row(address);
    const stored = this.collectionOf(resource).get(storageKey(address.namespace, address.name));
    if (!stored) return undefined;
    const [object] = await fromStorage(resource, [stored]);
    return object;
  }

  async create(
    address: ObjectAddress,
    object: ApiObject,
    options: InnerCallOptions = {},
  ): Promise<ApiObject> {
    const context = this.#context("create", address, options);
    object.kind ??= context.resource.kind;
    object.apiVersion ??= apiVersionOf(context.resource);
    context.resource.strategy.defaults?.(object);
    return (await createObject(this, context, object)).object;
  }

  async update(
    address: ObjectAddress,
    change: (current: ApiObject) => ApiObject,
    options: InnerCallOptions = {},
  ): Promise<ApiObject> {
    const context = this.#context("update", address, options);
    const { resource } = context;
    // A converted scale target gets its defaults when it is read again.
    const isLater = options.subresource === "scale" && !isStoredForm(resource);
    const request = {
      create: false,
      change: (current: ApiObject | undefined) => {
        const next = change(cloneJson(current!));
        if (!isLater) resource.strategy.defaults?.(next);
        return next;
      },
    };
    const managed = options.managed ?? false;
    const { object } = await updateObject(this, context, { ...request, managed });
    for (const text of context.warnings) options.warn?.(text);
    return object;
  }

  rewrite(
    address: ObjectAddress,
    change: (current: ApiObject) => ApiObject,
    options: { readonly dryRun?: boolean } = {},
  ): ApiObject {
    const { group, resource, namespace, name } = address;
    const collection = this.#collection(group, resource);
    const stored = collection.get(storageKey(namespace, name));
    if (!stored) throw notFound(address, name);
    const next = change(stored.tree());
    if (options.dryRun || jsonEqual(next, stored.tree())) return next;
    this.log.put(collection, stored.key, storeText(this.log, next, next));
    return next;
  }

  async delete(address: ObjectAddress, options: InnerDeleteOptions = {}): Promise<ApiObject> {
    const context = this.#context("delete", address, options);
    const { propagation, orphanDependents, gracePeriodSeconds, preconditions } = options;
    const wanted = {
      ...(propagation !== undefined && { propagationPolicy: propagation }),
      ...(orphanDependents !== undefined && { orphanDependents }),
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
      ...(preconditions && { preconditions }),
    };
    checkDeleteOptions(wanted);
    const { object } = await deleteObject(this, context, wanted, options.skipAdmission);
    return object;
  }

  begin(): Work {
    return this.share.begin(() => this.#signal);
  }

  served(): Iterable<ApiResource> {
    return this.resources.all();
  }

  endWatches(group: string, resource: string): void {
    this.hub.end(this.#collection(group, resource).name);
  }

  subscribe(listener: (change: StoredChange) => void): Disposable {
    return this.log.subscribe((event) => listener(this.#changeOf(event)));
  }

  /** Returns the change that a write made, for subscribers; all subscribers get the same value. */
  #changeOf(event: LogEvent): StoredChange {
    if (this.#told?.event !== event) this.#told = { event, change: storedChange(event) };
    return this.#told.change;
  }

  #collection(group: string, resource: string): Collection {
    const [row] = this.resources.versionsOf(group, resource);
    return row ? this.collectionOf(row) : this.log.collection(`${resource}.${group}`);
  }

  /**
   * Returns the resource of an object's address in the address's API version or, without one, in
   * the storage version; in the preferred version if that version is not served.
   *
   * @throws {StatusError} 404 if the resource is not served.
   */
  #row({ group, resource, version, name }: ObjectAddress): ApiResource {
    const rows = this.resources.versionsOf(group, resource);
    const row = rows.find((each) => each.version === (version ?? each.storageVersion)) ?? rows[0];
    if (!row) throw notFound({ group, resource }, name);
    return row;
  }

  #context(verb: string, address: ObjectAddress, options: InnerCallOptions): VerbContext {
    const { namespace, name } = address;
    const resource = this.#row(address);
    const stored = this.collectionOf(resource).get(storageKey(namespace, name));
    const isLarge = (stored?.length ?? 0) >= LARGE_BYTES;
    return new VerbContext({
      user: options.user ?? SERVER,
      verb,
      resource,
      namespace,
      name,
      subresource: options.subresource ?? "",
      dryRun: options.dryRun ?? false,
      fieldManager: options.fieldManager ?? SERVER.name,
      fieldValidation: "Ignore",
      now: this.clock.now(),
      query: new URLSearchParams(),
      signalOf: () => this.#signal,
      work: this.share.begin(() => this.#signal, isLarge ? 0 : Infinity),
      random: this.random,
    });
  }
}

function storedChange(event: LogEvent): StoredChange {
  const dot = event.collection.indexOf(".");
  const slash = event.key.indexOf("/");
  return {
    type: event.type,
    group: event.collection.slice(dot + 1),
    resource: event.collection.slice(0, dot),
    namespace: slash < 0 ? "" : event.key.slice(0, slash),
    name: event.key.slice(slash + 1),
    revision: event.revision,
    text: () => event.object.text(),
    object: () => event.object.tree(),
    previous: () => event.previous?.tree(),
  };
}
