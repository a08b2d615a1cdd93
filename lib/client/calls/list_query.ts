/** The query parameters of a LIST request. Absent fields are not sent. */
export interface ListQuery {
  /** The label selector of the objects to list: `app=web,tier!=db`. Absent: all objects. */
  readonly labelSelector?: string | undefined;
  /** The field selector of the objects to list: `metadata.name=web`. Absent: all objects. */
  readonly fieldSelector?: string | undefined;
  /** The largest number of objects per page of the list. Absent: one page with all objects. */
  readonly limit?: number | undefined;
  /**
   * The continue token of the page to list: `metadata.continue` of the page before. Absent: the
   * first page.
   */
  readonly continue?: string | undefined;
  /**
   * The resourceVersion to list, as {@linkcode ListQuery.resourceVersionMatch} says; `"0"` accepts
   * any version that the server has cached. Absent: the newest.
   */
  readonly resourceVersion?: string | undefined;
  /**
   * The meaning of `resourceVersion` in a LIST request: exactly that version, or any not older; see
   * the Kubernetes API concepts. Requires `resourceVersion`. Absent: exactly that version in a
   * request with `limit`, otherwise any not older; for `"0"` any.
   */
  readonly resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
}

/** The query parameters of a WATCH request. Absent fields are not sent. */
export interface WatchQuery {
  /** The label selector of the objects to watch. Absent: all objects. */
  readonly labelSelector?: string | undefined;
  /** The field selector of the objects to watch. Absent: all objects. */
  readonly fieldSelector?: string | undefined;
  /**
   * The resourceVersion after which the watch begins. Absent: the watch begins with the existing
   * objects.
   */
  readonly resourceVersion?: string | undefined;
  /**
   * The meaning of `resourceVersion` in a WATCH request that has `sendInitialEvents`, which requires
   * `NotOlderThan`. The server refuses other values, and the parameter in other WATCH requests.
   */
  readonly resourceVersionMatch?: "NotOlderThan" | undefined;
  /**
   * Sets whether the watch requests bookmarks: events that carry only a newer resourceVersion.
   * Absent: the watch requests none.
   */
  readonly allowWatchBookmarks?: boolean | undefined;
  /**
   * Sets whether the watch begins with all objects that exist (WatchList), also with a
   * `resourceVersion`. With `allowWatchBookmarks`, a bookmark follows the last of them. The server
   * requires `resourceVersionMatch: "NotOlderThan"` with it. Absent: `resourceVersion` decides.
   */
  readonly sendInitialEvents?: boolean | undefined;
  /** The time after which the server ends the watch, in seconds. Absent: chosen by the server. */
  readonly timeoutSeconds?: number | undefined;
}
