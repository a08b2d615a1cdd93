import type { Client } from "../../client/typed/client.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import type {
  AdmitOptions,
  ApplyOptions,
  CallOptions,
  CreateOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  WatchOptions,
  WriteOptions,
} from "../../client/calls/options.ts";
import type { WebSocketLike } from "../../client/transport/dial.ts";
import type { Patch } from "../../client/typed/patch.ts";
import type { ApplyFields } from "../../client/typed/patch_fields.ts";
import { applyCall } from "../../client/typed/apply_call.ts";
import type { RawResource } from "../../client/raw/raw.ts";
import { methodOf, type RestRequest } from "../../client/calls/rest.ts";
import type { SocketRequest } from "../../client/calls/socket_calls.ts";
import type { WatchEvent } from "../../client/typed/watch_event.ts";
import {
  type KubeList,
  type KubeObject,
  type ObjectKey,
  parseLabelSelector,
  type ResourceType,
} from "@xca/apimachinery/meta";
import type { WriteGate } from "../ports/write_gate.ts";
import { GatedSocket } from "./gated_socket.ts";
import { RecordedRequest } from "../writes/recorded_request.ts";
import type { WriteInFlight, WriteLedger } from "../writes/write_ledger.ts";

/** Options of the class {@linkcode ReconcileClient}, the client that a reconcile run gets. */
export interface ReconcileClientOptions {
  /** The operator's client. */
  readonly client: Client;
  /** The ledger in which the client records the objects that the run writes. */
  readonly ledger: WriteLedger;
  /** The key that the run reconciles. */
  readonly key: ObjectKey;
  /**
   * The name of the controller, which is the default `caller` option of the run's calls.
   *
   * @default {none}
   */
  readonly controller?: string | undefined;
  /** The signal of the reconcile run. */
  readonly signal: AbortSignal;
  /** The gate that may refuse the run's writes. @default {none} */
  readonly gate?: WriteGate | undefined;
}

/**
 * The client of one reconcile run. Calls without a signal of their own, except those of `raw`, get
 * the signal of the run. No write starts, nor is tried again, once the signal of the run is aborted
 * or the gate refuses the write: the call rejects with the reason or the gate's error. Writes are
 * recorded, except dry runs, and deletions of collections through `request` and `requestJson`.
 */
export class ReconcileClient implements Client {
  readonly #client: Client;
  readonly #ledger: WriteLedger;
  readonly #key: ObjectKey;
  readonly #controller: string | undefined;
  readonly #signal: AbortSignal;
  readonly #gate: WriteGate | undefined;

  constructor(options: ReconcileClientOptions) {
    this.#client = options.client;
    this.#ledger = options.ledger;
    this.#key = options.key;
    this.#controller = options.controller;
    this.#signal = options.signal;
    this.#gate = options.gate;
  }

  get config(): ClientConfig {
    return this.#client.config;
  }

