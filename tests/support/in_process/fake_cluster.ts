/**
 * A cluster in memory for unit tests of controllers: a versioned store behind the typed client's
 * writes, and informers on it that a test can hold back.
 *
 * @module
 */
import type { EventHandler, HandlerRegistration } from "../../../lib/cache/events/event_handler.ts";
import { observe } from "../../../lib/cache/events/observed_object.ts";
import { informerKey, type InformerScope } from "../../../lib/cache/readers/informer_key.ts";
import type { Lister } from "../../../lib/cache/readers/lister.ts";
import type { PackedObject } from "../../../lib/cache/packed/packed_object.ts";
import { ApiError } from "../../../lib/client/errors/api_error.ts";
import type { Client } from "../../../lib/client/typed/client.ts";
import type { RestRequest } from "../../../lib/client/calls/rest.ts";
import type { WriteOptions } from "../../../lib/client/calls/options.ts";
import { coverageOf } from "../../../lib/controller/sources/coverage.ts";
import type {
  ControllerInformer,
  ControllerInformerOptions,
  Informers,
} from "../../../lib/controller/ports/informers.ts";
import {
  formatLabelSelector,
  matchesLabels,
  parseLabelSelector,
} from "../../../lib/apimachinery/meta/label_selector.ts";
import type { KubeObject } from "../../../lib/apimachinery/meta/object.ts";
import { keyOf, type ObjectKey } from "../../../lib/apimachinery/meta/object_key.ts";
import type { ResourceType } from "../../../lib/apimachinery/meta/resource_type.ts";

/** A write that reached the fake server. */
export interface Write {
  readonly verb: "create" | "update" | "updateStatus" | "delete";
  readonly type: ResourceType;
  readonly key: ObjectKey;
}

/** The type of the watch event. */
interface Change {
  readonly type: ResourceType;
  readonly object: KubeObject;
  readonly deleted: boolean;
  readonly revision: number;
}

export class FakeCluster implements Informers {
  /** Reports whether informers receive changes only at {@linkcode FakeCluster.deliver}. */
  lagging = false;
  /** Called before each write; an error that it throws is the server's response. */
  onWrite: (write: Write) => void | Promise<void> = () => {};
  /** The resources that discovery lists. @default {the resources of the informers} */
  served: readonly ResourceType[] | undefined;
  /** Called before discovery; an error that it throws is the server's response. */
  onDiscovery: (signal: AbortSignal | undefined) => void | Promise<void> = () => {};
  /** The writes that succeeded. */
  readonly writes: Write[] = [];
  readonly client: Client;
  readonly #objects = new Map<string, Map<ObjectKey, KubeObject>>();
  readonly #informers = new Map<string, FakeInformer>();
  readonly #pending: Change[] = [];
  #revision = 100;
  #uid = 0;
  #synced = true;

  constructor() {
    this.client = this.#makeClient();
  }

  /** Keeps informers from syncing until {@linkcode FakeCluster.sync}. */
  holdSync(): void {
    this.#synced = false;
  }

  sync(): void {
    this.#synced = true;
    for (const informer of this.#informers.values()) informer.sync();
  }

  informer<T extends KubeObject>(
    type: ResourceType<T>,
    { namespace = "", labelSelector = "", fieldSelector = "" }: ControllerInformerOptions<T> = {},
  ): ControllerInformer<T> {
    const scope = {
      type,
      namespace,
      labelSelector: parseLabelSelector(labelSelector),
      fieldSelector,
    };
    const key = informerKey(scope);
    let informer = this.#informers.get(key);
    if (!informer) {
      informer = new FakeInformer(this.#synced, scope);
      for (const object of this.#of(type).values()) informer.load(object);
      this.#informers.set(key, informer);
    }
    return informer as unknown as ControllerInformer<T>;
  }

  /** Returns the first informer of a resource, or the informer with a label selector. */
  fakeInformer(type: ResourceType, labelSelector?: string): FakeInformer {
    return this.#informersOf(type).find(({ scope }) =>
      labelSelector === undefined || formatLabelSelector(scope.labelSelector) === labelSelector
    )!;
  }

  #informersOf(type: ResourceType): FakeInformer[] {
    return [...this.#informers.values()].filter(({ scope }) => scope.type.id === type.id);
  }

  /** Writes as another client. */
  put<T extends KubeObject>(type: ResourceType<T>, object: T): T {
    const key = keyOf(object);
    const old = this.#of(type).get(key);
    return this.#store(type, {
      ...structuredClone(object),
      metadata: { ...object.metadata, uid: old?.metadata.uid ?? `uid-${++this.#uid}` },
    });
  }

