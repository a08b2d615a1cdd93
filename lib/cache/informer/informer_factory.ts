import { parseFieldSelector } from "@xca/apimachinery/internal/meta";
import { type Clock, errorText, linkedAbort, type Random } from "@xca/apimachinery/base";
import { hintUnlessLogging } from "@xca/apimachinery/internal/base";
import {
  formatLabelSelector,
  type KubeObject,
  type LabelSelector,
  parseLabelSelector,
  type ResourceType,
} from "@xca/apimachinery/meta";
import { getLogger } from "@logtape/logtape";
import type { Client } from "../../client/typed/client.ts";
import {
  type CacheReader,
  createCacheReader,
  type ReadableInformer,
} from "../readers/cache_reader.ts";
import { informerKey, type InformerScope, isSameRead } from "../readers/informer_key.ts";
import { listWatch } from "../watch/list_watch.ts";
import type { ReflectorTuning } from "../reflector/reflector_options.ts";
import { type InformerOptions, SharedInformer } from "./shared_informer.ts";

const logger = getLogger(["xca", "cache", "informer"]);

/**
 * Options for {@linkcode InformerFactory}, which apply to all informers that it creates. An option
 * given for one informer has precedence.
 */
export interface InformerFactoryOptions {
  /**
   * The default of {@linkcode FactoryInformerOptions.namespace}, the namespace that an informer
   * watches.
   *
   * @default all namespaces
   */
  readonly namespace?: string | undefined;
  /**
   * The default of {@linkcode InformerOptions.resyncPeriodMs}, the resync period of event handlers
   * in milliseconds.
   *
   * @default {0}
   */
  readonly resyncPeriodMs?: number | undefined;
  /**
   * The default of {@linkcode InformerOptions.compress}: whether stored objects are compressed.
   *
   * @default {false}
   */
  readonly compress?: boolean | undefined;
  /**
   * The default of {@linkcode InformerOptions.dropManagedFields}: whether `metadata.managedFields`
   * is left out of the store.
   *
   * @default {false}
   */
  readonly dropManagedFields?: boolean | undefined;
  /**
   * The default of {@linkcode InformerOptions.freeze}: whether shared objects are deeply frozen.
   *
   * @default {false}
   */
  readonly freeze?: boolean | undefined;
  /**
   * Receives each error of the factory's informers, and the resource of the informer; see
   * {@linkcode InformerOptions.onError}.
   */
  readonly onError?: ((error: unknown, type: ResourceType) => void) | undefined;
  /**
   * The default settings of the informers' list and watch loops; see
   * {@linkcode InformerOptions.reflector}. An informer with that option uses none of these.
   */
  readonly reflector?: ReflectorTuning | undefined;
  /** The clock that the informers use for timers and timestamps. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** The random number source for the jitter of the informers' pauses. @default {systemRandom} */
  readonly random?: Random | undefined;
}

/** Options of {@linkcode InformerFactory.informer}, which returns the informer of a resource. */
export interface FactoryInformerOptions<T extends KubeObject = KubeObject>
  extends Omit<InformerOptions<T>, "clock" | "random" | "onError"> {
  /**
   * The namespace that the informer watches; empty for all namespaces, whatever the factory's
   * namespace is. Ignored for cluster-scoped resources.
   *
   * @default the factory's namespace
   */
  readonly namespace?: string | undefined;
  /** The label selector of the objects that the informer watches. @default all */
  readonly labelSelector?: string | LabelSelector | undefined;
  /**
   * The field selector of the objects that the informer watches, such as `spec.nodeName=n1`.
   *
   * @default all
   */
  readonly fieldSelector?: string | undefined;
}

