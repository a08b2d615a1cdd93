import type { KubeList, KubeObject } from "@xca/apimachinery/meta";
import { isGone } from "../errors/api_error.ts";
import type { ListQuery } from "../calls/list_query.ts";

/** A function that reads one page of a list. */
export type ReadPage<T extends KubeObject> = (query: ListQuery) => Promise<KubeList<T>>;

/** The default number of objects per page of a list, as in client-go. */
export const PAGE_SIZE = 500;

/**
 * Yields the pages of a list, of {@linkcode PAGE_SIZE} objects unless the query has a `limit`,
 * until `continue` is empty or absent.
 *
 * @throws {ApiError} {@linkcode isGone} when the resourceVersion of the list expires before the
 * last page.
 */
export async function* readPages<T extends KubeObject>(
  query: ListQuery,
  read: ReadPage<T>,
): AsyncIterableIterator<KubeList<T>> {
  const { resourceVersion, resourceVersionMatch, limit = PAGE_SIZE, ...selectors } = query;
  let page = await read({ ...selectors, resourceVersion, resourceVersionMatch, limit });
  yield page;
  while (page.metadata.continue) {
    // The token contains the version; the server refuses a separate one.
    page = await read({ ...selectors, limit, continue: page.metadata.continue });
    yield page;
  }
}

/**
 * Returns all pages of a collection as one list. When the version expires before the last page,
 * drops the pages and reads the list again in one response, which cannot expire: versions are never
 * mixed. Rejects when the version has expired before the first page.
 */
export async function readAllPages<T extends KubeObject>(
  query: ListQuery,
  read: ReadPage<T>,
): Promise<KubeList<T>> {
  const items: T[] = [];
  let last: KubeList<T> | undefined;
  try {
    for await (const page of readPages(query, read)) {
      for (const item of page.items) items.push(item);
      last = page;
    }
  } catch (error) {
    if (last === undefined || !isGone(error)) throw error;
    return await read({ ...query, limit: undefined });
  }
  return { ...last!, metadata: { ...last!.metadata }, items };
}
