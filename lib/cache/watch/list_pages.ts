import { isGone } from "../../client/errors/api_error.ts";
import { DecodeError } from "../../client/errors/decode_error.ts";
import type { ListQuery, RawObject } from "../../client/raw/raw.ts";
import type { ListerWatcher } from "./list_watch.ts";

/** How large a page is unless said otherwise, in objects; as in client-go. */
export const DEFAULT_PAGE_SIZE = 500;

/** What {@linkcode listPages} needs. */
export interface ListPagesOptions {
  /** The version asked for: `"0"` any, `""` the newest, else none older than it. */
  readonly resourceVersion: string;
  /** Objects per page; 0 for one page of everything. */
  readonly pageSize: number;
  /** Takes the items. */
  readonly onItems: (batch: readonly RawObject[]) => void;
  /** Told to forget all items so far: the list begins again. */
  readonly onRestart: () => void;
  /** Ends the list. */
  readonly signal: AbortSignal;
}

/** What is left of a list once its items were handed over. */
export interface ListedPages {
  /** The version that the items show. */
  readonly resourceVersion: string;
  /** Whether they came in more than one page. */
  readonly paged: boolean;
}

/**
 * How many objects to ask for per page.
 *
 * A version that was seen before is asked for without paging: servers answer a page from their
 * storage, but the whole from their cache. Unless the first list (of version `"0"`, which servers
 * with a cache never page) came in pages: then there is no cache to spare.
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
 * Lists all pages, as of one version. When that version expires on the way, lists all again in one
 * page: two versions are never mixed.
 *
 * @throws {unknown} What the list rejects with.
 * @throws {DecodeError} When the server names the same page over and over.
 */
export async function listPages(
  listerWatcher: ListerWatcher,
  options: ListPagesOptions,
): Promise<ListedPages> {
  const { resourceVersion, pageSize, onItems, onRestart, signal } = options;
  const whole: ListQuery = { resourceVersion };
  let query: ListQuery = pageSize > 0 ? firstPage(resourceVersion, pageSize) : whole;
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
    if (metadata.continue === query.continue) {
      throw new DecodeError("Cannot list all pages: the server names the same next page twice");
    }
    query = { limit: pageSize, continue: metadata.continue };
  }
}

/**
 * Says what a version means, where the default means another thing: a page of a version is a page of
 * exactly that version, a list of it one that is not older. A watch that expired would be followed by
 * a list of the version that it expired at, and that by the same watch.
 */
function firstPage(resourceVersion: string, limit: number): ListQuery {
  if (resourceVersion === "" || resourceVersion === "0") return { resourceVersion, limit };
  return { resourceVersion, resourceVersionMatch: "NotOlderThan", limit };
}
