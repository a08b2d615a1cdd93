import { type Clock, linkedAbort, type Timer } from "@xca/apimachinery/base";
import {
  type KubeObject,
  type ObjectKey,
  parseKeyOf,
  type ResourceType,
} from "@xca/apimachinery/meta";
import { parseLabelSelector } from "@xca/apimachinery/meta";
import { CacheReadError } from "../../cache/readers/cache_read_error.ts";
import { createCacheReader, type ReadableInformer } from "../../cache/readers/cache_reader.ts";
import type { ControllerInformerOptions } from "../../controller/ports/informers.ts";
import type { InformerLease } from "./informer_lease.ts";
import type { ListerOptions } from "../../cache/readers/lister_options.ts";
import { cacheHealthOf } from "./cache_health.ts";
import { chosenScope } from "./cache_scope.ts";
import type { ManagedCaches } from "./managed_caches.ts";

/** Options of a read of {@linkcode ManagedReader}. */
export interface ManagedReadOptions {
  /**
   * The signal that ends the read's wait for the first list of the kind; the read then rejects with
   * the signal's reason.
   */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A reader of a manager's caches. The first read of a kind starts informers for the kind, one per
 * namespace that the manager caches or one for all, and waits until their first lists are complete;
 * an informer ends when the kind was not read for five minutes and no operator needs the informer.
 *
 * Each read parses its results anew, so that the caller may change them; the results may be older
 * than the server's state.
 */
export interface ManagedReader {
  /**
   * Returns the cached object of a key; `undefined` when the cache has none.
   *
   * @throws {CacheReadError} When the manager does not run, does not cache the namespace of the
   * key, a controller has a transform of its own for the kind, the object cannot be decoded or
   * transformed, or the first list is not complete within two minutes; the message then has the
   * error of the watch.
   * @throws {TypeError} When the key is not valid for the resource, or the manager caches only the
   * metadata of the kind, or the kind in no namespace.
   * @throws {unknown} The reason of the signal, or of the manager's stop, when it is aborted before
   * the first list is complete.
   */
  get<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    options?: ManagedReadOptions,
  ): Promise<T | undefined>;
  /**
   * Returns the cached objects of a kind, all or those that the options select, once the first list
   * of the kind is complete.
   *
   * @throws {CacheReadError} When the manager does not run, does not cache the requested namespace,
   * a controller has a transform of its own for the kind, an object cannot be decoded or
   * transformed, or the first list is not complete within two minutes.
   * @throws {TypeError} When an option is wrong, or the manager caches only the metadata of the
   * kind, or the kind in no namespace.
   * @throws {unknown} The reason of the signal, or of the manager's stop before the first list is
   * complete.
   */
  list<T extends KubeObject>(
    type: ResourceType<T>,
    options?: Omit<ListerOptions, "index">,
  ): Promise<T[]>;
}

/**
 * The longest time that a read waits for the first list of a kind, in milliseconds; then the read
 * rejects with a CacheReadError.
 */
const SYNC_TIMEOUT_MS = 120_000;

/**
 * The time after the last read after which the reader releases the informers of a kind, in
 * milliseconds.
 */
const IDLE_MS = 300_000;

/** The informers of one kind that reads of the manager's cache keep alive. */
interface ReadKind {
  readonly held: readonly (ReadableInformer & { readonly lease: InformerLease })[];
  /** The number of reads of the kind that are in progress. */
  reads: number;
  timer: Timer | undefined;
}

/**
 * The implementation of {@linkcode ManagedReader}, which starts informers when they are first
 * needed.
 */
export class OnDemandReader implements ManagedReader {
  readonly #caches: ManagedCaches;
  readonly #clock: Clock;
  readonly #kinds = new Map<string, ReadKind>();
  #signal: AbortSignal | undefined;

  /** Creates a reader of the manager's caches, whose reads fail until it is opened. */
  constructor(caches: ManagedCaches, clock: Clock) {
    this.#caches = caches;
    this.#clock = clock;
  }

  /**
   * Opens the reader: reads are admitted until the signal is aborted, and reject before and after.
   */
  open(signal: AbortSignal): void {
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#close(), { once: true });
  }

