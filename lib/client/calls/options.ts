/** The options of every call. */
export interface CallOptions {
  /** Aborts the call; it then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The deadline of the whole call, retries included, in milliseconds; 0 is none.
   * @default {ClientConfig.requestTimeoutMs}
   */
  readonly timeoutMs?: number | undefined;
}

/** Options of {@linkcode Client.get}. */
export interface GetOptions extends CallOptions {
  /**
   * The oldest acceptable version; `"0"` accepts any version that the server has cached. @default
   * the newest
   */
  readonly resourceVersion?: string | undefined;
}

/** The selection of objects. */
export interface SelectOptions extends CallOptions {
  /** The namespace. @default all namespaces */
  readonly namespace?: string | undefined;
  /** Selects by labels: `app=web,tier!=db`. */
  readonly labelSelector?: string | undefined;
  /** Selects by fields: `metadata.name=web`. */
  readonly fieldSelector?: string | undefined;
}

/** Options of {@linkcode Client.list} and {@linkcode Client.pages}. */
export interface ListOptions extends SelectOptions {
  /** The largest number of objects of a page. @default {500} */
  readonly limit?: number | undefined;
  /**
   * The version to list; `"0"` accepts any version that the server has cached. @default the newest
   */
  readonly resourceVersion?: string | undefined;
  /** The meaning of `resourceVersion`. */
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
}

/** Options of {@linkcode Client.watch}. */
export interface WatchOptions extends SelectOptions {
  /**
   * The version after which the watch begins. @default the watch begins with the existing objects,
   * as added
   */
  readonly resourceVersion?: string | undefined;
  /** The meaning of `resourceVersion`. */
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
  /** Requests events that carry only a newer version. @default {false} */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** Begins the watch with all objects that exist, followed by a bookmark. */
  readonly sendInitialEvents?: boolean | undefined;
  /** The time after which the server ends the watch, in seconds. @default chosen by the server */
  readonly timeoutSeconds?: number | undefined;
  /** The longest wait for a byte, in milliseconds. @default no limit */
  readonly idleTimeoutMs?: number | undefined;
}

/** The option of calls that may be refused at the moment at which they are sent. */
export interface AdmitOptions {
  /**
   * Called before each try of the call, in the synchronous step that writes the request to its
   * connection. A throw refuses the call, which is not tried again: a leader that may have been
   * deposed starts no write. A WebSocket is checked before its connection is opened.
   *
   * @default {every call is admitted}
   */
  readonly admit?: (() => void) | undefined;
}

/** The options of every write. */
export interface WriteOptions extends CallOptions, AdmitOptions {
  /** Makes the server answer as if it wrote, without writing. @default {false} */
  readonly dryRun?: boolean | undefined;
  /**
   * The field manager that the fields belong to. @default derived from the User-Agent by the server
   */
  readonly fieldManager?: string | undefined;
  /** The reaction to unknown and duplicate fields. @default {"Warn"}, the default of the server */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore" | undefined;
}

/** Options of {@linkcode Client.create}. */
export interface CreateOptions extends WriteOptions {
  /** The namespace of an object that names none. @default {ClientConfig.namespace} */
  readonly namespace?: string | undefined;
}

/** Options of {@linkcode Client.apply} and {@linkcode Client.applyStatus}. */
export interface ApplyOptions extends CreateOptions {
  /** Takes over fields of other managers, instead of failing with a conflict. @default {false} */
  readonly force?: boolean | undefined;
}

/** Options of {@linkcode Client.delete}. */
export interface DeleteOptions extends CallOptions, AdmitOptions {
  /** Makes the server answer as if it deleted, without deleting. @default {false} */
  readonly dryRun?: boolean | undefined;
  /** The fate of the objects that the object owns. @default that of the resource */
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground" | undefined;
  /** The grace period of the object, in seconds; 0 deletes at once. @default that of the object */
  readonly gracePeriodSeconds?: number | undefined;
  /**
   * Deletes the object only if it has this UID and version; otherwise the call fails with a
   * conflict.
   */
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
}

/** Options of {@linkcode Client.deleteCollection}. Namespaced resources need the namespace. */
export interface DeleteCollectionOptions
  extends Omit<DeleteOptions, "preconditions">, SelectOptions {}