  get<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    options?: GetOptions,
  ): Promise<T> {
    return this.#client.get(type, key, this.#bound(options));
  }

  list<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<KubeList<T>> {
    return this.#client.list(type, this.#bound(options));
  }

  pages<T extends KubeObject>(
    type: ResourceType<T>,
    options?: ListOptions,
  ): AsyncIterable<KubeList<T>> {
    return this.#client.pages(type, this.#bound(options));
  }

  watch<T extends KubeObject>(
    type: ResourceType<T>,
    options?: WatchOptions,
  ): AsyncIterable<WatchEvent<T>> {
    return this.#client.watch(type, this.#bound(options));
  }

  create<T extends KubeObject>(
    type: ResourceType<T>,
    object: KubeObject,
    options?: CreateOptions,
  ): Promise<T> {
    return this.#write(type, options, (bound) => this.#client.create<T>(type, object as T, bound));
  }

  update<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    options?: WriteOptions,
  ): Promise<T> {
    return this.#write(type, options, (bound) => this.#client.update(type, object, bound));
  }

  updateStatus<T extends KubeObject>(
    type: ResourceType<T>,
    object: T,
    options?: WriteOptions,
  ): Promise<T> {
    return this.#write(type, options, (bound) => this.#client.updateStatus(type, object, bound));
  }

  patch<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: Patch<NoInfer<T>>,
    options?: WriteOptions,
  ): Promise<T> {
    return this.#write(type, options, (bound) => this.#client.patch(type, key, patch, bound));
  }

  patchStatus<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: Patch<NoInfer<T>>,
    options?: WriteOptions,
  ): Promise<T> {
    return this.#write(type, options, (bound) => this.#client.patchStatus(type, key, patch, bound));
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

  async delete(type: ResourceType, key: ObjectKey, options?: DeleteOptions): Promise<void> {
    this.#signal.throwIfAborted();
    const { uid } = options?.preconditions ?? {};
    using flight: WriteInFlight = this.#ledger.begin(type, key, uid);
    await this.#client.delete(type, key, this.#gated(options));
    if (!options?.dryRun) this.#ledger.deleted(this.#key, type, key, flight);
  }

  async deleteCollection(type: ResourceType, options?: DeleteCollectionOptions): Promise<void> {
    this.#signal.throwIfAborted();
    using flight: WriteInFlight = this.#ledger.begin(type);
    const members = options?.dryRun ? [] : this.#ledger.collection(this.#key, {
      type,
      namespace: options?.namespace ?? "",
      labelSelector: parseLabelSelector(options?.labelSelector ?? ""),
      fieldSelector: options?.fieldSelector ?? "",
    });
    await this.#client.deleteCollection(type, this.#gated(options));
    this.#ledger.deletedCollection(this.#key, members, flight);
  }

  raw(type: ResourceType, options?: { readonly namespace?: string | undefined }): RawResource {
    return this.#client.raw(type, options);
  }

  async request(request: RestRequest): Promise<Response> {
    if (isRead(request)) return await this.#client.request(this.#bound(request));
    this.#signal.throwIfAborted();
    using record = RecordedRequest.begin(this.#ledger, this.#key, request);
    const response = await this.#client.request(this.#gated(request));
    await record?.received(response);
    return response;
  }

  async requestJson<T>(request: RestRequest): Promise<T> {
    if (isRead(request)) return await this.#client.requestJson<T>(this.#bound(request));
    this.#signal.throwIfAborted();
    using record = RecordedRequest.begin(this.#ledger, this.#key, request);
    const answer = await this.#client.requestJson<T>(this.#gated(request));
    record?.answered(answer);
    return answer;
  }

  async connect(request: SocketRequest): Promise<WebSocketLike> {
    this.#signal.throwIfAborted();
    const { timeoutMs: _, ...gated } = this.#gated<SocketRequest & CallOptions>(request);
    return new GatedSocket(await this.#client.connect(gated), gated.admit!);
  }

  /** Does nothing: closing the client of a run leaves the operator's client open. */
  [Symbol.dispose](): void {}

  async #write<T extends KubeObject, Options extends WriteOptions>(
    type: ResourceType<T>,
    options: Options | undefined,
    send: (bound: Options) => Promise<T>,
  ): Promise<T> {
    this.#signal.throwIfAborted();
    using flight: WriteInFlight = this.#ledger.begin(type);
    const written = await send(this.#gated(options));
    if (!options?.dryRun) this.#ledger.wrote(this.#key, type, written, flight);
    return written;
  }

  #bound<Options extends CallOptions>(options: Options | undefined): Options {
    const { signal = this.#signal, caller = this.#controller } = options ?? {};
    return { ...options, signal, ...(caller !== undefined && { caller }) } as Options;
  }

  /**
   * Returns the options of a write, whose `admit` calls the gate again before each attempt, and
   * whose timeout is at most the time left in which the gate admits writes. Throws the error of the
   * gate if it admits no write now.
   */
  #gated<Options extends CallOptions & AdmitOptions>(options: Options | undefined): Options {
    const gate = this.#gate;
    gate?.admit();
    const bound = this.#bound(options);
    const admit = (): void => {
      this.#signal.throwIfAborted();
      gate?.admit();
      options?.admit?.();
    };
    if (!gate || gate.remainingMs === Infinity) return { ...bound, admit };
    const askedMs = bound.timeoutMs ?? this.config.requestTimeoutMs ?? 0;
    const timeoutMs = Math.min(askedMs > 0 ? askedMs : Infinity, Math.max(1, gate.remainingMs));
    return { ...bound, admit, timeoutMs };
  }
}

/** Reports whether the method of a request is GET or HEAD, so that it only reads. */
function isRead(request: RestRequest): boolean {
  return /^(GET|HEAD)$/.test(methodOf(request));
}
