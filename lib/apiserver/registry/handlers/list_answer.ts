// Mirrors `endpoints/handlers/get.go, ListResource`.
import { runAll } from "@xca/apimachinery/internal/base";
import { defaultStorageClass } from "../../output/columns/storage.ts";
import type { ApiObject, JsonObject } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../../machinery/resource.ts";
import { joinPieces, streamPieces } from "../../machinery/byte_pieces.ts";
import { encodeAnswer, encodeBytes } from "../../request/encode.ts";
import type { Negotiated } from "../../request/media_types.ts";
import { type ListWriter, protobufList } from "../../decode/protobuf/encode_protobuf.ts";
import { listText } from "../../request/encode_list.ts";
import { listOptions } from "../../request/list_options.ts";
import type { Call } from "./call.ts";
import { apiVersionOf } from "../../machinery/keys.ts";
import { awaitVersion } from "./await_version.ts";
import { listObjects, type Page } from "./list_objects.ts";
import { tableOrder } from "./table_order.ts";
import { goType, notThatForm, partialObject, tableOf } from "./present.ts";
import { isCached, listRevision } from "./revisions.ts";
import { Selection } from "./selection.ts";
import { isShownAsStored, isStoredForm, shownFromStorage } from "../objects/versions.ts";

const encoder = new TextEncoder();
/**
 * The size in bytes of a list's items above which the response is streamed instead of sent as one
 * piece.
 */
const STREAM_BYTES = 16 * 1024 * 1024;

/**
 * Returns the response to a list request.
 *
 * @throws {StatusError} 400 or 422 for invalid parameters; 406 for a form that lists do not have;
 * 410 if the requested revision has been compacted; 500 if an object cannot be converted; 504 if
 * the storage does not reach the revision in time.
 */
export async function listAnswer(call: Call): Promise<Response> {
  const { registry, resource, info } = call;
  const options = listOptions(info.query);
  const selection = Selection.of(resource, info.namespace, options);
  if (isCached(resource) && options.continueToken === "") {
    const asked = listRevision(options.resourceVersion);
    if (asked > registry.log.revision) {
      await awaitVersion(registry.log, asked, registry.clock, call.signalOf());
    }
  }
  const page = await listObjects(
    registry.log,
    registry.collectionOf(resource),
    resource,
    selection,
    options,
    call.work,
  );
  return await presentPage(call, page);
}

/**
 * Returns the response with one page of a list in the negotiated form.
 *
 * @throws {StatusError} 400 for an invalid `includeObject` parameter; 406 for a form that lists do
 * not have; 500 if an object cannot be converted.
 */
export async function presentPage(call: Call, page: Page): Promise<Response> {
  const { resource, negotiated, request } = call;
  const accept = request.headers.get("accept-encoding");
  const { as, type, pretty } = negotiated;
  const work = call.work;
  const asStored = isStoredForm(resource) && await work.run(areShownAsStored(resource, page));
  if (!as && type === "json" && !pretty && asStored) {
    const pieces = listPieces(resource, page);
    const { items } = page;
    const length = items.reduce((sum, item) => sum + item.length, 0);
    const body = length > STREAM_BYTES ? streamPieces(pieces, work) : joinPieces([...pieces]);
    return encodeBytes(body, negotiated, accept);
  }
  const form = formOf(call, page);
  if (as?.kind === "Table") page = { ...page, items: tableOrder(resource, page.items) };
  if (page.items.length === 0) return encodeAnswer(200, form.around, negotiated, accept);
  const pieces = await piecesOf(call, page, form);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return encodeBytes(
    length > STREAM_BYTES ? streamPieces(pieces, work) : joinPieces(pieces),
    negotiated,
    accept,
  );
}

function* areShownAsStored(resource: ApiResource, { items }: Page): Generator<void, boolean> {
  if (!resource.strategy.onRead) return true;
  for (const item of items) {
    if (!isShownAsStored(resource, item)) return false;
    yield;
  }
  return true;
}

/**
 * The parts of a list response that is made item by item, such as a Table, a list of metadata, or a
 * list in YAML or protobuf.
 */
interface ListForm {
  /** The list object of a list response without its items. */
  readonly around: JsonObject;
  /** The name of the field with the items in a list response. */
  readonly field: "items" | "rows";
  /** Returns an item of the response for an object; a promise if this takes long. */
  readonly item: (object: ApiObject) => unknown;
}

/**
 * Returns the form of the list response, such as a Table, that the client negotiated.
 *
 * @throws {StatusError} 400 for an invalid `includeObject` parameter; 406 for a form that lists do
 * not have.
 */
