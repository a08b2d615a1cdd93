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

/** A call of a {@linkcode Client} as a value, by its verb. */
export type ClientCall =
  | {
    /** The resource. */
    readonly type: ResourceType;
  }
    & (
      | {
        /** Reads an object. */
        readonly verb: "get";
        /** The key of the object. */
        readonly key: ObjectKey;
        /** The options of the call. */
        readonly options: GetOptions;
      }
      | {
        /** Reads all pages of a list. */
        readonly verb: "list";
        /** The options of the call. */
        readonly options: ListOptions;
      }
      | {
        /** Reads a list page by page. */
        readonly verb: "pages";
        /** The options of the call. */
        readonly options: ListOptions;
      }
      | {
        /** Watches the objects. */
        readonly verb: "watch";
        /** The options of the call. */
        readonly options: WatchOptions;
      }
      | {
        /** Creates an object. */
        readonly verb: "create";
        /** The object. */
        readonly object: KubeObject;
        /** The options of the call. */
        readonly options: CreateOptions;
      }
      | {
        /** Replaces an object. */
        readonly verb: "update";
        /** The object. */
        readonly object: KubeObject;
        /** The options of the call. */
        readonly options: WriteOptions;
      }
      | {
        /** Replaces the status of an object. */
        readonly verb: "updateStatus";
        /** The object. */
        readonly object: KubeObject;
        /** The options of the call. */
        readonly options: WriteOptions;
      }
      | {
        /** Patches an object; server-side apply, too. */
        readonly verb: "patch";
        /** The key of the object. */
        readonly key: ObjectKey;
        /** The patch. */
        readonly patch: Patch;
        /** The options of the call. */
        readonly options: WriteOptions;
      }
      | {
        /** Patches the status of an object; server-side apply, too. */
        readonly verb: "patchStatus";
        /** The key of the object. */
        readonly key: ObjectKey;
        /** The patch. */
        readonly patch: Patch;
        /** The options of the call. */
        readonly options: WriteOptions;
      }
      | {
        /** Deletes an object. */
        readonly verb: "delete";
        /** The key of the object. */
        readonly key: ObjectKey;
        /** The options of the call. */
        readonly options: DeleteOptions;
      }
      | {
        /** Deletes the selected objects. */
        readonly verb: "deleteCollection";
        /** The options of the call. */
        readonly options: DeleteCollectionOptions;
      }
      | {
        /** Returns the resource as bytes. */
        readonly verb: "raw";
        /** The namespace. */
        readonly options: { readonly namespace?: string | undefined };
      }
    )
  | {
    /** Sends a request, see {@linkcode RestCalls.request}. */
    readonly verb: "request";
    /** The request. */
    readonly request: RestRequest;
  }
  | {
    /** Sends a request and parses the answer, see {@linkcode RestCalls.requestJson}. */
    readonly verb: "requestJson";
    /** The request. */
    readonly request: RestRequest;
  }
  | {
    /** Opens a WebSocket, see {@linkcode SocketCalls.connect}. */
    readonly verb: "connect";
    /** The request. */
    readonly request: SocketRequest;
  };

/** The call of one verb. */
export type CallOf<Verb extends ClientCall["verb"]> = Extract<ClientCall, { readonly verb: Verb }>;

/**
 * Wraps the calls of one verb: it may change the call, pass it on by `next`, or answer it itself.
 * `next` rejects a call of another verb.
 */
export type Hook<Verb extends ClientCall["verb"], Result> = (
  call: Extract<ClientCall, { readonly verb: Verb }>,
  next: (call: Extract<ClientCall, { readonly verb: Verb }>) => Result,
) => Result;

/**
 * The hooks of {@linkcode intercept}. `around` receives every call first; the hook of the verb
 * follows.
 */
export interface Interceptor {
  /**
   * Wraps every call. It returns what `next` returns: a promise, an iterable or a raw resource. It
   * may replace the call by another of the same verb.
   */
  readonly around?: <Result>(call: ClientCall, next: (call: ClientCall) => Result) => Result;
  /** Wraps {@linkcode Client.get}. */
  readonly onGet?: Hook<"get", Promise<KubeObject>>;
  /** Wraps {@linkcode Client.list}. */
  readonly onList?: Hook<"list", Promise<KubeList>>;
  /** Wraps {@linkcode Client.pages}. */
  readonly onPages?: Hook<"pages", AsyncIterable<KubeList>>;
  /** Wraps {@linkcode Client.watch}. */
  readonly onWatch?: Hook<"watch", AsyncIterable<WatchEvent<KubeObject>>>;
  /** Wraps {@linkcode Client.create}. */
  readonly onCreate?: Hook<"create", Promise<KubeObject>>;
  /** Wraps {@linkcode Client.update}. */
  readonly onUpdate?: Hook<"update", Promise<KubeObject>>;
  /** Wraps {@linkcode Client.updateStatus}. */
  readonly onUpdateStatus?: Hook<"updateStatus", Promise<KubeObject>>;
  /** Wraps {@linkcode Client.patch}. */
  readonly onPatch?: Hook<"patch", Promise<KubeObject>>;
  /** Wraps {@linkcode Client.patchStatus}. */
  readonly onPatchStatus?: Hook<"patchStatus", Promise<KubeObject>>;
  /** Wraps {@linkcode Client.delete}. */
  readonly onDelete?: Hook<"delete", Promise<void>>;
  /** Wraps {@linkcode Client.deleteCollection}. */
  readonly onDeleteCollection?: Hook<"deleteCollection", Promise<void>>;
  /** Wraps {@linkcode Client.raw}. */
  readonly onRaw?: Hook<"raw", RawResource>;
  /** Wraps {@linkcode RestCalls.request}. */
  readonly onRequest?: Hook<"request", Promise<Response>>;
  /** Wraps {@linkcode RestCalls.requestJson}. */
  readonly onRequestJson?: Hook<"requestJson", Promise<unknown>>;
  /** Wraps {@linkcode SocketCalls.connect}. */
  readonly onConnect?: Hook<"connect", Promise<WebSocketLike>>;
}
