import type { JsonObject } from "../machinery/api_object.ts";
import type { ApiResource } from "../machinery/resource.ts";
import { encodeAnswer } from "../request/encode.ts";
import { listOptions } from "../request/list_options.ts";
import type { StoredObject } from "../storage/arena.ts";
import type { Call } from "./call.ts";
import { apiVersionOf } from "./keys.ts";
import { listObjects, type Page } from "./list_objects.ts";
import { goType, notThatForm, partialObject, tableOf } from "./present.ts";
import { Selection } from "./selection.ts";
import { fromStorage, isStoredForm } from "./versions.ts";

const encoder = new TextEncoder();

/** Answers a list. @throws {StatusError} */
export async function listAnswer(call: Call): Promise<Response> {
  const { registry, resource, info } = call;
  const options = listOptions(info.query);
  const selection = Selection.of(resource, info.namespace, options);
  const page = await listObjects(
    registry.log,
    registry.collectionOf(resource),
    resource,
    selection,
    options,
  );
  return await presentPage(call, page);
}

/** Answers with a page of a list, in the form that was negotiated. @throws {StatusError} 406 */
export async function presentPage(call: Call, page: Page): Promise<Response> {
  const { resource, negotiated, request } = call;
  const accept = request.headers.get("accept-encoding");
  const { as, type, pretty } = negotiated;
  if (!as && type === "json" && !pretty && isStoredForm(resource)) {
    return encodeAnswer(200, joinItems(resource, page), negotiated, accept);
  }
  const items = await fromStorage(resource, page.items);
  if (!as) {
    const list = {
      kind: resource.listKind,
      apiVersion: apiVersionOf(resource),
      metadata: pageMetadata(page, resource),
      items: resource.customResourceDefinition ? items : items.map(
        ({ kind: _1, apiVersion: _2, ...item }) => item,
      ),
    };
    return encodeAnswer(200, list, negotiated, accept);
  }
  if (as.kind === "PartialObjectMetadata") {
    throw notThatForm(
      "you requested PartialObjectMetadata, but the requested object is a list " +
        `(*${goType(resource, resource.listKind)})`,
    );
  }
  const metadata = pageMetadata(page);
  if (as.kind === "Table") {
    return encodeAnswer(200, tableOf(call, items, metadata), negotiated, accept);
  }
  const partial = {
    kind: "PartialObjectMetadataList",
    apiVersion: as.apiVersion,
    metadata,
    items: items.map((item) => partialObject(item, as.apiVersion)),
  };
  return encodeAnswer(200, partial, negotiated, accept);
}

/** A list of custom objects says so when it has no further page. */
function pageMetadata(
  { revision, continueToken, remainingItemCount }: Page,
  resource?: ApiResource,
): JsonObject {
  const custom = resource?.customResourceDefinition !== undefined;
  return {
    resourceVersion: String(revision),
    ...(continueToken || custom ? { continue: continueToken ?? "" } : {}),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  };
}

/** The list as bytes, without a look into its items. */
function joinItems(resource: ApiResource, page: Page): Uint8Array {
  const { kind, listKind } = resource;
  const apiVersion = apiVersionOf(resource);
  const head = encoder.encode(
    `{"kind":${JSON.stringify(listKind)},"apiVersion":${JSON.stringify(apiVersion)},` +
      `"metadata":${JSON.stringify(pageMetadata(page, resource))},"items":[`,
  );
  // Items of built-in kinds do not say what they are; stored texts say it first.
  const skip = resource.customResourceDefinition
    ? 0
    : `"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`.length;
  const { items } = page;
  let length = head.length + Math.max(items.length - 1, 0) + 2;
  for (const item of items) length += item.length - skip;
  const bytes = new Uint8Array(length);
  bytes.set(head);
  let at = head.length;
  for (const [index, item] of items.entries()) {
    if (index > 0) bytes[at++] = 0x2c;
    at = copyItem(bytes, at, item, skip);
  }
  bytes[at++] = 0x5d;
  bytes[at] = 0x7d;
  return bytes;
}

function copyItem(bytes: Uint8Array, at: number, item: StoredObject, skip: number): number {
  const text = item.bytes();
  bytes[at] = 0x7b;
  bytes.set(text.subarray(1 + skip), at + 1);
  return at + text.length - skip;
}
