/**
 * The record of the objects that the demo creates on a cluster, so that it removes exactly these.
 *
 * @module
 */
import {
  ApiError,
  type Client,
  ignoreNotFound,
  isConflict,
  UnreachableError,
} from "@xca/operator/client";
import {
  keyOf,
  type KubeObject,
  Namespace,
  type ObjectKey,
  parseKey,
  type ResourceType,
} from "@xca/operator/meta";

/** An object that the demo created. */
interface Entry {
  readonly type: ResourceType;
  readonly key: ObjectKey;
  /** The UID of the object; `undefined` when the response to its creation was lost. */
  readonly uid?: string | undefined;
}

/**
 * A record of the objects that the demo created and has not removed yet, in the order of their
 * creation.
 */
export class Made {
  readonly #client: Client;
  #entries: readonly Entry[] = [];

  /** Creates an empty record of created objects. */
  constructor(client: Client) {
    this.#client = client;
  }

  /** Reports whether all objects that the demo created are removed. */
  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /**
   * The kubectl commands that remove the rest of the created objects. Objects in a namespace of the
   * record are left out, since they are deleted with the namespace.
   */
  get remedy(): string {
    const left = this.#entries.toReversed().map(({ type, key }) => ({ type, ...parseKey(key) }));
    const namespaces = left.filter(({ type }) => type === Namespace).map(({ name }) => name);
    const places = Map.groupBy(left, ({ namespace = "" }) => namespace);
    return [...places].filter(([place]) => !namespaces.includes(place)).map(([place, objects]) => {
      const names = objects.map(({ type, name }) => `${type.plural}/${name}`);
      return ["kubectl delete", ...place ? [`-n ${place}`] : [], ...names].join(" ");
    }).join("; ");
  }

  /**
   * Creates an object on the cluster. The object is recorded before the request, and leaves the
   * record only if the server refuses it with a status below 500, since otherwise it may exist.
   *
   * @throws {ApiError} When the server refuses the object.
   */
  async create<T extends KubeObject>(type: ResourceType<T>, object: T): Promise<void> {
    const before = this.#entries;
    const entry = { type, key: keyOf(object) };
    this.#entries = [...before, entry];
    try {
      const { metadata: { uid } } = await this.#client.create(type, object);
      this.#entries = [...before, { ...entry, uid }];
    } catch (error) {
      if (error instanceof ApiError && error.code < 500) this.#entries = before;
      throw error;
    }
  }

  /**
   * Removes all recorded objects from the cluster, the last first. An object whose deletion fails
   * is kept in the record, and the others are removed nevertheless, unless the server is
   * unreachable. An object that was replaced by another of its name counts as removed; the other
   * object is left unchanged.
   *
   * @throws {AggregateError} When a deletion failed.
   */
  async takeAway(): Promise<void> {
    const errors: unknown[] = [];
    for (const entry of this.#entries.toReversed()) {
      try {
        await this.#delete(entry);
        this.#entries = this.#entries.filter((each) => each !== entry);
      } catch (error) {
        errors.push(error);
        if (error instanceof UnreachableError) break;
      }
    }
    if (errors.length > 0) throw new AggregateError(errors);
  }

  async #delete({ type, key, uid }: Entry): Promise<void> {
    const options = uid === undefined ? {} : { preconditions: { uid } };
    try {
      await ignoreNotFound(this.#client.delete(type, key, options));
    } catch (error) {
      if (uid === undefined || !isConflict(error)) throw error;
      const found = await ignoreNotFound(this.#client.get(type, key));
      if (found?.metadata.uid === uid) throw error;
    }
  }
}