interface Entry extends ReadableInformer {
  readonly informer: SharedInformer;
  /**
   * Number of the informer's leases ({@linkcode InformerFactory.acquire}) that were not disposed.
   */
  leases: number;
  /**
   * Reports whether a caller took the informer without a lease, so that it lasts as long as the
   * factory.
   */
  isHeld: boolean;
  /** The abort controller that stops this informer, and no other of the factory. */
  readonly stop: AbortController;
  /** The options on which all callers of one informer must agree. */
  readonly fixed: FixedOptions;
  /** The index functions of the informer by name. */
  readonly indexers: Map<string, unknown>;
  /**
   * The promise of the informer's run, which settles at the end of the run; `undefined` until the
   * informer is started.
   */
  ended?: Promise<void>;
}

/**
 * The informer options that determine the stored objects. The first caller sets them, and later
 * callers must agree: in `transform` always, in the others where they set them.
 */
type FixedOptions = Pick<InformerOptions, "compress" | "dropManagedFields"> & {
  readonly transform: unknown;
};

/**
 * A factory of shared informers: creates one informer, and thus one watch and one store, per
 * resource (whole objects or metadata alone), namespace and selectors, for any number of callers.
 * The caller starts the informers.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { InformerFactory } from "@xca/operator/cache";
 * import { createClient } from "@xca/operator/client";
 * import { Pod } from "@xca/operator/meta";
 *
 * const bookmark = {
 *   metadata: { resourceVersion: "1", annotations: { "k8s.io/initial-events-end": "true" } },
 * };
 * const events = [
 *   { type: "ADDED", object: { metadata: { namespace: "default", name: "web", uid: "1" } } },
 *   { type: "BOOKMARK", object: bookmark },
 * ];
 * const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("");
 * const fetch = () => Promise.resolve(new Response(lines));
 * using client = createClient({ server: "https://example.invalid" }, { fetch });
 *
 * const factory = new InformerFactory(client);
 * assert.equal(factory.informer(Pod), factory.informer(Pod));
 * const abort = new AbortController();
 * factory.start(abort.signal);
 * await factory.whenSynced();
 * assert.equal(factory.cacheReader.get(Pod, "default/web")?.metadata.uid, "1");
 * abort.abort();
 * await factory.done;
 * ```
 */
export class InformerFactory {
  /**
   * The reader of the objects that the factory's informers cache, of any resource; it creates no
   * informers.
   */
  readonly cacheReader: CacheReader;
  readonly #client: Pick<Client, "raw">;
  readonly #options: InformerFactoryOptions;
  /** The factory's informers by {@linkcode informerKey}. */
  readonly #entries = new Map<string, Entry>();
  /**
   * The promises of the runs of informers whose last lease was disposed and that have not ended
   * yet.
   */
  readonly #ending = new Set<Promise<void>>();

