/** A model of an API server's watch cache with random faults, for the property test. */
import type { Random } from "@xca/apimachinery/base";
import type { ListQuery, WatchQuery } from "../../client/calls/list_query.ts";
import type { RawListResult } from "../../client/raw/raw.ts";
import type { RawObject, RawWatchEvent } from "../../client/decode/raw_event.ts";
import { IdleTimeoutError, UnreachableError } from "../../client/errors/unreachable_error.ts";
import type { ListerWatcher, WatchCallOptions } from "../watch/list_watch.ts";
import {
  bookmark,
  errorEvent,
  raw,
  refusal,
  ScriptedStream,
  spoiled,
  type Thing,
  thing,
  undecodable,
} from "./reflector_fakes_test.ts";

interface Change {
  readonly version: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: Thing;
}

interface OpenStream {
  readonly stream: ScriptedStream;
  /** The resourceVersion up to which the watch sends no event, as on real servers. */
  after: number;
  last: RawWatchEvent | undefined;
}

/**
 * A model of an API server with a log of revisions, history and compaction, lists in pages,
 * watches, WatchList and bookmarks.
 */
export class ModelServer implements ListerWatcher {
  readonly #random: Random;
  #version = 1;
  #objects = new Map<string, Thing>();
  #history: Change[] = [];
  #compacted = 0;
  #uid = 0;
  #open: OpenStream[] = [];
  #backup: { version: number; objects: Map<string, Thing> } | undefined;
  readonly #pinned = new Map<string, { version: number; items: Thing[] }>();
  /** The probability that a request to the model server or an event from it goes wrong. */
  faultRate = 0;
  streaming = true;
  /** Called before each page of a list but the first. */
  onPage: () => void = () => {};

  constructor(random: Random) {
    this.#random = random;
  }

  get version(): number {
    return this.#version;
  }

  get text(): string {
    return [...this.#objects.values()].map(describe).sort().join(",");
  }

  #chance(share: number): boolean {
    return this.#random.next() < share;
  }

