/**
 * Fakes for the tests of the reflector: a scripted server, a sink that records its calls, a simple
 * packer.
 */
import { ApiError } from "../../client/errors/api_error.ts";
import { DecodeError } from "../../client/errors/decode_error.ts";
import type { ListQuery, WatchQuery } from "../../client/calls/list_query.ts";
import type { RawListResult } from "../../client/raw/raw.ts";
import type { RawObject, RawWatchEvent } from "../../client/decode/raw_event.ts";
import { UnreachableError } from "../../client/errors/unreachable_error.ts";
import { seededRandom } from "@xca/apimachinery/base";
import {
  keyOf,
  type KubeObject,
  type ListMeta,
  type ObjectKey,
  resourceType,
} from "@xca/apimachinery/meta";
import { FakeClock } from "../../testing/fake_clock.ts";
import type { ListerWatcher, WatchCallOptions } from "../watch/list_watch.ts";
import type { PackedObject, Packer } from "../packed/packed_object.ts";
import type { ReplaceOptions } from "./reflector_sink.ts";
import { Reflector } from "./reflector.ts";
import type { ReflectorOptions } from "./reflector_options.ts";
import type { ReflectorSink } from "./reflector_sink.ts";

export interface Thing extends KubeObject {
  spec?: { value: number };
}
export const Thing: ReturnType<typeof resourceType<Thing>> = resourceType<Thing>({
  group: "example.org",
  version: "v1",
  kind: "Thing",
  plural: "things",
});

const encoder = new TextEncoder();

/** Returns a test object; its UID is derived from its name unless given. */
export function thing(name: string, version: string | number, uid = `uid-${name}`): Thing {
  return {
    apiVersion: Thing.apiVersion,
    kind: Thing.kind,
    metadata: { namespace: "default", name, uid, resourceVersion: String(version) },
  };
}

export function raw(value: unknown): RawObject {
  return encoder.encode(typeof value === "string" ? value : JSON.stringify(value));
}

/**
 * Returns a raw test object whose UID has a byte that is not UTF-8, so that a strict decoder
 * refuses it.
 */
export function spoiled(name: string, version: string | number): RawObject {
  const bytes = raw(thing(name, version, "?"));
  bytes[bytes.indexOf("?".charCodeAt(0))] = 0xff;
  return bytes;
}

export function added(name: string, version: string | number, uid?: string): RawWatchEvent {
  return { type: "ADDED", object: raw(thing(name, version, uid)) };
}
export function modified(name: string, version: string | number, uid?: string): RawWatchEvent {
  return { type: "MODIFIED", object: raw(thing(name, version, uid)) };
}
export function deleted(name: string, version: string | number, uid?: string): RawWatchEvent {
  return { type: "DELETED", object: raw(thing(name, version, uid)) };
}
export function bookmark(version: string | number, annotation?: string): RawWatchEvent {
  const annotations = annotation === undefined
    ? {}
    : { annotations: { "k8s.io/initial-events-end": annotation } };
  return {
    type: "BOOKMARK",
    object: raw({ kind: "Thing", metadata: { resourceVersion: String(version), ...annotations } }),
  };
}
export function errorEvent(code: number, reason?: string, message = "no"): RawWatchEvent {
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", code, message };
  return { type: "ERROR", object: raw(reason ? { ...status, reason } : status) };
}
export function undecodable(): RawWatchEvent {
  return { type: "UNDECODABLE", error: new DecodeError("Cannot decode a line") };
}
export function refusal(
  code: number,
  reason = "",
  more: { message?: string; causes?: { reason?: string; message?: string }[]; after?: number } = {},
): ApiError {
  return new ApiError({
    status: {
      kind: "Status",
      apiVersion: "v1",
      code,
      reason,
      message: more.message ?? `refused with ${code}`,
      ...(more.causes ? { details: { causes: more.causes } } : {}),
    },
    retryAfterSeconds: more.after,
  });
}

/** A fake watch of a {@linkcode ScriptedServer}, fed by the test. */
export class ScriptedStream {
  #queue: (readonly RawWatchEvent[] | Error | "end")[] = [];
  #wake: (() => void) | undefined;
  /** Reports whether the reader closed the fake watch. */
  closed = false;
  options: WatchCallOptions | undefined;

