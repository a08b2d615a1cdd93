/**
 * What the demo makes on a cluster, so that it can take away that, and nothing else.
 *
 * @module
 */
import { ApiError, type Client, ignoreNotFound, UnreachableError } from "@xca/operator/client";
import {
  keyOf,
  type KubeObject,
  Namespace,
  type ObjectKey,
  parseKey,
  type ResourceType,
} from "@xca/operator/meta";

/** An object that is there because of the demo. */
interface Entry {
  readonly type: ResourceType;
  readonly key: ObjectKey;
}

/** The objects that were made and are not taken away yet, in the order they were made. */
export class Made {
  readonly #client: Client;
  #entries: readonly Entry[] = [];

  /** Begins with none. */
  constructor(client: Client) {
    this.#client = client;
  }

  /** Whether nothing is left to take away. */
  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** What takes the rest away by hand. Objects of a namespace go with it, where it is left too. */
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
   * Makes an object. It counts as made from before the call until the server refuses it: where the
   * answer is lost, it may be there.
   *
   * @throws {ApiError} When the server refuses it.
   */
  async create<T extends KubeObject>(type: ResourceType<T>, object: T): Promise<void> {
    const before = this.#entries;
    this.#entries = [...before, { type, key: keyOf(object) }];
    try {
      await this.#client.create(type, object);
    } catch (error) {
      if (error instanceof ApiError && error.code < 500) this.#entries = before;
      throw error;
    }
  }

  /**
   * Takes all away, the last first. What is refused is left, and the others go all the same.
   *
   * @throws {AggregateError} With what stood in the way.
   */
  async takeAway(): Promise<void> {
    const errors: unknown[] = [];
    for (const entry of this.#entries.toReversed()) {
      try {
        await ignoreNotFound(this.#client.delete(entry.type, entry.key));
        this.#entries = this.#entries.filter((each) => each !== entry);
      } catch (error) {
        errors.push(error);
        if (error instanceof UnreachableError) break;
      }
    }
    if (errors.length > 0) throw new AggregateError(errors);
  }
}