  #pick<V>(from: readonly V[]): V {
    return from[Math.floor(this.#random.next() * from.length)] as V;
  }

  /** Creates, updates, deletes or recreates a random object on the model server. */
  mutate(): void {
    const name = `n${Math.floor(this.#random.next() * 8)}`;
    const old = this.#objects.get(name);
    const version = ++this.#version;
    if (!old) {
      const object = thing(name, version, `u${++this.#uid}`);
      this.#objects.set(name, object);
      this.#record({ version, type: "ADDED", object });
    } else if (this.#chance(0.6)) {
      const object = thing(name, version, old.metadata.uid);
      this.#objects.set(name, object);
      this.#record({ version, type: "MODIFIED", object });
    } else {
      this.#objects.delete(name);
      const object = thing(name, version, old.metadata.uid);
      this.#record({ version, type: "DELETED", object });
    }
  }

  #record(change: Change): void {
    this.#history.push(change);
    for (const open of [...this.#open]) {
      if (change.version > open.after) this.#send(open, change);
    }
  }

  #send(open: OpenStream, change: Change): void {
    let event: RawWatchEvent = { type: change.type, object: raw(change.object) };
    const dice = this.#random.next();
    if (dice < this.faultRate * 0.2) event = undecodable();
    else if (dice < this.faultRate * 0.4) {
      const { name = "", resourceVersion = "" } = change.object.metadata;
      event = { type: change.type, object: spoiled(name, resourceVersion) };
    }
    open.stream.push(event);
    if (open.last && this.#chance(this.faultRate)) open.stream.push(open.last);
    open.last = event.type === "UNDECODABLE" ? open.last : event;
  }

  /** Sends every open watch a bookmark; servers never send a version that they filtered out. */
  bookmarks(): void {
    for (const { stream, after } of this.#open) {
      if (this.#version > after || this.#chance(0.5)) stream.push(bookmark(this.#version));
    }
  }

  compact(): void {
    this.#compacted = this.#version;
    this.#history = [];
    this.#pinned.clear();
  }

  /** Ends or breaks every open watch of the model server. */
  disconnect(): void {
    for (const { stream } of this.#open.splice(0)) {
      const how = this.#pick(["end", "cut", "idle"]);
      if (how === "end") stream.end();
      else stream.cut(how === "idle" ? new IdleTimeoutError("watch", 1) : undefined);
    }
  }

  backUp(): void {
    this.#backup = { version: this.#version, objects: new Map(this.#objects) };
  }

  /** Restores the model server's backup; its resourceVersions go back too. */
  restore(): boolean {
    if (!this.#backup || this.#backup.version >= this.#version) return false;
    this.#version = this.#backup.version;
    this.#objects = new Map(this.#backup.objects);
    this.#uid += 1_000;
    this.#backup = undefined;
    this.compact();
    this.disconnect();
    return true;
  }

  async list(
    query: ListQuery,
    onItems: (batch: readonly RawObject[]) => void,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<RawListResult> {
    await this.#request(signal);
    if (query.continue && this.#chance(this.faultRate)) this.onPage();
    const asked = Number(query.resourceVersion || "0");
    if (asked > this.#version) throw tooLarge();
    const from = query.continue ? this.#pinned.get(query.continue) : undefined;
    if (query.continue && !from) throw refusal(410, "Expired");
    const version = from?.version ?? this.#version;
    const items = from?.items ?? [...this.#objects.values()];
    const limit = query.limit ?? Infinity;
    const page = items.slice(0, limit);
    onItems(page.map(raw));
    if (items.length <= limit) return { metadata: { resourceVersion: String(version) } };
    const token = `token-${this.#random.uuid()}`;
    this.#pinned.set(token, { version, items: items.slice(limit) });
    return { metadata: { resourceVersion: String(version), continue: token } };
  }

  async watch(
    query: WatchQuery,
    options: WatchCallOptions,
  ): Promise<AsyncIterable<readonly RawWatchEvent[]>> {
    await this.#request(options.signal);
    const stream = new ScriptedStream();
    const asked = Number(query.resourceVersion || "0");
    if (query.sendInitialEvents) {
      if (!this.streaming) throw refusal(422, "Invalid");
      if (asked > this.#version) throw tooLarge();
      const open: OpenStream = { stream, after: this.#version, last: undefined };
      for (const object of this.#objects.values()) {
        stream.push({ type: "ADDED", object: raw(object) });
      }
      if (this.#chance(this.faultRate)) stream.cut();
      else {
        stream.push(bookmark(this.#version, "true"));
        this.#open.push(open);
      }
      return stream.read(options);
    }
    if (asked < this.#compacted) {
      if (this.#chance(0.5)) throw refusal(410, "Expired");
      return stream.push(errorEvent(410, "Expired")).end().read(options);
    }
    if (asked > this.#version && this.#chance(0.5)) throw tooLarge();
    const open: OpenStream = { stream, after: asked, last: undefined };
    for (const change of this.#history) if (change.version > asked) this.#send(open, change);
    if (this.#chance(this.faultRate)) stream.end();
    else this.#open.push(open);
    return stream.read(options);
  }

  async #request(signal: AbortSignal): Promise<void> {
    await Promise.resolve();
    signal.throwIfAborted();
    if (!this.#chance(this.faultRate)) return;
    throw this.#pick([
      new UnreachableError("connection refused", { server: "https://127.0.0.1:1" }),
      refusal(429, "TooManyRequests", { after: 1 }),
      refusal(500, "InternalError"),
      refusal(503, "ServiceUnavailable"),
      refusal(404, "NotFound"),
      refusal(403, "Forbidden"),
      refusal(410, "Expired"),
    ]);
  }
}

function tooLarge(): Error {
  return refusal(504, "Timeout", { causes: [{ reason: "ResourceVersionTooLarge" }] });
}

/** Describes a test object in one word: name, version, UID. */
export function describe(object: Thing): string {
  const { name, resourceVersion, uid } = object.metadata;
  return `${name}@${resourceVersion}#${uid}`;
}
