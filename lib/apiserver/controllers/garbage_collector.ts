// Mirrors `garbagecollector/garbagecollector.go, GarbageCollector`.
import type { Clock } from "@xca/apimachinery/base";
import type { Work } from "@xca/apimachinery/internal/base";
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { ObjectMeta, OwnerReference } from "@xca/apimachinery/meta";
import type { ObjectAddress, Registry, StoredChange } from "../machinery/registry.ts";
import { addressOf, keyOf } from "./object_key.ts";
import { OwnerGraph } from "./owner_graph.ts";
import { Worker } from "./worker.ts";

const FOREGROUND = "foregroundDeletion";
const ORPHAN = "orphan";
/** The field manager of the garbage collector's changes. */
const MANAGER = "kube-controller-manager";
/**
 * The length of a written object's JSON, in characters, from which on the next step of garbage
 * collection, of any object, first lets other requests run if parsing the JSON took long.
 */
const LARGE_LENGTH = 32 * 1024;

/**
 * The owner references of an object, classified by the state of the owner: `dangling` owners do not
 * exist, `solid` ones exist and are not `waiting`.
 */
interface Owners {
  readonly solid: readonly OwnerReference[];
  readonly dangling: readonly OwnerReference[];
  /**
   * The references to owners that exist, are being deleted in the foreground and wait for their
   * dependents.
   */
  readonly waiting: readonly OwnerReference[];
}

/**
 * The controller that deletes objects without remaining owners, and completes foreground deletions
 * and orphaning.
 *
 * An owner exists if there is an object of its kind, name and uid in the namespace of the
 * dependent, or in none for a cluster-scoped kind. Events are never collected.
 */
export class GarbageCollector implements Disposable {
  readonly #registry: Registry;
  readonly #graph = new OwnerGraph();
  readonly #worker: Worker;
  /**
   * The unit of work in which a change of a large object was noted; the next step of garbage
   * collection waits until other requests have had their turn.
   */
  #noting: Work | undefined;

  constructor(registry: Registry, clock: Clock) {
    this.#registry = registry;
    this.#worker = new Worker(clock, (key) => this.#attempt(addressOf(key)));
    this.#worker.follow(registry, (change) => this.#noteChange(change));
    for (
      const resource of new Set(
        [...registry.served()].map(({ group, plural }) => `${group}/${plural}`),
      )
    ) {
      const [group, plural] = resource.split("/") as [string, string];
      if (isEvent(group, plural)) continue;
      for (const { metadata } of registry.list(group, plural)) {
        const { namespace = "", name = "" } = metadata;
        this.#noteObject(keyOf({ group, resource: plural, namespace, name }), metadata);
      }
    }
  }

  /** Stops the garbage collector. */
  [Symbol.dispose](): void {
    this.#worker[Symbol.dispose]();
  }