  async get<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    options: ManagedReadOptions = {},
  ): Promise<T | undefined> {
    parseKeyOf(type, key);
    return await this.#read(type, options, (reader) => reader.get(type, key));
  }

  async list<T extends KubeObject>(
    type: ResourceType<T>,
    options: Omit<ListerOptions, "index"> = {},
  ): Promise<T[]> {
    return await this.#read(type, options, (reader) => reader.list(type, options));
  }

  async #read<T>(
    type: ResourceType,
    { signal }: ManagedReadOptions,
    read: (reader: ReturnType<typeof createCacheReader>) => T | Promise<T>,
  ): Promise<T> {
    if (!this.#signal || this.#signal.aborted) {
      throw new CacheReadError(`Cannot read ${type.id} from the manager's cache: it does not run`);
    }
    const kind = this.#kindOf(type);
    kind.reads++;
    try {
      await this.#whenSynced(type, kind, [signal, this.#signal]);
      return await read(createCacheReader({
        informersOf: () => kind.held,
        what: "the manager's cache",
        unwatched: () => "no informer holds that resource",
      }));
    } finally {
      kind.reads--;
      this.#endWhenIdle(type, kind);
    }
  }

  #kindOf(type: ResourceType): ReadKind {
    const id = idOf(type);
    const known = this.#kinds.get(id);
    if (known) {
      known.timer?.[Symbol.dispose]();
      return known;
    }
    const { choices, namespaces } = this.#caches;
    const scope = chosenScope("a reader", { type }, choices.get(type.id), namespaces);
    using leases = new DisposableStack();
    const held = (scope.namespaces ?? [""]).map((namespace) => {
      const lease = leases.use(this.#lease(type, { ...scope, namespace }));
      const labelSelector = parseLabelSelector(scope.labelSelector ?? "");
      const fieldSelector = scope.fieldSelector ?? "";
      return {
        lease,
        informer: lease.informer,
        scope: { type, namespace, labelSelector, fieldSelector },
      };
    });
    const kind: ReadKind = { held, reads: 0, timer: undefined };
    this.#kinds.set(id, kind);
    leases.move(); // The kind holds the leases until it is released.
    return kind;
  }

  /**
   * Returns a lease of an informer for reads.
   *
   * @throws {CacheReadError} When a source of a controller has the informer with a transform of its
   * own.
   */
  #lease(type: ResourceType, options: ControllerInformerOptions<KubeObject>): InformerLease {
    try {
      return this.#caches.acquire(type as ResourceType<KubeObject>, options);
    } catch (cause) {
      throw new CacheReadError(
        `Cannot read ${type.id} from the manager's cache: a controller caches ${type.plural} with a ` +
          "transform of its own; set the function in the caches of the manager, so that all get it",
        { cause },
      );
    }
  }

  /**
   * Waits until the first lists of a kind's informers are complete.
   *
   * @throws {CacheReadError} When a first list is not complete within two minutes.
   * @throws {Error} When an informer is stopped before its first list is complete.
   * @throws {unknown} The reason of a signal that is aborted before.
   */
  async #whenSynced(
    type: ResourceType,
    { held }: ReadKind,
    signals: readonly (AbortSignal | undefined)[],
  ): Promise<void> {
    if (held.every(({ informer }) => informer.synced)) return;
    using limit = linkedAbort({
      signals,
      timeoutMs: SYNC_TIMEOUT_MS,
      timeoutReason: () => {
        const late = held.map(({ scope, lease }) =>
          cacheHealthOf({ scope, informer: lease.informer }, false)
        );
        const reason = late.find(({ message }) => message)?.message ??
          "the server has not sent its first list yet";
        return new CacheReadError(
          `Cannot read ${type.id} from the manager's cache: not complete within ` +
            `${SYNC_TIMEOUT_MS / 1000} s: ${reason}`,
        );
      },
      clock: this.#clock,
    });
    await Promise.all(held.map(({ lease }) => lease.informer.whenSynced(limit.signal)));
  }

  #endWhenIdle(type: ResourceType, kind: ReadKind): void {
    if (kind.reads > 0 || this.#signal?.aborted) return;
    kind.timer?.[Symbol.dispose]();
    kind.timer = this.#clock.after(IDLE_MS, () => this.#release(idOf(type), kind));
  }

  #release(id: string, kind: ReadKind): void {
    kind.timer?.[Symbol.dispose]();
    this.#kinds.delete(id);
    for (const { lease } of kind.held) lease[Symbol.dispose]();
  }

  #close(): void {
    for (const [id, kind] of [...this.#kinds]) this.#release(id, kind);
  }
}

function idOf({ id, metadataOnly }: ResourceType): string {
  return metadataOnly ? `${id} metadata` : id;
}