  remove(type: ResourceType, key: ObjectKey): void {
    const object = this.#of(type).get(key);
    if (!object) throw refusal(404, "NotFound", `${type.plural} ${key} not found`);
    this.#of(type).delete(key);
    this.#changed(type, object, true);
  }

  read<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): T | undefined {
    return structuredClone(this.#of(type).get(key)) as T | undefined;
  }

  keys(type: ResourceType): ObjectKey[] {
    return [...this.#of(type).keys()];
  }

  /** Delivers the held back changes to the informers. */
  deliver(count: number = Infinity): void {
    for (let done = 0; done < count && this.#pending.length > 0; done++) {
      this.#tell(this.#pending.shift()!);
    }
  }

  /**
   * Drops the held back changes; the informers relist, and receive the present objects and version.
   */
  relist(): void {
    this.#pending.length = 0;
    for (const informer of this.#informers.values()) {
      informer.replace([...this.#of(informer.scope.type).values()], this.#revision);
    }
  }

  #of(type: ResourceType): Map<ObjectKey, KubeObject> {
    const known = this.#objects.get(type.id) ?? new Map();
    this.#objects.set(type.id, known);
    return known;
  }

  #store<T extends KubeObject>(type: ResourceType, object: T): T {
    const revision = ++this.#revision;
    object.metadata = { ...object.metadata, resourceVersion: `${revision}` };
    this.#of(type).set(keyOf(object), object);
    this.#changed(type, object, false);
    return structuredClone(object);
  }

  #changed(type: ResourceType, object: KubeObject, deleted: boolean): void {
    const revision = deleted ? ++this.#revision : this.#revision;
    const change = { type, object: structuredClone(object), deleted, revision };
    if (this.lagging) this.#pending.push(change);
    else this.#tell(change);
  }

  #tell(change: Change): void {
    for (const informer of this.#informersOf(change.type)) informer.apply(change);
  }

  #makeClient(): Client {
    const write = async (verb: Write["verb"], type: ResourceType, key: ObjectKey) => {
      await this.onWrite({ verb, type, key });
      this.writes.push({ verb, type, key });
    };
    const replace = async <T extends KubeObject>(
      verb: "update" | "updateStatus",
      type: ResourceType<T>,
      object: T,
    ): Promise<T> => {
      const key = keyOf(object);
      await write(verb, type, key);
      const old = this.#of(type).get(key);
      if (!old) throw refusal(404, "NotFound", `${type.plural} ${key} not found`);
      const { resourceVersion, uid } = object.metadata;
      if (uid && uid !== old.metadata.uid) {
        throw refusal(409, "Conflict", `${type.plural} ${key}: Precondition failed: UID`);
      }
      if (resourceVersion && resourceVersion !== old.metadata.resourceVersion) {
        throw refusal(409, "Conflict", `${type.plural} ${key}: the object has been modified`);
      }
      return this.#store(type, structuredClone(object));
    };
    const client: Partial<Client> = {
      config: { server: "https://fake.invalid" },
      get: async (type, key, options) => {
        await Promise.resolve();
        options?.signal?.throwIfAborted();
        const object = this.read(type, key);
        if (!object) throw refusal(404, "NotFound", `${type.plural} ${key} not found`);
        return object;
      },
      create: async <T extends KubeObject>(
        type: ResourceType<T>,
        object: T,
        options?: WriteOptions,
      ) => {
        await write("create", type, keyOf(object));
        if (options?.dryRun) return object;
        if (this.#of(type).has(keyOf(object))) {
          throw refusal(409, "AlreadyExists", `${type.plural} ${keyOf(object)} already exists`);
        }
        return this.put(type, object);
      },
      update: (type, object) => replace("update", type, object),
      updateStatus: (type, object) => replace("updateStatus", type, object),
      requestJson: async <T>({ path, signal }: RestRequest): Promise<T> => {
        const served = this.served ?? [...this.#informers.values()].map(({ scope }) => scope.type);
        const resources = served
          .filter(({ apiVersion }) =>
            path === `/apis/${apiVersion}` || path === `/api/${apiVersion}`
          )
          .map(({ plural: name, kind, scope }) => ({
            name,
            kind,
            namespaced: scope !== "Cluster",
          }));
        await this.onDiscovery(signal);
        return { resources } as T;
      },
      delete: async (type, key) => {
        await write("delete", type, key);
        this.remove(type, key);
      },
      deleteCollection: async (type, options = {}) => {
        const { namespace = "", labelSelector = "" } = options;
        const selector = parseLabelSelector(labelSelector);
        for (const [key, { metadata }] of [...this.#of(type)]) {
          if (namespace !== "" && metadata.namespace !== namespace) continue;
          if (!matchesLabels(selector, metadata.labels ?? {})) continue;
          await write("delete", type, key);
          this.remove(type, key);
        }
      },
      [Symbol.dispose]: () => {
        throw new Error("a controller must not close the operator's client");
      },
    };
    return client as Client;
  }
}

export function refusal(
  code: number,
  reason: string,
  message: string,
  { cause, path = "" }: { readonly cause?: string; readonly path?: string } = {},
): ApiError {
  return new ApiError({
    path,
    status: {
      code,
      reason,
      message,
      ...(cause ? { details: { causes: [{ reason: cause }] } } : {}),
    },
  });
}

interface FakeStore {
  get(key: ObjectKey): KubeObject | undefined;
  getPacked(key: ObjectKey): PackedObject | undefined;
  packed(): IterableIterator<PackedObject>;
  readonly lost: ReadonlySet<ObjectKey | undefined>;
  resourceVersion: string;
}

interface Listener {
  readonly handler: EventHandler;
  pending: number;
  waiters: PromiseWithResolvers<void>;
}

export class FakeInformer {
  readonly scope: InformerScope;
  readonly #store = new Map<ObjectKey, PackedObject>();
  readonly #listeners = new Set<Listener>();
  readonly #first = Promise.withResolvers<void>();
  #synced: boolean;

  constructor(synced: boolean, scope: InformerScope) {
    this.#synced = synced;
    this.scope = scope;
    if (synced) this.#first.resolve();
  }

  /** The keys of objects that the informer received and did not store yet. */
  readonly queued: Set<ObjectKey> = new Set();

  get synced(): boolean {
    return this.#synced;
  }

  hasQueued(key: ObjectKey): boolean {
    return this.queued.has(key);
  }

  async whenSynced(signal?: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<void>();
    signal?.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
    await Promise.race([this.#first.promise, aborted.promise]);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  get health(): ControllerInformer["health"] {
    return { synced: this.#synced, lastError: this.lastError };
  }

  lastError: ControllerInformer["health"]["lastError"];

  readonly indexer: FakeStore = {
    lost: new Set(),
    get: (key) => this.#store.get(key)?.read(),
    getPacked: (key) => this.#store.get(key),
    packed: () => this.#store.values(),
    resourceVersion: "",
  };

  readonly lister: Pick<Lister, "get" | "list"> = {
    get: (key) => this.#store.get(key)?.read(),
    list: ({ namespace = "", labelSelector = "" } = {}) => {
      const selector = parseLabelSelector(labelSelector);
      const found = [...this.#store.values()].filter((packed) =>
        (namespace === "" || packed.namespace === namespace) &&
        matchesLabels(selector, packed.labels)
      );
      return Promise.resolve(found.map((packed) => packed.read()));
    },
  };

  load(object: KubeObject): void {
    if (this.#holds(object)) this.#store.set(keyOf(object), packed(object));
  }

  /** A field selector; every field other than the name counts as a match. */
  #holds(object: KubeObject): boolean {
    return coverageOf(this.scope, object) !== "outside";
  }

  sync(): void {
    this.#synced = true;
    this.#first.resolve();
    for (const listener of this.#listeners) this.#check(listener);
  }

  replace(objects: readonly KubeObject[], revision: number): void {
    const held = objects.filter((object) => this.#holds(object));
    const next = new Map(held.map((object) => [keyOf(object), object]));
    const gone = [...this.#store.values()].filter(({ key }) => !next.has(key));
    this.indexer.resourceVersion = `${revision}`;
    for (const last of gone) {
      this.#store.delete(last.key);
      this.#each((handler) => handler.onDelete?.(observe(last, { finalStateUnknown: true })));
    }
    for (const object of held) this.#upsert(object);
  }

  apply({ object, deleted, revision }: Change): void {
    const isHeld = this.#holds(object);
    if (!isHeld && !this.#store.has(keyOf(object))) return;
    this.indexer.resourceVersion = `${revision}`;
    if (isHeld && !deleted) return this.#upsert(object);
    this.#store.delete(keyOf(object));
    this.#each((handler) => handler.onDelete?.(observe(packed(object))));
  }

  #upsert(object: KubeObject): void {
    const current = packed(object);
    const old = this.#store.get(current.key);
    this.#store.set(current.key, current);
    if (old && old.uid === current.uid) {
      this.#each((handler) => handler.onUpdate?.(observe(old), observe(current)));
      return;
    }
    if (old) this.#each((handler) => handler.onDelete?.(observe(old)));
    this.#each((handler) => handler.onAdd?.(observe(current), { isInInitialList: !this.#synced }));
  }

  #each(call: (handler: EventHandler) => void | Promise<void>): void {
    for (const listener of this.#listeners) void this.#call(listener, call);
  }

  async #call(
    listener: Listener,
    call: (handler: EventHandler) => void | Promise<void>,
  ): Promise<void> {
    listener.pending++;
    await call(listener.handler);
    listener.pending--;
    this.#check(listener);
  }

  #check(listener: Listener): void {
    if (this.#synced && listener.pending === 0) listener.waiters.resolve();
  }

  addHandler(handler: EventHandler): HandlerRegistration {
    const listener = { handler, pending: 0, waiters: Promise.withResolvers<void>() };
    this.#listeners.add(listener);
    for (const each of this.#store.values()) {
      void this.#call(
        listener,
        (to) => to.onAdd?.(observe(each), { isInInitialList: true }),
      );
    }
    this.#check(listener);
    const remove = (): void => void this.#listeners.delete(listener);
    const synced = (): boolean => this.#synced && listener.pending === 0;
    return {
      name: "fake",
      failures: 0,
      remove,
      get synced() {
        return synced();
      },
      get pending() {
        return listener.pending;
      },
      whenSynced: (signal) => {
        if (signal?.aborted) return Promise.reject(signal.reason);
        const aborted = Promise.withResolvers<void>();
        signal?.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
        return Promise.race([listener.waiters.promise, aborted.promise]);
      },
      removeAndWait: () => Promise.resolve(remove()),
      [Symbol.dispose]: remove,
      [Symbol.asyncDispose]: () => Promise.resolve(remove()),
    };
  }
}

function packed(object: KubeObject): PackedObject {
  const own = structuredClone(object);
  const { namespace = "", name = "", uid = "", resourceVersion = "" } = own.metadata;
  return {
    key: keyOf(own),
    namespace,
    name,
    uid,
    resourceVersion,
    generation: own.metadata.generation,
    deletionTimestamp: own.metadata.deletionTimestamp,
    labels: own.metadata.labels ?? {},
    annotations: own.metadata.annotations ?? {},
    ownerReferences: own.metadata.ownerReferences ?? [],
    finalizers: own.metadata.finalizers ?? [],
    byteLength: 0,
    read: () => structuredClone(own),
    view: () => structuredClone(own),
    sameVersionAs: (other) => other.uid === uid && other.resourceVersion === resourceVersion,
  };
}