function formOf(call: Call, page: Page): ListForm {
  const { resource, negotiated: { as } } = call;
  if (!as) {
    return {
      around: {
        kind: resource.listKind,
        apiVersion: apiVersionOf(resource),
        metadata: pageMetadata(page, resource),
        items: [],
      },
      field: "items",
      item: (object) => resource.customResourceDefinition ? object : withoutKind(object),
    };
  }
  if (as.kind === "PartialObjectMetadata") {
    throw notThatForm(
      "you requested PartialObjectMetadata, but the requested object is a list " +
        `(*${goType(resource, resource.listKind)})`,
    );
  }
  const metadata = pageMetadata(page);
  if (as.kind === "Table") {
    const defaultName = defaultNameOf(resource, page);
    const item = (object: ApiObject): unknown => {
      const table = call.work.run(tableOf(call, [object], metadata, false, defaultName));
      return table instanceof Promise ? table.then(firstRow) : firstRow(table);
    };
    return { around: runAll(tableOf(call, [], metadata)), field: "rows", item };
  }
  const { apiVersion } = as;
  return {
    // An empty list of metadata has `items: null` in kube-apiserver.
    around: { kind: "PartialObjectMetadataList", apiVersion, metadata, items: null },
    field: "items",
    item: (object) => partialObject(object, apiVersion),
  };
}

/**
 * Returns the name of the StorageClass in a page that a table marks as the default; `undefined` if
 * the page has no default StorageClass, or lists another kind.
 */
function defaultNameOf(resource: ApiResource, { items }: Page): string | undefined {
  if (resource.group !== "storage.k8s.io" || resource.kind !== "StorageClass") return undefined;
  return defaultStorageClass(shownFromStorage(resource, items) as readonly ApiObject[]);
}

function withoutKind({ kind: _1, apiVersion: _2, ...item }: ApiObject): unknown {
  return item;
}

function firstRow(table: JsonObject): unknown {
  return (table.rows as readonly unknown[])[0];
}

/**
 * Encodes a list response item by item, and returns the pieces of the body in order. A long list
 * yields to other requests between items.
 */
async function piecesOf(call: Call, page: Page, form: ListForm): Promise<Uint8Array[]> {
  const { resource, negotiated } = call;
  const list = negotiated.type === "protobuf"
    ? protobufList(form.around)
    : textList(form, negotiated);
  const pieces: Uint8Array[] = [];
  const work = call.work;
  // A conversion webhook is called once for all items.
  const mayAsk = resource.customResourceDefinition !== undefined && !isStoredForm(resource);
  const all = mayAsk ? await shownFromStorage(resource, page.items) : undefined;
  for (const [index, stored] of page.items.entries()) {
    if (work.used) await work.next();
    const [object] = all
      ? [all[index]]
      : shownFromStorage(resource, [stored]) as readonly ApiObject[];
    const item = form.item(object!);
    pieces.push(list.item(item instanceof Promise ? await item : item));
  }
  return list.whole(pieces);
}

/** Returns a writer that encodes a list response item by item. */
function textList(form: ListForm, negotiated: Negotiated): ListWriter {
  const { before, between, after, item } = listText(form.around, form.field, negotiated);
  let first = true;
  return {
    item: (value) => {
      const text = (first ? "" : between) + item(value);
      first = false;
      return encoder.encode(text);
    },
    whole: (items) => [encoder.encode(before), ...items, encoder.encode(after)],
  };
}

/**
 * Returns the metadata of a list's page. With the `resource` of custom objects, the metadata always
 * has `continue`, which is empty on the last page.
 */
function pageMetadata(
  { revision, continueToken, remainingItemCount }: Page,
  resource?: ApiResource,
): JsonObject {
  const custom = resource?.customResourceDefinition !== undefined;
  return {
    ...(revision !== undefined && { resourceVersion: String(revision) }),
    ...(continueToken || custom ? { continue: continueToken ?? "" } : {}),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  };
}

/**
 * Yields the bytes of a list response in JSON from the stored texts, without parsing them; only for
 * items that reads show as they are stored.
 */
function* listPieces(resource: ApiResource, page: Page): Iterable<Uint8Array> {
  const { kind, listKind } = resource;
  const apiVersion = apiVersionOf(resource);
  yield encoder.encode(
    `{"kind":${JSON.stringify(listKind)},"apiVersion":${JSON.stringify(apiVersion)},` +
      `"metadata":${JSON.stringify(pageMetadata(page, resource))},"items":[`,
  );
  // Items of built-in kinds have no `kind` and `apiVersion` in a list; stored texts begin with
  // these.
  const skip = resource.customResourceDefinition
    ? 0
    : `"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`.length;
  let begin = FIRST;
  for (const item of page.items) {
    yield begin;
    yield item.bytes().subarray(1 + skip);
    begin = NEXT;
  }
  yield END;
}

const FIRST = encoder.encode("{");
const NEXT = encoder.encode(",{");
const END = encoder.encode("]}\n");
