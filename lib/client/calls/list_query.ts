/** The query of a LIST. What is absent is not sent. */
export interface ListQuery {
  /** Select by labels, as `app=web,tier!=db`. */
  readonly labelSelector?: string | undefined;
  /** Select by fields, as `metadata.name=web`. */
  readonly fieldSelector?: string | undefined;
  /** The longest page, in objects. */
  readonly limit?: number | undefined;
  /** Where the page begins: `metadata.continue` of the page before. */
  readonly continue?: string | undefined;
  /** The version to list; `"0"` is whatever the server has cached. */
  readonly resourceVersion?: string | undefined;
  /** How `resourceVersion` is meant. */
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
}

/** The query of a WATCH. What is absent is not sent. */
export interface WatchQuery {
  /** Select by labels. */
  readonly labelSelector?: string | undefined;
  /** Select by fields. */
  readonly fieldSelector?: string | undefined;
  /** The version after which to begin. */
  readonly resourceVersion?: string | undefined;
  /** How `resourceVersion` is meant. */
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
  /** Whether to ask for events that carry nothing but a newer resourceVersion. */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** Whether the watch begins with all objects there are (WatchList). */
  readonly sendInitialEvents?: boolean | undefined;
  /** After how many seconds the server ends the watch. */
  readonly timeoutSeconds?: number | undefined;
}
