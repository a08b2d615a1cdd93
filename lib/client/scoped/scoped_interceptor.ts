import type { KubeList, KubeObject, ObjectKey, ResourceType } from "@xca/apimachinery/meta";
import type { Client } from "../typed/client.ts";
import type { ClientConfig } from "../config/config.ts";
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
import type { Patch } from "../typed/patch.ts";
import type { ApplyFields } from "../typed/patch_fields.ts";
import { applyCall } from "../typed/apply_call.ts";
import type { RawResource } from "../raw/raw.ts";
import type { RestRequest } from "../calls/rest.ts";
import type { CallOf, ClientCall, Hook, Interceptor } from "./scoped_calls.ts";
import type { SocketRequest } from "../calls/socket_calls.ts";
import type { WatchEvent } from "../typed/watch_event.ts";

/**
 * Returns a client whose calls pass through the hooks of an interceptor, which may observe, change
 * or refuse them, or return results of their own. Interceptors compose: the outermost receives a
 * call first. Disposing the returned client disposes the given one.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createClient, intercept } from "@xca/operator/client";
 * import { ConfigMap } from "@xca/operator/meta";
 *
 * const verbs: string[] = [];
 * using client = intercept(
 *   createClient({ server: "https://api.example.org" }, {
 *     fetch: () => Promise.resolve(Response.json({ metadata: { name: "a" } })),
 *   }),
 *   {
 *     around: (call, next) => {
 *       verbs.push(call.verb);
 *       return next(call);
 *     },
 *     onDelete: (call) => Promise.reject(new Error(`Cannot delete ${call.key}: not today`)),
 *   },
 * );
 * await client.get(ConfigMap, "default/a");
 * await client.delete(ConfigMap, "default/a").catch(() => {});
 * assert(verbs.join() === "get,delete");
 * ```
 */
export function intercept(client: Client, interceptor: Interceptor): Client {
  return new InterceptedClient(client, interceptor);
}

/** A client that wraps another one and passes its calls through the hooks of an interceptor. */
export class InterceptedClient implements Client {
  readonly config: ClientConfig;
  readonly #client: Client;
  readonly #hooks: Interceptor;

  /**
   * Creates a client that wraps another one; `config` replaces the configuration of the wrapped
   * client.
   */
  constructor(client: Client, interceptor: Interceptor, config: ClientConfig = client.config) {
    this.config = config;
    this.#client = client;
    this.#hooks = interceptor;
  }

