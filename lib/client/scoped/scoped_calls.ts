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
import type { SocketRequest } from "../calls/socket_calls.ts";
import type { WatchEvent } from "../typed/watch_event.ts";

/** A call of a {@linkcode Client} as an interceptor receives it: verb, resource and arguments. */
export type ClientCall =
  | {
    /** The resource of the intercepted call. */
    readonly type: ResourceType;
  }
    & (
      | {
        /** The verb of {@linkcode Client.get}, which reads an object, in an intercepted call. */
        readonly verb: "get";
        /** The key of the object that the intercepted `get` reads. */
        readonly key: ObjectKey;
        /** The options of the intercepted `get`. */
        readonly options: GetOptions;
      }
      | {
        /**
         * The verb of {@linkcode Client.list}, which reads all pages of a list, in an intercepted
         * call.
         */
        readonly verb: "list";
        /** The options of the intercepted `list`. */
        readonly options: ListOptions;
      }
      | {
        /**
         * The verb of {@linkcode Client.pages}, which reads a list page by page, in an intercepted
         * call.
         */
        readonly verb: "pages";
        /** The options of the intercepted `pages`. */
        readonly options: ListOptions;
      }
      | {
        /**
         * The verb of {@linkcode Client.watch}, which yields changes of objects, in an intercepted
         * call.
         */
        readonly verb: "watch";
        /** The options of the intercepted `watch`. */
        readonly options: WatchOptions;
      }
      | {
        /**
         * The verb of {@linkcode Client.create}, which creates an object, in an intercepted call.
         */
        readonly verb: "create";
        /** The object that the intercepted `create` sends. */
        readonly object: KubeObject;
        /** The options of the intercepted `create`. */
        readonly options: CreateOptions;
      }
      | {
        /**
         * The verb of {@linkcode Client.update}, which replaces an object, in an intercepted call.
         */
        readonly verb: "update";
        /** The object that the intercepted `update` sends. */
        readonly object: KubeObject;
        /** The options of the intercepted `update`. */
        readonly options: WriteOptions;
      }
      | {
        /**
         * The verb of {@linkcode Client.updateStatus}, which replaces the status of an object, in
         * an intercepted call.
         */
        readonly verb: "updateStatus";
        /** The object whose status the intercepted `updateStatus` sends. */
        readonly object: KubeObject;
        /** The options of the intercepted `updateStatus`. */
        readonly options: WriteOptions;
      }
      | {
        /**
         * The verb of {@linkcode Client.patch}, which patches or applies an object, in an
         * intercepted call.
         */
        readonly verb: "patch";
        /** The key of the object that the intercepted `patch` changes. */
        readonly key: ObjectKey;
        /** The patch that the intercepted `patch` sends. */
        readonly patch: Patch;
        /** The options of the intercepted `patch`. */
        readonly options: WriteOptions;
      }
      | {
        /**
         * The verb of {@linkcode Client.patchStatus}, which patches or applies a status, in an
         * intercepted call.
         */
        readonly verb: "patchStatus";
        /** The key of the object whose status the intercepted `patchStatus` changes. */
        readonly key: ObjectKey;
        /** The patch that the intercepted `patchStatus` sends. */
        readonly patch: Patch;
        /** The options of the intercepted `patchStatus`. */
        readonly options: WriteOptions;
      }
      | {
        /**
         * The verb of {@linkcode Client.delete}, which deletes an object, in an intercepted call.
         */
        readonly verb: "delete";
        /** The key of the object that the intercepted `delete` deletes. */
        readonly key: ObjectKey;
        /** The options of the intercepted `delete`. */
        readonly options: DeleteOptions;
      }
      | {
        /**
         * The verb of {@linkcode Client.deleteCollection}, which deletes the selected objects, in
         * an intercepted call.
         */
        readonly verb: "deleteCollection";
        /** The options of the intercepted `deleteCollection`. */
        readonly options: DeleteCollectionOptions;
      }
      | {
        /**
         * The verb of {@linkcode Client.raw}, which reads a resource as bytes, in an intercepted
         * call.
         */
        readonly verb: "raw";
        /** The options of the intercepted `raw`: the namespace. */
        readonly options: { readonly namespace?: string | undefined };
      }
    )
  | {
    /**
     * The verb of {@linkcode RestCalls.request}, which sends a REST request, in an intercepted
     * call.
     */
    readonly verb: "request";
    /** The intercepted REST request. */
    readonly request: RestRequest;
  }
  | {
    /**
     * The verb of {@linkcode RestCalls.requestJson}, which sends a REST request and parses the
     * response.
     */
    readonly verb: "requestJson";
    /** The intercepted REST request whose response is parsed. */
    readonly request: RestRequest;
  }
  | {
    /**
     * The verb of {@linkcode SocketCalls.connect}, which opens a WebSocket, in an intercepted call.
     */
    readonly verb: "connect";
    /** The intercepted WebSocket request. */
    readonly request: SocketRequest;
  };