  /** Creates an informer factory without informers. */
  constructor(client: Pick<Client, "raw">, options: InformerFactoryOptions = {}) {
    this.#client = client;
    this.#options = options;
    this.cacheReader = createCacheReader({
      informersOf: (type) =>
        [...this.#entries.values()].filter(({ scope }) => isSameRead(scope.type, type))
          .map(({ scope, informer, fixed: { transform } }) => ({ scope, informer, transform })),
      what: "the cache",
      unwatched: () => "no informer holds that resource; watch it, or read it with the client",
    });
  }

  /**
   * Returns the informer of a resource, namespace and selectors, created at the first call and not
   * started. The options of the first call apply; indexes of later calls are added.
   *
   * @throws {TypeError} If a selector cannot be parsed, if `transform` differs from that of the
   * first call or is given in only one of the two calls, or if `compress`, `dropManagedFields` or
   * the function of an index are given and differ from those of the first call.
   * @throws {RangeError} If an index is named `namespace`, or `resyncPeriodMs`, `coalesceAbove` or
   * `sharedBytes` of the first call is negative or not a number.
   */
  informer<T extends KubeObject>(
    type: ResourceType<T>,
    options: FactoryInformerOptions<T> = {},
  ): SharedInformer<T> {
    const entry = this.#entryOf(type, options);
    entry.isHeld = true;
    return entry.informer as unknown as SharedInformer<T>;
  }

  /**
   * Returns a lease on the informer that {@linkcode InformerFactory.informer} returns, for as long
   * as the caller needs it. When the last lease is disposed, the informer is stopped and its store
   * is released; the next call creates a new informer. An informer that was also taken without a
   * lease lasts as long as the factory.
   *
   * @throws {TypeError} In the same cases as {@linkcode InformerFactory.informer}.
   * @throws {RangeError} In the same cases as {@linkcode InformerFactory.informer}.
   */
  acquire<T extends KubeObject>(
    type: ResourceType<T>,
    options: FactoryInformerOptions<T> = {},
  ): Disposable & { readonly informer: SharedInformer<T> } {
    const entry = this.#entryOf(type, options);
    entry.leases++;
    let isOver = false;
    return {
      informer: entry.informer as unknown as SharedInformer<T>,
      [Symbol.dispose]: () => {
        if (isOver) return;
        isOver = true;
        if (--entry.leases === 0 && !entry.isHeld) this.#forget(entry);
      },
    };
  }

  /**
   * The current informers of the factory, started or not, each with its scope: resource, namespace
   * and selectors.
   */
  get informers(): readonly {
    readonly scope: {
      readonly type: ResourceType;
      readonly namespace: string;
      readonly labelSelector: LabelSelector;
      readonly fieldSelector: string;
    };
    readonly informer: SharedInformer;
  }[] {
    return [...this.#entries.values()];
  }

  #entryOf<T extends KubeObject>(type: ResourceType<T>, options: FactoryInformerOptions<T>): Entry {
    const scope: InformerScope = {
      type,
      namespace: type.scope === "Cluster" ? "" : options.namespace ?? this.#options.namespace ?? "",
      labelSelector: parseLabelSelector(options.labelSelector ?? ""),
      fieldSelector: checkedFieldSelector(options.fieldSelector ?? ""),
    };
    const key = informerKey(scope);
    const known = this.#entries.get(key);
    if (known) return this.#shared(known, options);
    const entry: Entry = {
      scope,
      informer: this.#make(type, scope, options) as unknown as SharedInformer,
      fixed: this.#fixed(options),
      indexers: new Map(Object.entries(options.indexers ?? {})),
      leases: 0,
      isHeld: false,
      stop: new AbortController(),
    };
    this.#entries.set(key, entry);
    return entry;
  }

  /**
   * Stops an informer whose last lease was disposed, and removes it from the factory; {@linkcode
   * InformerFactory.done} still awaits its end.
   */
  #forget(entry: Entry): void {
    this.#entries.delete(informerKey(entry.scope));
    entry.stop.abort(new DOMException(`${entry.informer.name} has no users left`, "AbortError"));
    if (!entry.ended) return;
    const ended = entry.ended.then(() => {}, () => {}); // An error of the informer is logged by `start`.
    this.#ending.add(ended);
    void ended.then(() => this.#ending.delete(ended));
  }

  /**
   * Starts all informers of the factory that were not started before; they run until the signal is
   * aborted or their last lease is disposed. Informers that are created later run only after
   * another call. An error by which an informer ends is logged.
   */
  start(signal: AbortSignal): void {
    hintUnlessLogging();
    for (const entry of this.#entries.values()) {
      if (entry.ended) continue;
      entry.ended = this.#run(entry, signal);
      entry.ended.catch((error) =>
        logger.error("Informer {informer} ended by an error: {reason}", {
          informer: entry.informer.name,
          reason: errorText(error),
          error,
        })
      );
    }
  }

  /**
   * Resolves once the store of every informer of the factory that was started before the call has
   * its initial list; at once if none was started.
   *
   * @throws {unknown} The reason of `signal`, if it is aborted before that.
   * @throws {Error} If a started informer is stopped before it has synced.
   */
  async whenSynced(signal?: AbortSignal): Promise<void> {
    const started = [...this.#entries.values()].filter(({ ended }) => ended);
    await Promise.all(started.map(({ informer }) => informer.whenSynced(signal)));
  }

  /**
   * A promise that resolves once every started informer of the factory, also those started while
   * the promise is pending, has ended: by an abort of the signal that it was started with, or by
   * the disposal of its last lease. Resolves at once if none was started.
   *
   * @throws {unknown} The error by which an informer of the factory ended, which `start` also logs;
   * other informers may still run then.
   */
  get done(): Promise<void> {
    return this.#whenEnded();
  }

  async #run({ informer, stop }: Entry, signal: AbortSignal): Promise<void> {
    using either = linkedAbort({ signals: [signal, stop.signal] });
    await informer.run(either.signal);
  }

  async #whenEnded(): Promise<void> {
    const awaited = new Set<Promise<void>>();
    while (true) {
      const started = [...this.#entries.values()].flatMap(({ ended }) => ended ?? []);
      const more = [...this.#ending, ...started].filter((ended) => !awaited.has(ended));
      if (more.length === 0) return;
      for (const ended of more) awaited.add(ended);
      await Promise.all(more);
    }
  }

  #make<T extends KubeObject>(
    type: ResourceType<T>,
    scope: InformerScope,
    options: FactoryInformerOptions<T>,
  ): SharedInformer<T> {
    const { namespace: _, labelSelector: __, fieldSelector: ___, ...own } = options;
    const { namespace: ____, onError, ...common } = this.#options;
    const { namespace, fieldSelector } = scope;
    const labelSelector = formatLabelSelector(scope.labelSelector);
    const part = type.metadataOnly ? "metadata" : "";
    const selection = [part, namespace, labelSelector, fieldSelector].filter(Boolean).join(" ");
    return new SharedInformer<T>({
      ...common,
      ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
      type,
      name: selection === "" ? type.id : `${type.id} (${selection})`,
      listerWatcher: listWatch(this.#client, type, { namespace, labelSelector, fieldSelector }),
      onError: onError && ((error) => onError(error, type)),
    });
  }

  #shared<T extends KubeObject>(entry: Entry, options: FactoryInformerOptions<T>): Entry {
    const wanted = this.#fixed(options);
    for (const name of ["transform", "compress", "dropManagedFields"] as const) {
      // Without a transform, a caller relies on whole objects.
      const isGiven = name === "transform" || options[name] !== undefined;
      if (!isGiven || wanted[name] === entry.fixed[name]) continue;
      throw new TypeError(
        `Cannot share informer ${entry.informer.name}: it was made with another ${name}, or ` +
          `without one; use the same ${name} in all places (in a manager, in its caches), or another factory`,
      );
    }
    const informer = entry.informer as unknown as SharedInformer<T>;
    const given = Object.entries(options.indexers ?? {});
    for (const [name, index] of given) {
      if (!entry.indexers.has(name) || entry.indexers.get(name) === index) continue;
      throw new TypeError(
        `Cannot share informer ${entry.informer.name}: its index ${name} has another function; ` +
          `use the same function, or another name`,
      );
    }
    const missing = given.filter(([name]) => !entry.indexers.has(name));
    informer.indexer.addIndexers(Object.fromEntries(missing));
    for (const [name, index] of missing) entry.indexers.set(name, index);
    return entry;
  }

  #fixed<T extends KubeObject>(options: FactoryInformerOptions<T>): FixedOptions {
    const { compress, dropManagedFields } = this.#options;
    return {
      compress: options.compress ?? compress ?? false,
      dropManagedFields: options.dropManagedFields ?? dropManagedFields ?? false,
      transform: options.transform,
    };
  }
}

/**
 * Returns a field selector unchanged if its syntax is valid.
 *
 * @throws {TypeError} If the field selector cannot be parsed.
 */
function checkedFieldSelector(text: string): string {
  parseFieldSelector(text);
  return text;
}
