import type { KubeList, KubeObject } from "@xca/apimachinery/meta";
import { isGone } from "../errors/api_error.ts";
import type { ListQuery } from "../calls/list_query.ts";

/** Reads one page. */
export type ReadPage<T extends KubeObject> = (query: ListQuery) => Promise<KubeList<T>>;

/** Objects per page, when the caller does not say; client-go's number. */
export const PAGE_SIZE = 500;

/**
 * Yields page after page. An empty `continue` ends it as an absent one does.
 *
 * @throws {ApiError} {@linkcode isGone} when the version expired on the way.
 */
export async function* readPages<T extends KubeObject>(
  query: ListQuery,
  read: ReadPage<T>,
): AsyncIterableIterator<KubeList<T>> {
  const { resourceVersion, resourceVersionMatch, limit = PAGE_SIZE, ...selectors } = query;
  let page = await read({ ...selectors, resourceVersion, resourceVersionMatch, limit });
  yield page;
  while (page.metadata.continue) {
    // The token has the version in it; the server refuses one beside it.
    page = await read({ ...selectors, limit, continue: page.metadata.continue });
    yield page;
  }
}

/**
 * All pages as one list. When the version expires on the way, what was read is dropped and the list
 * read again, whole and in one answer, so that it cannot expire again: versions are never mixed.
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
