/**
 * Fakes for the tests of informers: a collection in memory, and a handler that records its calls.
 */
import { ApiError } from "../../client/errors/api_error.ts";
import type { ListQuery, WatchQuery } from "../../client/calls/list_query.ts";
import type { RawListResult } from "../../client/raw/raw.ts";
import type { RawObject, RawWatchEvent } from "../../client/decode/raw_event.ts";
import { seededRandom } from "@xca/apimachinery/base";
import {
  keyOf,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
  resourceType,
} from "@xca/apimachinery/meta";
import { FakeClock } from "../../testing/fake_clock.ts";
import { printedRandom } from "../../../tests/support/seed.ts";
import type { EventHandler } from "../events/event_handler.ts";
import type { ListerWatcher, WatchCallOptions } from "../watch/list_watch.ts";
import type { ObservedObject } from "../events/observed_object.ts";
import type { PackedObject } from "../packed/packed_object.ts";
import { createPacker } from "../packed/packer.ts";
import { SharedInformer, type SharedInformerOptions } from "./shared_informer.ts";

export interface Doc extends KubeObject {
  spec?: { text?: string };
}
export const Doc: ResourceType<Doc> = resourceType<Doc>({
  group: "example.org",
  version: "v1",
  kind: "Doc",
  plural: "docs",
});

/**
 * Returns a source of random choices for a test, with the seed `XCA_SEED` or a new one, which is
 * printed.
 */
export function chance(): { readonly seed: number; pick(count: number): number } {
  const { seed, random } = printedRandom();
  return { seed, pick: (count) => Math.floor(random.next() * count) };
}

/** The properties of a test object. */
export interface DocInit {
  readonly namespace?: string;
  readonly uid?: string;
  readonly version?: string | number;
  readonly labels?: Record<string, string>;
  readonly text?: string;
}

export function doc(name: string, init: DocInit = {}): Doc {
  const { namespace = "default", uid = `uid-${name}`, version, labels, text } = init;
  return {
    metadata: {
      namespace,
      name,
      uid,
      ...(version === undefined ? {} : { resourceVersion: `${version}` }),
      ...(labels ? { labels } : {}),
    },
    ...(text === undefined ? {} : { spec: { text } }),
  };
}

const packer = createPacker({ type: Doc });

/** Returns a packed test object. */
export function packed(name: string, init: DocInit = {}): PackedObject<Doc> {
  return packer.packObject(doc(name, { version: 1, ...init }));
}

type Event = "ADDED" | "MODIFIED" | "DELETED";

interface Watcher {
  send(events: readonly RawWatchEvent[]): void;
  end(error?: Error): void;
}

/**
 * A fake lister-watcher: a collection in memory with versions, history, watches, and faults on
 * demand.
 */
export class FakeCollection implements ListerWatcher {
  readonly objects: Map<ObjectKey, Doc> = new Map();
  /** The requests that the fake collection received: LIST, WATCH or WATCHLIST. */
  readonly requests: string[] = [];
  /** The errors with which the fake collection answers the next requests. */
  readonly refusals: Error[] = [];
  readonly #history: { version: number; event: Event; object: Doc }[] = [];
  readonly #watchers = new Set<Watcher>();
  #version = 100;
  #uids = 0;
  /** The oldest version that the fake collection keeps. */
  #compacted = 0;
  /** Reports whether the network to the fake collection is down. */
  #away = false;

  /** Number of open watches of the fake collection. */
  get watching(): number {
    return this.#watchers.size;
  }
  get version(): string {
    return `${this.#version}`;
  }