/** The type of an intercepted client call of one verb. */
export type CallOf<Verb extends ClientCall["verb"]> = Extract<ClientCall, { readonly verb: Verb }>;

/**
 * A hook of an interceptor for the calls of one verb: the hook may change the call, pass the call
 * on by `next`, or return a result of its own without `next`.
 */
export type Hook<Verb extends ClientCall["verb"], Result> = (
  call: Extract<ClientCall, { readonly verb: Verb }>,
  next: (call: Extract<ClientCall, { readonly verb: Verb }>) => Result,
) => Result;

/**
 * The hooks of {@linkcode intercept}. `around` receives every call first, and its `next` calls the
 * hook of the verb. A call without a hook is sent unchanged; `apply` and `applyStatus` arrive as
 * `patch` and `patchStatus`.
 */
export interface Interceptor {
  /**
   * A hook for every call. The hook returns the result of `next` or another value of the same type:
   * a promise, an iterable or a raw resource. The hook may pass a changed call of the same verb to
   * `next`, which throws a TypeError for a call of another verb.
   */
  readonly around?: <Result>(call: ClientCall, next: (call: ClientCall) => Result) => Result;
  /** A hook for calls of {@linkcode Client.get}. */
  readonly onGet?: Hook<"get", Promise<KubeObject>>;
  /** A hook for calls of {@linkcode Client.list}. */
  readonly onList?: Hook<"list", Promise<KubeList>>;
  /** A hook for calls of {@linkcode Client.pages}. */
  readonly onPages?: Hook<"pages", AsyncIterable<KubeList>>;
  /** A hook for calls of {@linkcode Client.watch}. */
  readonly onWatch?: Hook<"watch", AsyncIterable<WatchEvent<KubeObject>>>;
  /** A hook for calls of {@linkcode Client.create}. */
  readonly onCreate?: Hook<"create", Promise<KubeObject>>;
  /** A hook for calls of {@linkcode Client.update}. */
  readonly onUpdate?: Hook<"update", Promise<KubeObject>>;
  /** A hook for calls of {@linkcode Client.updateStatus}. */
  readonly onUpdateStatus?: Hook<"updateStatus", Promise<KubeObject>>;
  /** A hook for calls of {@linkcode Client.patch}. */
  readonly onPatch?: Hook<"patch", Promise<KubeObject>>;
  /** A hook for calls of {@linkcode Client.patchStatus}. */
  readonly onPatchStatus?: Hook<"patchStatus", Promise<KubeObject>>;
  /** A hook for calls of {@linkcode Client.delete}. */
  readonly onDelete?: Hook<"delete", Promise<void>>;
  /** A hook for calls of {@linkcode Client.deleteCollection}. */
  readonly onDeleteCollection?: Hook<"deleteCollection", Promise<void>>;
  /** A hook for calls of {@linkcode Client.raw}. */
  readonly onRaw?: Hook<"raw", RawResource>;
  /** A hook for calls of {@linkcode RestCalls.request}. */
  readonly onRequest?: Hook<"request", Promise<Response>>;
  /** A hook for calls of {@linkcode RestCalls.requestJson}. */
  readonly onRequestJson?: Hook<"requestJson", Promise<unknown>>;
  /** A hook for calls of {@linkcode SocketCalls.connect}. */
  readonly onConnect?: Hook<"connect", Promise<WebSocketLike>>;
}
