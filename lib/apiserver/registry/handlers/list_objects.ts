// Mirrors `storage/etcd3/store.go, store.GetList`.
import type { Work } from "@xca/apimachinery/internal/base";
import {
  badRequest,
  expired,
  expiredContinue,
  tooLargeVersion,
} from "@xca/apimachinery/internal/errors";
import type { ApiResource } from "../../machinery/resource.ts";
import type { ListOptions } from "../../request/list_options.ts";
import type { StoredObject } from "../../storage/arena.ts";
import type { Collection } from "../../storage/collection.ts";
import type { RevisionLog } from "../../storage/revision_log.ts";
import { candidatesNow, indexLabels } from "./candidates.ts";
import { decodePageToken, encodePageToken } from "./page_token.ts";
import { isCached, listRevision } from "./revisions.ts";
import type { Selection } from "./selection.ts";

/** A page of a list: the objects, and the token of the next page. */
export interface Page {
  readonly items: readonly StoredObject[];
  /** The revision of the listed state; absent for resources that are not stored. */
  readonly revision: number | undefined;
  /** The `continue` token of the list's next page; empty on the last page. */
  readonly continueToken: string;
  readonly remainingItemCount: number | undefined;
}

const TOO_OLD = "The resourceVersion for the provided list is too old.";

/**
 * Returns the page of objects that a list request selects. The page shows the state of the revision
 * in the `continue` token or of a revision that the request demands exactly, otherwise the newest
 * state. A long list lets other requests run in between, and does not show their writes.
 *
 * @throws {StatusError} 400 for an invalid resourceVersion or `continue` token, or for both
 * together; 410 if the revision has been compacted; 504 if it is newer than the storage.
 */
export async function listObjects(
  log: RevisionLog,
  collection: Collection,
  resource: ApiResource,
  selection: Selection,
  options: ListOptions,
  work: Work,
): Promise<Page> {
  await indexLabels(collection, selection, work);
  const { revision, start } = position(log, options, selection);
  // kube-apiserver has no watch cache of events, so that `limit` counts at resourceVersion 0 too.
  const cached = options.resourceVersion === "0" && isCached(resource);
  const limit = cached ? 0 : Math.max(options.limit, 0);
  const candidates = candidatesAt(log, collection, selection, revision);
  const first = start === "" ? 0 : lowerBound(candidates, selection.prefix + start);
  // kube-apiserver returns a `continue` token if any object follows in storage, selected or not,
  // and a label index yields selected objects only.
  const last = limit > 0 && revision === log.revision && selection.key === undefined
    ? collection.lastKey(selection.prefix)
    : candidates.at(-1)?.key;
  const items: StoredObject[] = [];
  let at = first;
  for (; at < candidates.length && (limit === 0 || items.length < limit); at++) {
    if (selection.filters && work.used) await work.next();
    const candidate = candidates[at]!;
    const selected = selection.selects(candidate);
    if (selected instanceof Promise ? await selected : selected) items.push(candidate);
  }
  const rest = candidates.length - at;
  const isFull = limit > 0 && items.length === limit;
  if (rest === 0 && !(isFull && last !== undefined && last > items.at(-1)!.key)) {
    return { items, revision, continueToken: "", remainingItemCount: undefined };
  }
  const next = `${items.at(-1)!.key.slice(selection.prefix.length)}\0`;
  return {
    items,
    revision,
    continueToken: encodePageToken({ revision, start: next }),
    remainingItemCount: selection.isEverything ? rest : undefined,
  };
}

/**
 * Returns the revision at which a list is read, and the key at which the page begins, without the
 * prefix of the selection; empty for the first page.
 *
 * @throws {StatusError} 400 for an invalid resourceVersion or `continue` token, or for both
 * together; 410 if the revision has been compacted; 504 if it is newer than the storage.
 */
function position(
  log: RevisionLog,
  options: ListOptions,
  { key }: Selection,
): { revision: number; start: string } {
  const { continueToken, limit, resourceVersionMatch: match } = options;
  if (continueToken !== "") {
    const { revision, start } = decodePageToken(continueToken);
    if (options.resourceVersion !== "" && options.resourceVersion !== "0") {
      throw badRequest("specifying resource version is not allowed when using continue");
    }
    if (revision < 0) return { revision: log.revision, start };
    if (revision < log.compactedRevision) {
      throw expiredContinue(encodePageToken({ revision: -1, start }));
    }
    if (revision > log.revision) throw tooLargeVersion(revision, log.revision);
    return { revision, start };
  }
  const asked = listRevision(options.resourceVersion);
  if (asked > log.revision) throw tooLargeVersion(options.resourceVersion, log.revision);
  // A list that selects one object by name has no pages in kube-apiserver's storage.
  const paged = limit > 0 && key === undefined;
  const exact = match === "Exact" || (match === "" && paged && asked > 0);
  if (!exact) return { revision: log.revision, start: "" };
  if (asked < log.compactedRevision) throw expired(TOO_OLD);
  return { revision: asked, start: "" };
}

function candidatesAt(
  log: RevisionLog,
  collection: Collection,
  selection: Selection,
  revision: number,
): readonly StoredObject[] {
  if (revision === log.revision) return candidatesNow(collection, selection);
  const { key, prefix } = selection;
  if (key === undefined) return collection.listAt(prefix, revision);
  const object = collection.getAt(key, revision);
  return object ? [object] : [];
}

function lowerBound(objects: readonly StoredObject[], key: string): number {
  let low = 0;
  let high = objects.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (objects[middle]!.key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
