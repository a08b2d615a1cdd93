/** What every call takes. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * How long the whole call may take, retries included, in milliseconds; 0 is without end.
   * @default {ClientConfig.requestTimeoutMs}
   */
  readonly timeoutMs?: number | undefined;
}

/** Options of {@linkcode Client.get}. */
export interface GetOptions extends CallOptions {
  /** At least this version; `"0"` is whatever the server has cached. @default the newest */
  readonly resourceVersion?: string | undefined;
}

/** Which objects are meant. */
export interface SelectOptions extends CallOptions {
  /** The namespace; absent means all of them. */
  readonly namespace?: string | undefined;
  /** Select by labels, as `app=web,tier!=db`. */
  readonly labelSelector?: string | undefined;
  /** Select by fields, as `metadata.name=web`. */
  readonly fieldSelector?: string | undefined;
}

/** Options of {@linkcode Client.list} and {@linkcode Client.pages}. */
export interface ListOptions extends SelectOptions {
  /** The longest page, in objects. @default {500} */
  readonly limit?: number | undefined;
  /** The version to list; `"0"` is whatever the server has cached. @default the newest */
  readonly resourceVersion?: string | undefined;
  /** How `resourceVersion` is meant. */
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
}

/** Options of {@linkcode Client.watch}. */
export interface WatchOptions extends SelectOptions {
  /** The version after which to begin. @default what there is comes first, as added */
  readonly resourceVersion?: string | undefined;
  /** How `resourceVersion` is meant. */
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
  /** Whether to ask for events that carry nothing but a newer version. @default {false} */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** Whether the watch begins with all objects there are, ended by a bookmark. */
  readonly sendInitialEvents?: boolean | undefined;
  /** After how many seconds the server ends the watch. @default the server's own choice */
  readonly timeoutSeconds?: number | undefined;
  /** After how many milliseconds without a byte the watch is given up. @default none */
  readonly idleTimeoutMs?: number | undefined;
}

/** What every write takes. */
export interface WriteOptions extends CallOptions {
  /** Whether the server only says what it would do. @default {false} */
  readonly dryRun?: boolean | undefined;
  /** On whose behalf fields are set. @default what the server makes of the User-Agent */
  readonly fieldManager?: string | undefined;
  /** How unknown and duplicate fields are taken. @default {"Warn"}, which is the server's */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore" | undefined;
}

/** Options of {@linkcode Client.create}. */
export interface CreateOptions extends WriteOptions {
  /** The namespace, when the object names none. @default {ClientConfig.namespace} */
  readonly namespace?: string | undefined;
}

/** Options of {@linkcode Client.apply} and {@linkcode Client.applyStatus}. */
export interface ApplyOptions extends CreateOptions {
  /**
   * Whether the apply takes over fields of other managers, in place of a conflict. @default
   * {false}
   */
  readonly force?: boolean | undefined;
}

/** Options of {@linkcode Client.delete}. */
export interface DeleteOptions extends CallOptions {
  /** Whether the server only says what it would do. @default {false} */
  readonly dryRun?: boolean | undefined;
  /** What happens to what the object owns. @default the resource's own */
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground" | undefined;
  /** How long the object may take to end, in seconds; 0 at once. @default the object's own */
  readonly gracePeriodSeconds?: number | undefined;
  /** The object is deleted only while it is this one, at this version; else a conflict. */
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
}

/** Options of {@linkcode Client.deleteCollection}. The namespace is required for namespaced resources. */
export interface DeleteCollectionOptions
  extends Omit<DeleteOptions, "preconditions">, SelectOptions {}