  /** Sends watch events in one network chunk. */
  push(...events: RawWatchEvent[]): this {
    return this.#put(events);
  }
  /** Closes the fake watch cleanly, as a server does. */
  end(): this {
    return this.#put("end");
  }
  /** Breaks the connection of the fake watch. */
  cut(error: Error = new Error("connection reset by peer")): this {
    return this.#put(error);
  }
  #put(item: readonly RawWatchEvent[] | Error | "end"): this {
    this.#queue.push(item);
    this.#wake?.();
    return this;
  }

  async *read(options: WatchCallOptions): AsyncGenerator<readonly RawWatchEvent[]> {
    this.options = options;
    const { signal } = options;
    const onAbort = (): void => this.#wake?.();
    signal.addEventListener("abort", onAbort);
    try {
      for (;;) {
        signal.throwIfAborted();
        const item = this.#queue.shift();
        if (item === "end") return;
        if (item instanceof Error) throw item;
        if (item) yield item;
        else await new Promise<void>((resolve) => this.#wake = resolve);
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.closed = true;
    }
  }
}

export interface Page {
  readonly items: readonly (Thing | RawObject)[];
  readonly metadata: ListMeta;
}

export function page(version: string | number, items: Page["items"] = [], next?: string): Page {
  return {
    items,
    metadata: {
      resourceVersion: String(version),
      ...(next === undefined ? {} : { continue: next }),
    },
  };
}

type Verb = "LIST" | "PROBE" | "WATCHLIST" | "WATCH";
type Answer<V> = V | Error | ((query: never) => V | Error);

/**
 * A fake lister-watcher that answers lists and watches from scripts, in order, and records the
 * requests.
 */
export class ScriptedServer implements ListerWatcher {
  readonly requests: { verb: Verb; query: ListQuery & Omit<WatchQuery, keyof ListQuery> }[] = [];
  readonly lists: Answer<Page>[] = [];
  /** The scripted answers to requests for the server's newest version. */
  readonly probes: Answer<Page>[] = [];
  readonly watches: Answer<ScriptedStream>[] = [];
  readonly streams: ScriptedStream[] = [];
  watchList = true;

  /** The verbs of the requests that the scripted server received. */
  get verbs(): string {
    return this.requests.map(({ verb }) => verb).join(" ");
  }

  count(verb: Verb): number {
    return this.requests.filter((request) => request.verb === verb).length;
  }

  async list(
    query: ListQuery,
    onItems: (batch: readonly RawObject[]) => void,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<RawListResult> {
    const isProbe = query.limit === 1;
    this.requests.push({ verb: isProbe ? "PROBE" : "LIST", query });
    const answer = await this.#answer(isProbe ? this.probes : this.lists, query, signal);
    for (let at = 0; at < answer.items.length; at += 2) {
      onItems(
        answer.items.slice(at, at + 2).map((item) => item instanceof Uint8Array ? item : raw(item)),
      );
    }
    return { metadata: answer.metadata };
  }

  async watch(
    query: WatchQuery,
    options: WatchCallOptions,
  ): Promise<AsyncIterable<readonly RawWatchEvent[]>> {
    this.requests.push({ verb: query.sendInitialEvents ? "WATCHLIST" : "WATCH", query });
    const stream = await this.#answer(this.watches, query, options.signal);
    this.streams.push(stream);
    return stream.read(options);
  }

  /** Answers a request from a script; a request beyond its end hangs until it is aborted. */
  async #answer<V>(script: Answer<V>[], query: object, signal: AbortSignal): Promise<V> {
    await Promise.resolve();
    signal.throwIfAborted();
    let answer = script.shift();
    if (answer === undefined) {
      return await new Promise<V>((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason), { once: true })
      );
    }
    if (typeof answer === "function") {
      answer = (answer as (query: object) => V | Error)(query);
    }
    if (answer instanceof Error) throw answer;
    return answer as V;
  }
}

class FakePacked implements PackedObject<Thing> {
  readonly #text: string;
  readonly key: ObjectKey;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation = undefined;
  readonly deletionTimestamp = undefined;
  readonly labels = {};
  readonly ownerReferences = [];
  readonly finalizers = [];
  readonly annotations = {};
  readonly byteLength: number;

