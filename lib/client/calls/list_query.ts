/** The query of a LIST. Absent fields are not sent. */
export interface ListQuery {
  /** Selects by labels: `app=web,tier!=db`. */
  readonly labelSelector?: string | undefined;
  /** Selects by fields: `metadata.name=web`. */
  readonly fieldSelector?: string | undefined;
  /** The largest number of objects of a page. */
  readonly limit?: number | undefined;
  /** The start of the page: `metadata.continue` of the page before. */
  readonly continue?: string | undefined;
  /** The version to list; `"0"` accepts any version that the server has cached. */
  readonly resourceVersion?: string | undefined;
  /** The meaning of `resourceVersion`; see the Kubernetes API concepts. */
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
}

/** The query of a WATCH. Absent fields are not sent. */
export interface WatchQuery {
  /** Selects by labels. */
  readonly labelSelector?: string | undefined;
  /** Selects by fields. */
  readonly fieldSelector?: string | undefined;
  /** The version after which the watch begins. */
  readonly resourceVersion?: string | undefined;
  /** The meaning of `resourceVersion`; see the Kubernetes API concepts. */
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
  /** Requests events that carry only a newer resourceVersion. */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** Begins the watch with all objects that exist (WatchList). */
  readonly sendInitialEvents?: boolean | undefined;
  /** The time after which the server ends the watch, in seconds. */
  readonly timeoutSeconds?: number | undefined;
}
