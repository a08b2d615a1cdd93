import type { Clock } from "@xca/apimachinery/base";
import {
  keyOf,
  type KubeList,
  type KubeObject,
  type ObjectKey,
  parseKey,
  type ResourceType,
} from "@xca/apimachinery/meta";
import type { Client } from "./client.ts";
import type { ClientConfig } from "../config/config.ts";
import { expectDeleted, expectEventObject, expectItems, expectObject } from "./expected_answer.ts";
import type { WebSocketLike } from "../transport/dial.ts";
import type {
  ApplyOptions,
  CreateOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  WatchOptions,
  WriteOptions,
} from "../calls/options.ts";
import { readAllPages, type ReadPage, readPages } from "./pager.ts";
import { encodePatch, type Patch } from "./patch.ts";
import type { ApplyFields } from "./patch_fields.ts";
import { applyCall, withIdentity } from "./apply_call.ts";
import { PageTokens } from "../calls/page_tokens.ts";
import { objectPath, resourcePath } from "../calls/paths.ts";
import type { ListQuery, WatchQuery } from "../calls/list_query.ts";
import { withoutCallOptions } from "../calls/query.ts";
import type { RawResource } from "../raw/raw.ts";
import { RestRawResource } from "../raw/raw_resource.ts";
import type { RestRequest } from "../calls/rest.ts";
import type { HttpCalls } from "../calls/http_calls.ts";
import type { SocketRequest } from "../calls/socket_calls.ts";
import { checkOptions, checkPreconditions } from "./known_options.ts";
import { parseWatchBatch } from "./watch_batch.ts";
import type { WatchEvent } from "./watch_event.ts";
import { defaultUserAgent } from "../transport/user_agent.ts";
import {
  callOptions,
  deleteBody,
  inNamespace,
  patchQuery,
  refuseMetadata,
  withOwnType,
  withType,
  writeQuery,
} from "./write_body.ts";

/** The implementation of {@linkcode Client}: typed calls by REST requests. */
export class TypedClient implements Client {
  readonly config: ClientConfig;
  readonly #rest: HttpCalls;
  readonly #clock: Clock;
  readonly #network: Disposable | undefined;

  /**
   * Creates a client that sends its requests by the given REST calls. The client owns the calls and
   * the network connections below: its disposal closes them.
   */
  constructor(
    config: ClientConfig,
    parts: { readonly rest: HttpCalls; readonly clock: Clock; readonly network?: Disposable },
  ) {
    this.config = config;
    this.#rest = parts.rest;
    this.#clock = parts.clock;
    this.#network = parts.network;
  }