  async get<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    options: GetOptions = {},
  ): Promise<T> {
    const call = { verb: "get", type, key, options } as const;
    return await this.#run(call, this.#hooks.onGet, (call) => {
      return this.#client.get(call.type, call.key, call.options);
    }) as T;
  }

  async list<T extends KubeObject>(
    type: ResourceType<T>,
    options: ListOptions = {},
  ): Promise<KubeList<T>> {
    const call = { verb: "list", type, options } as const;
    return await this.#run(call, this.#hooks.onList, (call) => {
      return this.#client.list(call.type, call.options);
    }) as KubeList<T>;
  }

  async *pages<T extends KubeObject>(
    type: ResourceType<T>,
    options: ListOptions = {},
  ): AsyncIterableIterator<KubeList<T>> {
    const call = { verb: "pages", type, options } as const;
    yield* this.#run(call, this.#hooks.onPages, (call) => {
      return this.#client.pages(call.type, call.options);
    }) as AsyncIterable<KubeList<T>>;
  }

  async *watch<T extends KubeObject>(
    type: ResourceType<T>,
    options: WatchOptions = {},
  ): AsyncIterableIterator<WatchEvent<T>> {
    const call = { verb: "watch", type, options } as const;
    yield* this.#run(call, this.#hooks.onWatch, (call) => {
      return this.#client.watch(call.type, call.options);
    }) as AsyncIterable<WatchEvent<T>>;
  }

  async create<T extends KubeObject>(
    type: ResourceType<T>,
    object: KubeObject,
    options: CreateOptions = {},
  ): Promise<T> {
    const call = { verb: "create", type, object, options } as const;
    return await this.#run(call, this.#hooks.onCreate, (call) => {
      return this.#client.create(call.type, call.object, call.options);
    }) as T;
  }

  async update<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    const call = { verb: "update", type, object, options } as const;
    return await this.#run(call, this.#hooks.onUpdate, (call) => {
      return this.#client.update(call.type, call.object, call.options);
    }) as T;
  }

  async updateStatus<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    const call = { verb: "updateStatus", type, object, options } as const;
    return await this.#run(call, this.#hooks.onUpdateStatus, (call) => {
      return this.#client.updateStatus(call.type, call.object, call.options);
    }) as T;
  }

  async patch<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: Patch<NoInfer<T>>,
    options: WriteOptions = {},
  ): Promise<T> {
    const call = { verb: "patch", type, key, patch, options } as const;
    return await this.#run(call, this.#hooks.onPatch, (call) => {
      return this.#client.patch(call.type, call.key, call.patch, call.options);
    }) as T;
  }

  async patchStatus<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: Patch<NoInfer<T>>,
    options: WriteOptions = {},
  ): Promise<T> {
    const call = { verb: "patchStatus", type, key, patch, options } as const;
    return await this.#run(call, this.#hooks.onPatchStatus, (call) => {
      return this.#client.patchStatus(call.type, call.key, call.patch, call.options);
    }) as T;
  }

  async apply<T extends KubeObject>(
    type: ResourceType<T>,
    object: ApplyFields<NoInfer<T>>,
    options: ApplyOptions = {},
  ): Promise<T> {
    const call = applyCall<T>(type, object, options, this.config.namespace ?? "default");
    return await this.patch(type, call.key, call.patch, call.options);
  }

  async applyStatus<T extends KubeObject>(
    type: ResourceType<T>,
    object: ApplyFields<NoInfer<T>>,
    options: ApplyOptions = {},
  ): Promise<T> {
    const call = applyCall<T>(type, object, options, this.config.namespace ?? "default");
    return await this.patchStatus(type, call.key, call.patch, call.options);
  }

  async delete(type: ResourceType, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const call = { verb: "delete", type, key, options } as const;
    await this.#run(call, this.#hooks.onDelete, (call) => {
      return this.#client.delete(call.type, call.key, call.options);
    });
  }

  async deleteCollection(type: ResourceType, options: DeleteCollectionOptions = {}): Promise<void> {
    const call = { verb: "deleteCollection", type, options } as const;
    await this.#run(call, this.#hooks.onDeleteCollection, (call) => {
      return this.#client.deleteCollection(call.type, call.options);
    });
  }

  raw(type: ResourceType, options: { readonly namespace?: string | undefined } = {}): RawResource {
    const call = { verb: "raw", type, options } as const;
    return this.#run(call, this.#hooks.onRaw, (call) => this.#client.raw(call.type, call.options));
  }

  async request(request: RestRequest): Promise<Response> {
    const call = { verb: "request", request } as const;
    return await this.#run(call, this.#hooks.onRequest, (call) => {
      return this.#client.request(call.request);
    });
  }

  async requestJson<T>(request: RestRequest): Promise<T> {
    const call = { verb: "requestJson", request } as const;
    return await this.#run(call, this.#hooks.onRequestJson, (call) => {
      return this.#client.requestJson<unknown>(call.request);
    }) as T;
  }

  async connect(request: SocketRequest): Promise<WebSocketLike> {
    const call = { verb: "connect", request } as const;
    return await this.#run(call, this.#hooks.onConnect, (call) => {
      return this.#client.connect(call.request);
    });
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  #run<Verb extends ClientCall["verb"], Result>(
    call: CallOf<Verb>,
    hook: Hook<Verb, Result> | undefined,
    send: (call: CallOf<Verb>) => Result,
  ): Result {
    const inner = (changed: ClientCall): Result => {
      if (changed.verb !== call.verb) {
        throw new TypeError(
          `Cannot go on with a ${changed.verb} in the place of a ${call.verb}: an interceptor may ` +
            `change a call, not its verb`,
        );
      }
      return hook
        ? hook.call(this.#hooks, changed as CallOf<Verb>, send)
        : send(changed as CallOf<Verb>);
    };
    return this.#hooks.around ? this.#hooks.around(call, inner) : inner(call);
  }
}