  #noteChange(change: StoredChange): void {
    if (isEvent(change.group, change.resource)) return;
    const key = keyOf(change);
    if (change.type === "DELETED") return this.#noteDeletion(key, change.object().metadata);
    const text = change.text();
    if (text.length >= LARGE_LENGTH) this.#noting = this.#registry.begin();
    const concerns = this.#graph.ownersOf(key).length > 0 || text.includes('"ownerReferences"') ||
      text.includes('"deletionTimestamp"');
    if (concerns) this.#noteObject(key, change.object().metadata);
  }

  #noteObject(key: string, meta: ObjectMeta): void {
    const before = this.#graph.ownersOf(key);
    this.#graph.note(key, meta);
    const owners = meta.ownerReferences ?? [];
    const dying = meta.deletionTimestamp !== undefined;
    const finalizers = meta.finalizers ?? [];
    if (owners.length > 0 && !dying) this.#worker.add(key);
    if (dying && finalizers.includes(FOREGROUND)) {
      for (const dependent of this.#graph.dependentsOf(meta.uid!)) this.#worker.add(dependent);
      this.#worker.add(key);
    }
    if (dying && finalizers.includes(ORPHAN)) this.#worker.add(key);
    this.#addUnblocked(key, before, owners);
  }

  #noteDeletion(key: string, meta: ObjectMeta): void {
    const before = this.#graph.ownersOf(key);
    this.#graph.note(key, undefined);
    for (const dependent of this.#graph.dependentsOf(meta.uid!)) this.#worker.add(dependent);
    this.#addUnblocked(key, before, []);
  }

  /** Adds the owners whose foreground deletion an object no longer blocks to the queue. */
  #addUnblocked(
    key: string,
    before: readonly OwnerReference[],
    after: readonly OwnerReference[],
  ): void {
    if (before.length === 0) return;
    const blocked = new Set(after.map(({ uid, blockOwnerDeletion }) => blockOwnerDeletion && uid));
    for (const owner of before) {
      if (!owner.blockOwnerDeletion || blocked.has(owner.uid)) continue;
      const address = this.#addressOfOwner(owner, addressOf(key).namespace);
      if (address) this.#worker.add(keyOf(address));
    }
  }

  /**
   * Returns the address of the object that an owner reference names; `undefined` if its kind is not
   * served.
   */
  #addressOfOwner(owner: OwnerReference, namespace: string): ObjectAddress | undefined {
    const slash = owner.apiVersion.indexOf("/");
    const group = slash < 0 ? "" : owner.apiVersion.slice(0, slash);
    const version = owner.apiVersion.slice(slash + 1);
    for (const row of this.#registry.served()) {
      if (row.group !== group || row.version !== version || row.kind !== owner.kind) continue;
      return {
        group,
        resource: row.plural,
        namespace: row.namespaced ? namespace : "",
        name: owner.name,
      };
    }
    return undefined;
  }

  /**
   * Performs one step of garbage collection for one object. Rejects if the step failed; the worker
   * then retries the step.
   */
  async #attempt(address: ObjectAddress): Promise<void> {
    const noting = this.#noting;
    this.#noting = undefined;
    if (noting?.used) await noting.next();
    const live = this.#live(address);
    if (!live) return;
    const { metadata } = live;
    const finalizers = metadata.finalizers ?? [];
    const dying = metadata.deletionTimestamp !== undefined;
    if (dying && finalizers.includes(ORPHAN)) return await this.#orphan(address, metadata);
    if (dying && finalizers.includes(FOREGROUND)) return await this.#finish(address, metadata);
    if (dying || !metadata.ownerReferences?.length) return;

    const owners = this.#classify(address, metadata.ownerReferences);
    if (!owners) return;
    const { solid, dangling, waiting } = owners;
    if (solid.length > 0) {
      const gone = new Set([...dangling, ...waiting].map(({ uid }) => uid));
      if (gone.size > 0) await this.#dropOwners(address, metadata.uid!, gone);
      return;
    }
    const dependents = this.#graph.dependentsOf(metadata.uid!);
    if (waiting.length > 0 && dependents.length > 0) {
      if (dependents.some((key) => this.#isFinishing(key))) {
        await this.#unblock(address, metadata.uid!);
      }
      return await this.#delete(address, metadata, "Foreground");
    }
    const propagation = finalizers.includes(ORPHAN)
      ? "Orphan"
      : finalizers.includes(FOREGROUND)
      ? "Foreground"
      : "Background";
    await this.#delete(address, metadata, propagation);
  }

  #live({ group, resource, namespace, name }: ObjectAddress): ApiObject | undefined {
    return this.#registry.get(group, resource, namespace, name);
  }

  /** Reports whether an object is being deleted in the foreground. */
  #isFinishing(key: string): boolean {
    const metadata = this.#live(addressOf(key))?.metadata;
    return metadata?.deletionTimestamp !== undefined &&
      (metadata.finalizers ?? []).includes(FOREGROUND);
  }

  /**
   * Returns an object's owner references, classified by the state of the owners; `undefined` if a
   * cluster-scoped object names a namespaced owner, which cannot be looked up.
   *
   * @throws {Error} If the kind of an owner is not served, since it may be later.
   */
  #classify(
    { namespace }: ObjectAddress,
    references: readonly OwnerReference[],
  ): Owners | undefined {
    const solid: OwnerReference[] = [];
    const dangling: OwnerReference[] = [];
    const waiting: OwnerReference[] = [];
    const kinds = new Map<string, ObjectAddress | undefined>();
    for (const reference of references) {
      const { name } = reference;
      const kind = `${reference.apiVersion} ${reference.kind}`;
      if (!kinds.has(kind)) kinds.set(kind, this.#addressOfOwner(reference, namespace));
      const found = kinds.get(kind);
      const address = found && { ...found, name };
      if (!address) throw new Error(`no kind ${reference.kind} in ${reference.apiVersion}`);
      if (namespace === "" && this.#isNamespaced(address)) return undefined;
      const owner = this.#live(address);
      if (owner?.metadata.uid !== reference.uid) dangling.push(reference);
      else if (this.#isFinishing(keyOf(address))) waiting.push(reference);
      else solid.push(reference);
    }
    return { solid, dangling, waiting };
  }

  #isNamespaced({ group, resource }: ObjectAddress): boolean {
    for (const row of this.#registry.served()) {
      if (row.group === group && row.plural === resource) return row.namespaced;
    }
    return false;
  }

  /**
   * Continues the foreground deletion of an owner: removes the owner's finalizer
   * `foregroundDeletion` if no dependent blocks the deletion; otherwise queues the blocking
   * dependents that are not in a foreground deletion themselves.
   */
  async #finish(address: ObjectAddress, { uid }: ObjectMeta): Promise<void> {
    const blocking = this.#graph.blockingDependentsOf(uid!);
    if (blocking.length === 0) return await this.#removeFinalizer(address, uid!, FOREGROUND);
    for (const key of blocking) if (!this.#isFinishing(key)) this.#worker.add(key);
  }

  /**
   * Removes an owner that is being deleted from its dependents' owner references, and then the
   * finalizer `orphan` from the owner.
   */
  async #orphan(address: ObjectAddress, { uid }: ObjectMeta): Promise<void> {
    for (const key of this.#graph.dependentsOf(uid!)) {
      const dependent = this.#live(addressOf(key));
      if (!dependent) continue;
      await this.#dropOwners(addressOf(key), dependent.metadata.uid!, new Set([uid!]));
    }
    await this.#removeFinalizer(address, uid!, ORPHAN);
  }

  #dropOwners(address: ObjectAddress, uid: string, gone: ReadonlySet<string>): Promise<void> {
    return this.#change(address, uid, (metadata) => {
      const left = (metadata.ownerReferences ?? []).filter((owner) => !gone.has(owner.uid));
      if (left.length > 0) metadata.ownerReferences = left;
      else delete metadata.ownerReferences;
    });
  }

  #unblock(address: ObjectAddress, uid: string): Promise<void> {
    return this.#change(address, uid, (metadata) => {
      for (const owner of metadata.ownerReferences ?? []) {
        if (owner.blockOwnerDeletion) owner.blockOwnerDeletion = false;
      }
    });
  }

  #removeFinalizer(address: ObjectAddress, uid: string, finalizer: string): Promise<void> {
    return this.#change(address, uid, (metadata) => {
      const left = (metadata.finalizers ?? []).filter((each) => each !== finalizer);
      if (left.length > 0) metadata.finalizers = left;
      else delete metadata.finalizers;
    });
  }

  /** Changes the metadata of the object with a uid, unless the object is gone or was replaced. */
  async #change(
    address: ObjectAddress,
    uid: string,
    change: (metadata: ObjectMeta) => void,
  ): Promise<void> {
    await unlessGone(this.#registry.update(address, (current) => {
      if (current.metadata.uid === uid) change(current.metadata);
      return current;
    }, { fieldManager: MANAGER }));
  }

  async #delete(
    address: ObjectAddress,
    { uid, resourceVersion }: ObjectMeta,
    propagation: "Background" | "Foreground" | "Orphan",
  ): Promise<void> {
    const preconditions = {
      ...(uid && { uid }),
      ...(resourceVersion && { resourceVersion }),
    };
    await unlessGone(
      this.#registry.delete(address, { propagation, preconditions, fieldManager: MANAGER }),
    );
  }
}

/**
 * Reports whether a resource is that of Kubernetes' events, which have no part in garbage
 * collection.
 */
function isEvent(group: string, resource: string): boolean {
  return resource === "events" && (group === "" || group === "events.k8s.io");
}

async function unlessGone(done: Promise<unknown>): Promise<void> {
  try {
    await done;
  } catch (error) {
    if (!(error instanceof StatusError && error.code === 404)) throw error;
  }
}