  async get<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    options: GetOptions = {},
  ): Promise<T> {
    checkOptions("get", type, options);
    const { resourceVersion, ...call } = options;
    const path = objectPath(type, key);
    const answer = await this.#json({ ...call, path, query: { resourceVersion } });
    return withType(type, expectObject<T>(answer, type, { path }));
  }

  async list<T extends KubeObject>(
    type: ResourceType<T>,
    options: ListOptions = {},
  ): Promise<KubeList<T>> {
    checkOptions("list", type, options);
    return await readAllPages(listQuery(options), this.#pageReader(type, options));
  }

  async *pages<T extends KubeObject>(
    type: ResourceType<T>,
    options: ListOptions = {},
  ): AsyncIterableIterator<KubeList<T>> {
    checkOptions("list", type, options);
    yield* readPages(listQuery(options), this.#pageReader(type, options));
  }

  #pageReader<T extends KubeObject>(type: ResourceType<T>, options: ListOptions): ReadPage<T> {
    const { namespace, signal, timeoutMs } = options;
    const path = resourcePath(type, { namespace });
    const tokens = new PageTokens(`GET ${path}`);
    return async (query) => {
      const page = await this.#json<KubeList<T>>({ path, query: { ...query }, signal, timeoutMs });
      const items = expectItems<T>(page, type, { path });
      tokens.note(page.metadata.continue);
      // A dynamic resource may not know its kind, which is that of the list without "List".
      const kind = type.kind || (page.kind?.replace(/List$/, "") ?? "");
      return { ...page, items: items.map((item) => withType({ ...type, kind }, item)) };
    };
  }

  async *watch<T extends KubeObject>(
    type: ResourceType<T>,
    options: WatchOptions = {},
  ): AsyncIterableIterator<WatchEvent<T>> {
    checkOptions("watch", type, options);
    const { namespace, signal, idleTimeoutMs } = options;
    const raw = this.raw(type, { namespace });
    const path = resourcePath(type, { namespace });
    const expect = (object: unknown): T =>
      withType(type, expectEventObject(object, type, { path }));
    const batches = await raw.watch(watchQuery(options), { signal, idleTimeoutMs, retry: true });
    for await (const batch of batches) {
      const { events, error } = parseWatchBatch<T>(batch, { id: type.id, expect });
      yield* events;
      if (error) throw error;
    }
  }

  async create<T extends KubeObject>(
    type: ResourceType<T>,
    object: KubeObject,
    options: CreateOptions = {},
  ): Promise<T> {
    refuseMetadata(type, "create");
    checkOptions("create", type, options);
    const fallback = this.config.namespace ?? "default";
    const placed = inNamespace(type, object, { given: options.namespace, fallback });
    const body = withOwnType(type, placed, "create");
    const path = resourcePath(type, { namespace: body.metadata.namespace });
    return await this.#write(type, { method: "POST", path, body }, options);
  }

  async update<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    refuseMetadata(type, "update");
    checkOptions("update", type, options);
    const path = objectPath(type, keyOf(object));
    const body = withOwnType(type, object, "update");
    return await this.#write(type, { method: "PUT", path, body }, options);
  }

  async updateStatus<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    refuseMetadata(type, "updateStatus");
    checkOptions("update", type, options);
    const path = objectPath(type, keyOf(object), "status");
    const body = withOwnType(type, object, "update the status of");
    return await this.#write(type, { method: "PUT", path, body }, options);
  }

  async patch<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: Patch<NoInfer<T>>,
    options: WriteOptions = {},
  ): Promise<T> {
    checkOptions("patch", type, options);
    const filled = withIdentity(type, parseKey(key).name, patch);
    return await this.#patch(type, objectPath(type, key), filled, options);
  }

  async patchStatus<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: Patch<NoInfer<T>>,
    options: WriteOptions = {},
  ): Promise<T> {
    checkOptions("patch", type, options);
    const filled = withIdentity(type, parseKey(key).name, patch);
    return await this.#patch(type, objectPath(type, key, "status"), filled, options);
  }

  async apply<T extends KubeObject>(
    type: ResourceType<T>,
    object: ApplyFields<NoInfer<T>>,
    options: ApplyOptions = {},
  ): Promise<T> {
    checkOptions("apply", type, options);
    const call = applyCall<T>(type, object, options, this.config.namespace ?? "default");
    return await this.patch(type, call.key, call.patch, call.options);
  }

  async applyStatus<T extends KubeObject>(
    type: ResourceType<T>,
    object: ApplyFields<NoInfer<T>>,
    options: ApplyOptions = {},
  ): Promise<T> {
    checkOptions("apply", type, options);
    const call = applyCall<T>(type, object, options, this.config.namespace ?? "default");
    return await this.patchStatus(type, call.key, call.patch, call.options);
  }

  async delete(type: ResourceType, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    checkOptions("delete", type, options);
    checkPreconditions(type, options);
    const path = objectPath(type, key);
    const body = deleteBody(options);
    const request = { method: "DELETE", path, body, ...callOptions(options) };
    expectDeleted(await this.#json(request), type, request);
  }

  async deleteCollection(
    type: ResourceType,
    options: DeleteCollectionOptions = {},
  ): Promise<void> {
    checkOptions("delete the collection of", type, options);
    const { namespace, labelSelector, fieldSelector } = options;
    if (!namespace && type.scope === "Namespaced") {
      throw new TypeError(
        `Cannot delete the collection of ${type.id}: it is deleted one namespace at a time; name it`,
      );
    }
    const path = resourcePath(type, { namespace });
    const query = { labelSelector, fieldSelector };
    const body = deleteBody(options);
    const request = { method: "DELETE", path, query, body, ...callOptions(options) };
    expectDeleted(await this.#json(request), type, request);
  }

  raw(type: ResourceType, options: { readonly namespace?: string | undefined } = {}): RawResource {
    return new RestRawResource(this.#rest, type, { ...options, clock: this.#clock });
  }

  async request(request: RestRequest): Promise<Response> {
    return await this.#rest.request(request);
  }

  async requestJson<T>(request: RestRequest): Promise<T> {
    return await this.#json<T>(request);
  }

  async connect(request: SocketRequest): Promise<WebSocketLike> {
    return await this.#rest.connect(request);
  }

  [Symbol.dispose](): void {
    this.#rest[Symbol.dispose]();
    this.#network?.[Symbol.dispose]();
  }

  async #patch<T extends KubeObject>(
    type: ResourceType<T>,
    path: string,
    patch: Patch<NoInfer<T>>,
    options: WriteOptions,
  ): Promise<T> {
    const { contentType, body } = encodePatch(patch);
    const userAgent = this.config.userAgent ?? defaultUserAgent();
    const query = patchQuery(patch, options, userAgent);
    return await this.#write(type, { method: "PATCH", path, body, contentType, query }, options);
  }

  async #write<T extends KubeObject>(
    type: ResourceType<T>,
    request: RestRequest,
    options: WriteOptions,
  ): Promise<T> {
    const query = request.query ?? writeQuery(options);
    const answer = await this.#json({ ...request, query, ...callOptions(options) });
    return withType(type, expectObject<T>(answer, type, request));
  }

  async #json<T>(request: RestRequest): Promise<T> {
    return await this.#rest.requestJson<T>(request);
  }
}

function listQuery(options: ListOptions): ListQuery {
  const { labelSelector, fieldSelector, limit, resourceVersion, resourceVersionMatch } = options;
  return { labelSelector, fieldSelector, limit, resourceVersion, resourceVersionMatch };
}

function watchQuery({ namespace: _1, idleTimeoutMs: _2, ...options }: WatchOptions): WatchQuery {
  return withoutCallOptions(options);
}