  constructor(text: string) {
    const object = JSON.parse(text) as Thing;
    this.#text = text;
    this.key = keyOf(object);
    this.namespace = object.metadata.namespace ?? "";
    this.name = object.metadata.name ?? "";
    this.uid = object.metadata.uid ?? "";
    this.resourceVersion = object.metadata.resourceVersion ?? "";
    this.byteLength = text.length;
  }
  view(): Thing {
    return this.read();
  }
  read(): Thing {
    return JSON.parse(this.#text);
  }
  sameVersionAs(other: PackedObject): boolean {
    return this.uid === other.uid && this.resourceVersion === other.resourceVersion;
  }
}

/** A fake packer that parses objects, and counts the packed and the reused ones. */
export class FakePacker implements Packer<Thing> {
  packed = 0;
  reused = 0;
  pack(
    bytes: RawObject,
    lastKnown?: (key: ObjectKey) => PackedObject<Thing> | undefined,
  ): PackedObject<Thing> {
    let packed: FakePacked;
    try {
      packed = new FakePacked(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch (cause) {
      throw new DecodeError("Cannot pack an object", { cause });
    }
    const known = lastKnown?.(packed.key);
    if (known?.sameVersionAs(packed)) {
      this.reused++;
      return known;
    }
    this.packed++;
    return packed;
  }
  packObject(object: Thing): PackedObject<Thing> {
    return this.pack(raw(object));
  }
}

/** A fake reflector sink that records its objects and every call. */
export class FakeSink implements ReflectorSink<Thing> {
  readonly state: Map<ObjectKey, PackedObject<Thing>> = new Map();
  readonly calls: string[] = [];
  /**
   * Reports whether the last list result that the sink received came from another history of the
   * server.
   */
  anew = false;
  resourceVersion = "";
  /** The name of the sink method whose next calls throw. */
  failing: string | undefined;

  add(object: PackedObject<Thing>): void {
    this.#note("add", object);
    this.state.set(object.key, object);
  }
  update(object: PackedObject<Thing>): void {
    this.#note("update", object);
    this.state.set(object.key, object);
  }
  delete(object: PackedObject<Thing>): void {
    this.#note("delete", object);
    this.state.delete(object.key);
  }
  replace(
    given: Iterable<PackedObject<Thing>>,
    resourceVersion: string,
    { anew = false }: ReplaceOptions = {},
  ): void {
    this.anew = anew;
    const objects = [...given];
    const names = objects.map(({ name, resourceVersion }) => `${name}@${resourceVersion}`);
    const what = names.length > 0 ? `${names.sort().join(",")} ` : "";
    this.calls.push(`replace ${what}at ${resourceVersion}`);
    this.state.clear();
    for (const object of objects) this.state.set(object.key, object);
    this.resourceVersion = resourceVersion;
  }
  bookmark(resourceVersion: string): void {
    this.calls.push(`bookmark ${resourceVersion}`);
    this.resourceVersion = resourceVersion;
  }
  lastKnown(key: ObjectKey): PackedObject<Thing> | undefined {
    return this.state.get(key);
  }
  #note(verb: string, object: PackedObject<Thing>): void {
    if (this.failing === verb) throw new Error(`the sink cannot ${verb}`);
    this.calls.push(`${verb} ${object.name}@${object.resourceVersion}`);
    this.resourceVersion = object.resourceVersion;
  }
  /** The objects of the fake sink as text, such as `a@1,b@2`. */
  get text(): string {
    return [...this.state.values()].map((each) => `${each.name}@${each.resourceVersion}`)
      .sort().join(",");
  }
}

/** A reflector of a scripted server, with a fake clock; disposing it ends the reflector's run. */
export class Harness implements AsyncDisposable {
  readonly server: ScriptedServer = new ScriptedServer();
  readonly sink: FakeSink = new FakeSink();
  readonly packer: FakePacker = new FakePacker();
  readonly clock: FakeClock = new FakeClock();
  readonly errors: unknown[] = [];
  readonly #abort = new AbortController();
  readonly reflector: Reflector<Thing>;
  #running: Promise<void> | undefined;

  constructor(options: Partial<ReflectorOptions<Thing>> = {}) {
    this.reflector = new Reflector<Thing>({
      listerWatcher: this.server,
      sink: this.sink,
      packer: this.packer,
      type: Thing,
      clock: this.clock,
      random: seededRandom(1),
      backoff: { jitter: 0 },
      onError: (error) => this.errors.push(error),
      ...options,
    });
  }

  get health(): Reflector<Thing>["health"] {
    return this.reflector.health;
  }

  /** The fake watch that was opened last. */
  get stream(): ScriptedStream {
    const stream = this.server.streams.at(-1);
    if (!stream) throw new Error("no watch was opened");
    return stream;
  }

  /** Starts the reflector under test, and waits until all work that needs no time is done. */
  async start(): Promise<this> {
    this.#running = this.reflector.run(this.#abort.signal);
    await this.clock.settle();
    return this;
  }

  /** Waits until all work of the reflector that needs no time is done. */
  async settle(): Promise<void> {
    await this.clock.settle();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
    this.#running = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    for (const stream of this.server.streams) {
      if (!stream.closed) throw new Error("a watch was left open");
    }
    if (this.clock.pending > 0) throw new Error(`${this.clock.pending} timers were left`);
  }
}

/** Returns the error of a client for a port without a listener. */
export const refused = (): Error =>
  new UnreachableError("connection refused", { server: "https://127.0.0.1:1", neverSent: true });

/** Returns a harness whose reflector is in sync at version 5 with one object, and watching. */
export async function watching(
  options: ConstructorParameters<typeof Harness>[0] = {},
): Promise<Harness> {
  const harness = new Harness({ watchList: false, ...options });
  harness.server.lists.push(page(5, [thing("a", 5)]));
  harness.server.watches.push(new ScriptedStream());
  return await harness.start();
}