  /** Creates or updates a test object in the fake collection. */
  put(name: string, init: DocInit = {}): Doc {
    const key = keyOf(doc(name, init));
    const old = this.objects.get(key);
    const uid = init.uid ?? old?.metadata.uid ?? `uid-${++this.#uids}`;
    const object = doc(name, { ...init, uid, version: ++this.#version });
    this.objects.set(key, object);
    this.#happened(old ? "MODIFIED" : "ADDED", object);
    return object;
  }

  remove(name: string, namespace = "default"): void {
    const key = `${namespace}/${name}`;
    const object = this.objects.get(key);
    if (!object) throw new Error(`no ${key}`);
    this.objects.delete(key);
    const metadata = { ...object.metadata, resourceVersion: `${++this.#version}` };
    this.#happened("DELETED", { ...object, metadata });
  }

  /** Replaces a test object in the fake collection by another one of the same name. */
  recreate(name: string, init: DocInit = {}): Doc {
    this.remove(name);
    return this.put(name, init);
  }

  /** Sends a watch event unchanged, whatever the fake collection holds. */
  send(event: Event, object: Doc): void {
    for (const watcher of this.#watchers) watcher.send([raw(event, object)]);
  }

  bookmark(): void {
    const metadata = { resourceVersion: this.version };
    const object = encode({ kind: Doc.kind, apiVersion: Doc.apiVersion, metadata });
    for (const watcher of this.#watchers) watcher.send([{ type: "BOOKMARK", object }]);
  }

  /**
   * Ends every watch of the fake collection and refuses requests until {@linkcode
   * FakeCollection.reconnect}.
   */
  disconnect(): void {
    this.#away = true;
    for (const watcher of [...this.#watchers]) watcher.end(new Error("connection reset"));
  }
  reconnect(): void {
    this.#away = false;
  }
  /**
   * Sets the version of the fake collection back, as after a restored backup; the caller sets the
   * objects.
   */
  restore(version: string): void {
    this.#version = Number(version);
    this.objects.clear();
  }
  /** Drops the history of the fake collection, so that a watch from an older version must list. */
  compact(): void {
    this.#compacted = this.#version;
    this.#history.length = 0;
  }

  async list(
    _query: ListQuery,
    onItems: (batch: readonly RawObject[]) => void,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<RawListResult> {
    await this.#asked("LIST", signal);
    onItems([...this.objects.values()].map(encode));
    return { metadata: { resourceVersion: this.version } };
  }

  async watch(
    query: WatchQuery,
    { signal }: WatchCallOptions,
  ): Promise<AsyncIterable<readonly RawWatchEvent[]>> {
    await this.#asked(query.sendInitialEvents ? "WATCHLIST" : "WATCH", signal);
    const from = Number(query.resourceVersion || 0);
    const isUnknown = from < this.#compacted || from > this.#version;
    if (!query.sendInitialEvents && isUnknown) {
      throw new ApiError({
        status: { kind: "Status", apiVersion: "v1", code: 410, reason: "Expired", message: "old" },
      });
    }
    const first = query.sendInitialEvents
      ? [...[...this.objects.values()].map((each) => raw("ADDED", each)), initialEnd(this.version)]
      : this.#history.filter(({ version }) => version > from)
        .map(({ event, object }) => raw(event, object));
    return this.#stream(first, signal);
  }

  async #asked(verb: string, signal: AbortSignal): Promise<void> {
    this.requests.push(verb);
    await Promise.resolve();
    signal.throwIfAborted();
    if (this.#away) throw new Error("connection refused");
    const refusal = this.refusals.shift();
    if (refusal) throw refusal;
  }

  async *#stream(
    first: readonly RawWatchEvent[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly RawWatchEvent[]> {
    const queue: RawWatchEvent[] = [...first];
    let ended: { error: Error | undefined } | undefined;
    let wake = Promise.withResolvers<void>();
    const watcher: Watcher = {
      send: (events) => (queue.push(...events), wake.resolve()),
      end: (error) => {
        ended = { error };
        this.#watchers.delete(watcher);
        wake.resolve();
      },
    };
    const onAbort = (): void => watcher.end(signal.reason);
    signal.addEventListener("abort", onAbort);
    this.#watchers.add(watcher);
    try {
      while (true) {
        signal.throwIfAborted();
        if (queue.length > 0) yield queue.splice(0);
        else if (ended?.error) throw ended.error;
        else if (ended) return;
        else await wake.promise;
        wake = Promise.withResolvers();
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.#watchers.delete(watcher);
    }
  }

  #happened(event: Event, object: Doc): void {
    this.#history.push({ version: this.#version, event, object });
    this.send(event, object);
  }
}

function encode(value: unknown): RawObject {
  return new TextEncoder().encode(JSON.stringify(value));
}
function raw(type: Event, object: Doc): RawWatchEvent {
  return {
    type,
    object: encode({ kind: Doc.kind, apiVersion: Doc.apiVersion, ...object }),
  };
}
function initialEnd(resourceVersion: string): RawWatchEvent {
  const annotations = { "k8s.io/initial-events-end": "true" };
  return {
    type: "BOOKMARK",
    object: encode({
      kind: Doc.kind,
      apiVersion: Doc.apiVersion,
      metadata: { resourceVersion, annotations },
    }),
  };
}

/**
 * An event handler that records its notifications, and checks that the sequence of each key is
 * consistent.
 */
export class Recorder implements EventHandler<Doc> {
  /**
   * The recorded notifications, as `add a@101`, `update a@101>103`, `delete a@104`, `delete a@104?`
   * if the final state is unknown.
   */
  readonly events: string[] = [];
  /** The objects that the handler believes to exist: version and UID by key. */
  readonly view: Map<ObjectKey, { version: string; uid: string }> = new Map();
  /** The recorded notifications that contradict earlier ones. */
  readonly faults: string[] = [];
  /** The keys whose addition was marked as part of the initial list. */
  readonly initial: string[] = [];

  onAdd(
    object: ObservedObject<Doc>,
    { isInInitialList }: { readonly isInInitialList: boolean },
  ): void {
    this.events.push(`add ${object.name}@${object.resourceVersion}`);
    if (isInInitialList) this.initial.push(object.name);
    if (this.view.has(object.key)) this.faults.push(`${object.key} added twice`);
    this.#see(object);
  }
  onUpdate(old: ObservedObject<Doc>, current: ObservedObject<Doc>): void {
    this.events.push(
      old.resourceVersion === current.resourceVersion
        ? `sync ${current.name}@${current.resourceVersion}`
        : `update ${current.name}@${old.resourceVersion}>${current.resourceVersion}`,
    );
    const seen = this.view.get(current.key);
    if (!seen) this.faults.push(`${current.key} updated before it was added`);
    else if (seen.version !== old.resourceVersion) {
      this.faults.push(`${current.key} updated from ${old.resourceVersion}, was ${seen.version}`);
    }
    if (old.uid !== current.uid) this.faults.push(`${current.key} changed its UID by an update`);
    this.#see(current);
  }
  onDelete(last: ObservedObject<Doc>): void {
    const mark = last.finalStateUnknown ? "?" : "";
    this.events.push(`delete ${last.name}@${last.resourceVersion}${mark}`);
    const seen = this.view.get(last.key);
    if (!seen) this.faults.push(`${last.key} deleted but not there`);
    else if (seen.uid !== last.uid) this.faults.push(`${last.key} deleted with another UID`);
    this.view.delete(last.key);
  }
  #see({ key, resourceVersion, uid }: ObservedObject<Doc>): void {
    this.view.set(key, { version: resourceVersion, uid });
  }
  /** Returns the notifications recorded since the last call. */
  take(): string[] {
    return this.events.splice(0);
  }
  get text(): string {
    return [...this.view].map(([key, { version, uid }]) => `${key}@${version}/${uid}`).sort()
      .join();
  }
}

/** An informer on a fake collection, with a fake clock; disposing it ends the informer's run. */
export class InformerHarness implements AsyncDisposable {
  readonly collection: FakeCollection = new FakeCollection();
  readonly clock: FakeClock = new FakeClock();
  readonly errors: unknown[] = [];
  readonly informer: SharedInformer<Doc>;
  readonly #abort = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: Partial<SharedInformerOptions<Doc>> = {}) {
    this.informer = new SharedInformer<Doc>({
      type: Doc,
      listerWatcher: this.collection,
      clock: this.clock,
      random: seededRandom(1),
      freeze: true,
      onError: (error) => this.errors.push(error),
      ...options,
    });
  }

  /** Starts the informer under test, and waits until all work that needs no time is done. */
  async start(): Promise<this> {
    this.#running = this.informer.run(this.#abort.signal);
    await this.settle();
    return this;
  }
  /** Waits until all work of the informer that needs no time is done. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await this.clock.settle();
  }
  /**
   * Interrupts the informer's connection during `change`, so that its watch events are never seen.
   */
  async missing(change: () => void): Promise<void> {
    this.collection.disconnect();
    change();
    this.collection.compact();
    this.collection.reconnect();
    await this.clock.advance(120_000);
    await this.settle();
  }
  /** The informer's store as text, in the form of {@linkcode Recorder.text}. */
  get stored(): string {
    return [...this.informer.indexer.packed()]
      .map(({ key, resourceVersion, uid }) => `${key}@${resourceVersion}/${uid}`).sort().join();
  }
  /** The fake collection's content as text, in the form of {@linkcode Recorder.text}. */
  get served(): string {
    return [...this.collection.objects]
      .map(([key, { metadata }]) => `${key}@${metadata.resourceVersion}/${metadata.uid}`)
      .sort().join();
  }
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    if (this.collection.watching > 0) throw new Error("a watch was left open");
    if (this.clock.pending > 0) throw new Error(`${this.clock.pending} timers were left`);
  }
}
