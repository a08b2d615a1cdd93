import type { KubeList, KubeObject, ObjectKey, ResourceType } from "@xca/apimachinery/meta";
import type { WebSocketLike } from "../transport/dial.ts";
import type {
  CreateOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  WatchOptions,
  WriteOptions,
} from "../calls/options.ts";
import type { Patch } from "../typed/patch.ts";
import type { RawResource } from "../raw/raw.ts";
import type { RestRequest } from "../calls/rest.ts";
import type { SocketRequest } from "../calls/socket_door.ts";
import type { WatchEvent } from "../typed/watch_event.ts";

/** A call of {@linkcode Client.get}, as a value. */
export interface GetCall {
  /** Which call it is. */
  readonly verb: "get";
  /** Of which resource. */
  readonly type: ResourceType;
  /** Of which object. */
  readonly key: ObjectKey;
  /** How. */
  readonly options: GetOptions;
}

/** A call of {@linkcode Client.list} or {@linkcode Client.pages}, as a value. */
export interface ListCall<Verb extends "list" | "pages" = "list" | "pages"> {
  /** Which call it is. */
  readonly verb: Verb;
  /** Of which resource. */
  readonly type: ResourceType;
  /** Which objects, and how. */
  readonly options: ListOptions;
}

/** A call of {@linkcode Client.watch}, as a value. */
export interface WatchCall {
  /** Which call it is. */
  readonly verb: "watch";
  /** Of which resource. */
  readonly type: ResourceType;
  /** Which objects, and how. */
  readonly options: WatchOptions;
}

/** A call of {@linkcode Client.create}, as a value. */
export interface CreateCall {
  /** Which call it is. */
  readonly verb: "create";
  /** Of which resource. */
  readonly type: ResourceType;
  /** The object. */
  readonly object: KubeObject;
  /** How. */
  readonly options: CreateOptions;
}

/** A call of {@linkcode Client.update} or {@linkcode Client.updateStatus}, as a value. */
export interface UpdateCall<Verb extends "update" | "updateStatus" = "update" | "updateStatus"> {
  /** Which call it is. */
  readonly verb: Verb;
  /** Of which resource. */
  readonly type: ResourceType;
  /** The object. */
  readonly object: KubeObject;
  /** How. */
  readonly options: WriteOptions;
}

/** A call of {@linkcode Client.patch} or {@linkcode Client.patchStatus}, as a value. */
export interface PatchCall<Verb extends "patch" | "patchStatus" = "patch" | "patchStatus"> {
  /** Which call it is. */
  readonly verb: Verb;
  /** Of which resource. */
  readonly type: ResourceType;
  /** Of which object. */
  readonly key: ObjectKey;
  /** What is changed. */
  readonly patch: Patch;
  /** How. */
  readonly options: WriteOptions;
}

/** A call of {@linkcode Client.delete}, as a value. */
export interface DeleteCall {
  /** Which call it is. */
  readonly verb: "delete";
  /** Of which resource. */
  readonly type: ResourceType;
  /** Of which object. */
  readonly key: ObjectKey;
  /** How. */
  readonly options: DeleteOptions;
}

/** A call of {@linkcode Client.deleteCollection}, as a value. */
export interface DeleteCollectionCall {
  /** Which call it is. */
  readonly verb: "deleteCollection";
  /** Of which resource. */
  readonly type: ResourceType;
  /** Which objects, and how. */
  readonly options: DeleteCollectionOptions;
}

/** A call of {@linkcode Client.raw}, as a value. */
export interface RawCall {
  /** Which call it is. */
  readonly verb: "raw";
  /** Of which resource. */
  readonly type: ResourceType;
  /** In which namespace. */
  readonly options: { readonly namespace?: string | undefined };
}

/** A call of the REST door, {@linkcode RestDoor.request} or {@linkcode RestDoor.requestJson}. */
export interface RequestCall<Verb extends "request" | "requestJson" = "request" | "requestJson"> {
  /** Which call it is. */
  readonly verb: Verb;
  /** What is sent. */
  readonly request: RestRequest;
}

/** A call of {@linkcode SocketDoor.connect}, as a value. */
export interface ConnectCall {
  /** Which call it is. */
  readonly verb: "connect";
  /** What is connected to. */
  readonly request: SocketRequest;
}

/** Any call of a {@linkcode Client}, as a value. */
export type ClientCall =
  | GetCall
  | ListCall<"list">
  | ListCall<"pages">
  | WatchCall
  | CreateCall
  | UpdateCall<"update">
  | UpdateCall<"updateStatus">
  | PatchCall<"patch">
  | PatchCall<"patchStatus">
  | DeleteCall
  | DeleteCollectionCall
  | RawCall
  | RequestCall<"request">
  | RequestCall<"requestJson">
  | ConnectCall;

/** What stands around one call: it may change it, go on with it by `next`, or answer itself. */
export type Hook<Call, Result> = (call: Call, next: (call: Call) => Result) => Result;

/**
 * What stands around the calls of a client. `around` sees each call first, whichever it is; then comes
 * the hook of that one call.
 */
export interface Interceptor {
  /**
   * Around every call. Return what `next` returns, be it a promise, an iterable or a raw resource; a
   * call may be replaced by another of the same verb.
   */
  readonly around?: <Result>(call: ClientCall, next: (call: ClientCall) => Result) => Result;
  /** Around {@linkcode Client.get}. */
  readonly onGet?: Hook<GetCall, Promise<KubeObject>>;
  /** Around {@linkcode Client.list}. */
  readonly onList?: Hook<ListCall<"list">, Promise<KubeList>>;
  /** Around {@linkcode Client.pages}. */
  readonly onPages?: Hook<ListCall<"pages">, AsyncIterable<KubeList>>;
  /** Around {@linkcode Client.watch}. */
  readonly onWatch?: Hook<WatchCall, AsyncIterable<WatchEvent<KubeObject>>>;
  /** Around {@linkcode Client.create}. */
  readonly onCreate?: Hook<CreateCall, Promise<KubeObject>>;
  /** Around {@linkcode Client.update}. */
  readonly onUpdate?: Hook<UpdateCall<"update">, Promise<KubeObject>>;
  /** Around {@linkcode Client.updateStatus}. */
  readonly onUpdateStatus?: Hook<UpdateCall<"updateStatus">, Promise<KubeObject>>;
  /** Around {@linkcode Client.patch}. */
  readonly onPatch?: Hook<PatchCall<"patch">, Promise<KubeObject>>;
  /** Around {@linkcode Client.patchStatus}. */
  readonly onPatchStatus?: Hook<PatchCall<"patchStatus">, Promise<KubeObject>>;
  /** Around {@linkcode Client.delete}. */
  readonly onDelete?: Hook<DeleteCall, Promise<void>>;
  /** Around {@linkcode Client.deleteCollection}. */
  readonly onDeleteCollection?: Hook<DeleteCollectionCall, Promise<void>>;
  /** Around {@linkcode Client.raw}. */
  readonly onRaw?: Hook<RawCall, RawResource>;
  /** Around {@linkcode RestDoor.request}. */
  readonly onRequest?: Hook<RequestCall<"request">, Promise<Response>>;
  /** Around {@linkcode RestDoor.requestJson}. */
  readonly onRequestJson?: Hook<RequestCall<"requestJson">, Promise<unknown>>;
  /** Around {@linkcode SocketDoor.connect}. */
  readonly onConnect?: Hook<ConnectCall, Promise<WebSocketLike>>;
}
