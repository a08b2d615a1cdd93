import { isGone } from "../../client/errors/api_error.ts";
import { PageTokens } from "../../client/calls/page_tokens.ts";
import type { ListQuery } from "../../client/calls/list_query.ts";
import type { RawObject } from "../../client/decode/raw_event.ts";
import type { ListerWatcher } from "./list_watch.ts";

/** Default number of objects per page of a list, as in client-go. */
export const DEFAULT_PAGE_SIZE = 500;

/** Options of {@linkcode listPages}, which lists a collection page by page. */
export interface ListPagesOptions {
  /**
   * The resourceVersion that the list requests: `"0"` for any version, `""` for the newest, any
   * other value for a version that is not older.
   */
  readonly resourceVersion: string;
  /** Number of objects per page of the list; 0 for one page of everything. */
  readonly pageSize: number;
  /**
   * Receives the items of the list in batches, in the order of the server; a page may arrive in
   * several batches. The bytes are valid only during the call.
   */
  readonly onItems: (batch: readonly RawObject[]) => void;
  /**
   * Called, at most once, when `listPages` begins again because the version of the list expired
   * between two pages: the caller must drop all items received so far.
   */
  readonly onRestart: () => void;
  /** The signal that cancels the list requests. */
  readonly signal: AbortSignal;
}

/** The metadata of a complete list: the result of {@linkcode listPages}. */
export interface ListedPages {
  /**
   * The resourceVersion of the list, as the server reports it with the first page, or with the
   * single page after a restart; empty if the server reports none.
   */
  readonly resourceVersion: string;
  /**
   * A flag that is true if the server divided the list into pages, even if all objects were then
   * listed again in one page.
   */
  readonly paged: boolean;
}

/**
 * Returns the number of objects to request per page of a list: a configured `pageSize` unchanged;
 * otherwise 500 if the list requests version `""` or `"0"` or `pagedLists` is true, and 0, for one
 * page of everything, at any other version.
 *
 * A list at a version seen before is requested without pages, because servers answer pages from
 * their storage and whole lists from their cache. If the first list (at version `"0"`, which
 * servers with a watch cache never page) came in pages, there is no such cache, and later lists are
 * paged too.
 */
export function pageSizeFor(
  resourceVersion: string,
  { pageSize, pagedLists }: {
    readonly pageSize?: number | undefined;
    readonly pagedLists: boolean;
  },
): number {
  if (pageSize !== undefined) return pageSize;
  if (pagedLists || resourceVersion === "" || resourceVersion === "0") return DEFAULT_PAGE_SIZE;
  return 0;
}

/**
 * Lists all pages of a collection at one resourceVersion, passes the items to `onItems`, and
 * resolves to the list's metadata. If a page after the first is refused with 410 (the version
 * expired), calls `onRestart` and lists everything again in one page, so that two versions are
 * never mixed.
 *
 * @throws {unknown} The error of a list request, or the reason of `signal`.
 * @throws {DecodeError} If the server names the same next page twice.
 */
export async function listPages(
  listerWatcher: ListerWatcher,
  options: ListPagesOptions,
): Promise<ListedPages> {
  const { resourceVersion, pageSize, onItems, onRestart, signal } = options;
  const whole: ListQuery = { resourceVersion };
  let query: ListQuery = pageSize > 0 ? firstPage(resourceVersion, pageSize) : whole;
  const tokens = new PageTokens("the collection");
  let listed: string | undefined;
  for (;;) {
    let metadata;
    try {
      ({ metadata } = await listerWatcher.list(query, onItems, { signal }));
    } catch (error) {
      if (!query.continue || !isGone(error)) throw error;
      onRestart();
      ({ metadata } = await listerWatcher.list(whole, onItems, { signal }));
      return { resourceVersion: metadata.resourceVersion ?? "", paged: true };
    }
    signal.throwIfAborted();
    listed ??= metadata.resourceVersion ?? "";
    if (!metadata.continue) return { resourceVersion: listed, paged: query.continue !== undefined };
    tokens.note(metadata.continue);
    query = { limit: pageSize, continue: metadata.continue };
  }
}

/**
 * Returns the query parameters of a list's first page, with `resourceVersionMatch: "NotOlderThan"`
 * unless the requested version is `""` or `"0"`. Without that parameter, a list with a limit is of
 * exactly the requested version, so a list after an expired watch would request the expired version
 * again.
 */
function firstPage(resourceVersion: string, limit: number): ListQuery {
  if (resourceVersion === "" || resourceVersion === "0") return { resourceVersion, limit };
  return { resourceVersion, resourceVersionMatch: "NotOlderThan", limit };
}
