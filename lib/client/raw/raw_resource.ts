import { type Clock, systemClock } from "@xca/apimachinery/base";
import type { ResourceType } from "@xca/apimachinery/meta";
import { BodyReader } from "../calls/body_reader.ts";
import { expectBody, expectListOf, expectNoPage } from "./expected_body.ts";
import { ListDecoder } from "../decode/list_items.ts";
import { resourcePath } from "../calls/paths.ts";
import type { ListQuery, WatchQuery } from "../calls/list_query.ts";
import type { RawListOptions, RawListResult, RawResource, RawWatchOptions } from "./raw.ts";
import type { RawObject, RawWatchEvent } from "../decode/raw_event.ts";
import { RawWatch } from "./raw_watch.ts";
import type { QueryValue } from "../calls/rest.ts";
import { DEFAULT_DEADLINE_MS, type HttpCalls } from "../calls/http_calls.ts";

/**
 * The `Accept-Encoding` header of a watch. A kube-apiserver of 1.37 compresses each event of a
 * WatchList as a gzip member (`endpoints/handlers/watch.go`, `perFlushGzipWriter`), and the `fetch`
 * of some runtimes, Deno 2.9 among them, asks for gzip by itself and stops after the first member.
 */
const UNCOMPRESSED = ["Accept-Encoding", "identity"] as const;

/**
 * A client that lists and watches one resource as bytes: the implementation of {@linkcode
 * RawResource}.
 */
export class RestRawResource implements RawResource {
  readonly #rest: HttpCalls;
  readonly #path: string;
  readonly #id: string;
  readonly #type: ResourceType;
  readonly #metadataOnly: boolean;
  readonly #clock: Clock;

  /**
   * Creates a client that lists and watches one resource as bytes, in one namespace or, without
   * `namespace`, in all.
   *
   * @throws {TypeError} When the namespace cannot be a segment of a path, or the resource is
   * cluster-scoped and a namespace is given.
   */
  constructor(
    rest: HttpCalls,
    type: ResourceType,
    options: { readonly namespace?: string | undefined; readonly clock?: Clock | undefined } = {},
  ) {
    this.#rest = rest;
    this.#path = resourcePath(type, { namespace: options.namespace });
    this.#id = type.id;
    this.#type = type;
    this.#metadataOnly = type.metadataOnly ?? false;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Reads one page of a list, passes its items to `onItems` as bytes, and returns its metadata; see
   * {@linkcode RawResource.list}.
   */
  async list(
    query: ListQuery,
    onItems: (batch: readonly RawObject[]) => void,
    options: RawListOptions = {},
  ): Promise<RawListResult> {
    const call = await this.#rest.open({
      path: this.#path,
      query: asQuery(query),
      headers: this.#accept("PartialObjectMetadataList"),
      signal: options.signal,
      retry: options.retry,
      what: `list of ${this.#id}`,
    });
    const body = { path: this.#path, wanted: `a list of ${this.#id}` };
    expectBody(call, body);
    using reader = new BodyReader(call, {
      idleTimeoutMs: DEFAULT_DEADLINE_MS,
      lends: true,
      clock: this.#clock,
    });
    const decoder = new ListDecoder();
    let isFirst = true;
    for (let chunk = await reader.read(); chunk; chunk = await reader.read()) {
      if (isFirst) expectNoPage(chunk, body);
      isFirst = false;
      decoder.push(chunk, onItems);
    }
    const metadata = decoder.finish();
    expectListOf(this.#type, decoder.type, body);
    return { metadata };
  }

  /**
   * Starts a watch whose objects are bytes, and resolves to its batches of events once the server
   * has accepted it; see {@linkcode RawResource.watch}.
   */
  async watch(
    query: WatchQuery,
    options: RawWatchOptions = {},
  ): Promise<AsyncIterable<readonly RawWatchEvent[]>> {
    const what = `watch of ${this.#id}`;
    const call = await this.#rest.open({
      path: this.#path,
      query: { watch: true, ...asQuery(query) },
      headers: [...this.#accept("PartialObjectMetadata"), UNCOMPRESSED],
      signal: options.signal,
      retry: options.retry ?? false,
      timeoutMs: 0,
      what,
    });
    const body = { path: this.#path, wanted: `a ${what}` };
    expectBody(call, body);
    const { idleTimeoutMs } = options;
    const reader = new BodyReader(call, { idleTimeoutMs, lends: true, clock: this.#clock });
    return new RawWatch(reader, body);
  }

  /**
   * Returns the `Accept` header that requests only the metadata of objects, as client-go's
   * `metadata.Client` does; no header for a resource whose objects are read as a whole.
   */
  #accept(kind: string): readonly (readonly [string, string])[] {
    if (!this.#metadataOnly) return [];
    return [["Accept", `application/json;as=${kind};g=meta.k8s.io;v=v1`]];
  }
}

/**
 * Returns the URL query parameters of a LIST or WATCH query, which have the names of its fields.
 */
function asQuery(query: ListQuery | WatchQuery): Record<string, QueryValue> {
  return { ...query };
}
