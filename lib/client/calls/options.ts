/** Options of every call of a client. */
export interface CallOptions {
  /** The signal that aborts the call. The call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The deadline of the whole call, retries included, in milliseconds; 0 is no deadline. Of a list,
   * each page has this deadline; {@linkcode Client.watch} ignores the option.
   * @default {ClientConfig.requestTimeoutMs}
   */
  readonly timeoutMs?: number | undefined;
  /**
   * The name of the part of the program that makes the call, such as a controller. The name is not
   * sent to the server; an interceptor of the client may read it.
   *
   * @default none
   */
  readonly caller?: string | undefined;
}

/** Options of {@linkcode Client.get}, which reads an object. */
export interface GetOptions extends CallOptions {
  /**
   * The oldest acceptable resourceVersion of the object; `"0"` accepts any version that the server
   * has cached.
   *
   * @default the newest
   */
  readonly resourceVersion?: string | undefined;
}

/** Options that select objects for a list or a watch: namespace, labels, fields. */
export interface SelectOptions extends CallOptions {
  /** The namespace of the selected objects. @default all namespaces */
  readonly namespace?: string | undefined;
  /** The label selector of the objects: `app=web,tier!=db`. @default all objects */
  readonly labelSelector?: string | undefined;
  /** The field selector of the objects: `metadata.name=web`. @default all objects */
  readonly fieldSelector?: string | undefined;
}

/** Options of {@linkcode Client.list} and {@linkcode Client.pages}. */
export interface ListOptions extends SelectOptions {
  /**
   * The largest number of objects per page of the list; 0 for one page with all objects.
   *
   * @default {500}
   */
  readonly limit?: number | undefined;
  /**
   * The resourceVersion to list, as {@linkcode ListOptions.resourceVersionMatch} says; `"0"`
   * accepts any version that the server has cached.
   *
   * @default the newest
   */
  readonly resourceVersion?: string | undefined;
  /**
   * The meaning of `resourceVersion` in a list: exactly that version, or any not older. Requires
   * `resourceVersion`.
   *
   * @default exactly that version in pages, any not older with `limit: 0`; for `"0"` any
   */
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
}

/** Options of {@linkcode Client.watch}, which watches the changes of objects. */
export interface WatchOptions extends SelectOptions {
  /**
   * The resourceVersion after which the watch begins.
   *
   * @default the watch begins with the existing objects, as `ADDED` events
   */
  readonly resourceVersion?: string | undefined;
  /**
   * The meaning of `resourceVersion` in a watch that has `sendInitialEvents`, which requires
   * `NotOlderThan`. The server refuses other values, and the option in other watches.
   */
  readonly resourceVersionMatch?: "NotOlderThan" | undefined;
  /**
   * Sets whether the watch requests bookmarks: events that carry only a newer resourceVersion.
   *
   * @default {false}
   */
  readonly allowWatchBookmarks?: boolean | undefined;
  /**
   * Sets whether the watch begins with all objects that exist (WatchList), also with a
   * `resourceVersion`. With `allowWatchBookmarks`, a bookmark follows the last of them. The server
   * requires `resourceVersionMatch: "NotOlderThan"` with it.
   *
   * @default {undefined}, which leaves this to `resourceVersion`
   */
  readonly sendInitialEvents?: boolean | undefined;
  /** The time after which the server ends the watch, in seconds. @default chosen by the server */
  readonly timeoutSeconds?: number | undefined;
  /**
   * The longest wait for a byte of the watch, in milliseconds, after which the watch fails with an
   * IdleTimeoutError; 0 is no limit.
   *
   * @default no limit
   */
  readonly idleTimeoutMs?: number | undefined;
}

/** Options of client calls that a callback may refuse at the moment at which they are sent. */
export interface AdmitOptions {
  /**
   * A callback that may refuse the call with which it is passed: the client calls it before each
   * attempt, in the synchronous step that writes the request to its connection, and again in the
   * step in which TLS hands a part of the request to the network. If the callback throws, the call
   * fails with its error and is not retried, so that a leader that may have been deposed starts no
   * write. For a WebSocket, the client calls the callback before it opens the connection, and
   * before it writes the request for the WebSocket.
   *
   * A client with a `fetch` of its own calls the callback before `fetch`, and not when the request
   * leaves.
   *
   * @default {every call is admitted}
   */
  readonly admit?: (() => void) | undefined;
}

/** Options of every write of a client, except deletions. */
export interface WriteOptions extends CallOptions, AdmitOptions {
  /** Sets whether the server answers as if it wrote, without writing (dry run). @default {false} */
  readonly dryRun?: boolean | undefined;
  /**
   * The field manager that the server records as the owner of the written fields
   * (`metadata.managedFields`).
   *
   * @default derived from the User-Agent, by the client for an apply, otherwise by the server
   */
  readonly fieldManager?: string | undefined;
  /**
   * The server's reaction to unknown and duplicate fields in the written object: ignore, warn or
   * refuse.
   *
   * @default {"Warn"}, the default of the server
   */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore" | undefined;
}

/** Options of {@linkcode Client.create}, which creates an object. */
export interface CreateOptions extends WriteOptions {
  /**
   * The namespace in which the client creates or applies an object that names no namespace. An
   * object that names another namespace is refused with a TypeError; a cluster-scoped object
   * ignores the option.
   *
   * @default {ClientConfig.namespace}
   */
  readonly namespace?: string | undefined;
}

/** Options of {@linkcode Client.apply} and {@linkcode Client.applyStatus}. */
export interface ApplyOptions extends CreateOptions {
  /**
   * Sets whether the server takes over fields that other field managers own, instead of refusing
   * the apply with a conflict.
   *
   * @default {false}
   */
  readonly force?: boolean | undefined;
}

/** Options of {@linkcode Client.delete}, which deletes an object. */
export interface DeleteOptions extends CallOptions, AdmitOptions {
  /**
   * Sets whether the server answers as if it deleted, without deleting (dry run).
   *
   * @default {false}
   */
  readonly dryRun?: boolean | undefined;
  /**
   * The treatment of the objects that the deleted object owns: kept without an owner (`Orphan`), or
   * deleted after it (`Background`) or before it (`Foreground`).
   *
   * @default that of the resource
   */
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground" | undefined;
  /**
   * The grace period of the deleted object, in seconds; 0 deletes at once.
   *
   * @default that of the object
   */
  readonly gracePeriodSeconds?: number | undefined;
  /**
   * Preconditions of the deletion: the object is deleted only if it has the given UID and
   * resourceVersion; otherwise the server refuses the call with a conflict. One of the two may be
   * absent. A caller that decides on the deletion from an object in a cache needs both: with the
   * UID alone, the server also deletes an object that another owner has taken over since.
   */
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
}

/** Options of {@linkcode Client.deleteCollection}. A namespaced resource requires `namespace`. */
export interface DeleteCollectionOptions
  extends Omit<DeleteOptions, "preconditions">, SelectOptions {}
