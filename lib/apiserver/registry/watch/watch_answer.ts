// Mirrors `endpoints/handlers/watch.go, serveWatchHandler`.
import {
  badRequest,
  expired,
  notAcceptable,
  tooLargeVersion,
} from "@xca/apimachinery/internal/errors";
import type { ApiObject, JsonObject } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../../machinery/resource.ts";
import { includeObjectOf } from "../../output/table.ts";
import type { RevisionLog } from "../../storage/revision_log.ts";
import type { Call } from "../handlers/call.ts";
import { indexLabels } from "../handlers/candidates.ts";
import { partialObject, tableOf, versionOf } from "../handlers/present.ts";
import { isCached, readRevision } from "../handlers/revisions.ts";
import { Selection } from "../handlers/selection.ts";
import { type ListOptions, listOptions } from "../../request/list_options.ts";
import { acceptsGzip } from "../../request/encode.ts";
import { gzipEachChunk } from "../../request/gzip_each_chunk.ts";
import { PROTOBUF, STREAM_TYPES } from "../../request/media_types.ts";
import { protobufFrame } from "../../decode/protobuf/encode_protobuf.ts";
import { bookmarkFrame } from "./bookmark.ts";
import { frameOf, type WatchForm, type WriteFrame } from "./watch_form.ts";
import { Watcher } from "./watcher.ts";

/** The shortest default duration of a watch, in seconds; the longest is twice as long. */
const TIMEOUT_SECONDS = 1800;

/**
 * Returns the response to a watch request: a stream of events, as lines of JSON or as protobuf
 * frames. A resourceVersion that is too old, or too new for the initial events, is reported as an
 * `ERROR` event.
 *
 * @throws {StatusError} 400 or 422 for invalid parameters; 406 for a form that watches do not have;
 * 500 for an invalid resourceVersion.
 */
export async function watchAnswer(call: Call): Promise<Response> {
  const { registry, resource, info, negotiated } = call;
  const options = optionsOf(call);
  const { log } = registry;
  const selection = Selection.of(resource, info.namespace, options);
  if (negotiated.type === "yaml") throw notAcceptable(STREAM_TYPES);
  const isProtobuf = negotiated.type === "protobuf";
  const write = isProtobuf ? protobufFrame : frameOf;
  const isCompressed = options.sendInitialEvents === true &&
    acceptsGzip(call.request.headers.get("accept-encoding"));
  const streamOf = (body: ReadableStream<Uint8Array>): Response =>
    new Response(isCompressed ? gzipEachChunk(body) : body, {
      headers: {
        "Content-Type": isProtobuf ? `${PROTOBUF};stream=watch` : "application/json",
        "Cache-Control": "no-cache, private",
        ...(isCompressed && { "Content-Encoding": "gzip", "Vary": "Accept-Encoding" }),
      },
    });
  const asked = readRevision(options.resourceVersion);
  // A watch cannot be encoded as a list: kube-apiserver fails at the first event and ends the
  // watch.
  if (negotiated.as?.kind === "PartialObjectMetadataList") return streamOf(noFrames());
  const form = formOf(call, write);
  const collection = registry.collectionOf(resource);
  const work = call.work;
  if (beginning(options, asked, log.revision) === true) {
    await indexLabels(collection, selection, work);
  }
  const begin = beginning(options, asked, log.revision);
  if (begin === true && asked > log.revision) {
    const { status } = tooLargeVersion(options.resourceVersion, log.revision);
    return streamOf(onlyFrame(write("ERROR", status)));
  }
  const why = begin === true ? undefined : whyTooOld(resource, begin, log);
  if (why !== undefined) {
    return streamOf(onlyFrame(write("ERROR", expired(why).status)));
  }
  const watcher = new Watcher({
    log,
    hub: registry.hub,
    clock: registry.clock,
    collection,
    selection,
    work,
    form,
    inOrder: negotiated.as?.kind === "Table",
    begin,
    bookmark: options.allowWatchBookmarks
      ? (revision, end) => bookmarkFrame(form(), revision, end)
      : undefined,
    timeoutMs: 1000 *
      (options.timeoutSeconds || TIMEOUT_SECONDS * (1 + registry.random.next())),
    signal: call.signalOf(),
  });
  return streamOf(watcher.body);
}

/**
 * Returns the list options of a watch request; a path that names an object selects that object
 * alone.
 *
 * @throws {StatusError} 400 for invalid parameters, or a field selector that does not require the
 * name of the path.
 */
function optionsOf({ info }: Call): ListOptions {
  const options = listOptions(info.query, true);
  if (info.name === "") return options;
  const { fields } = options;
  if (fields && fields.name !== info.name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  if (fields) return options;
  const term = { field: "metadata.name", equal: true, value: info.name };
  return { ...options, fields: { name: info.name, namespace: undefined, terms: [term] } };
}

/**
 * Returns the beginning of a watch: `true` for the current state, or the revision after which the
 * watch reports writes.
 */
function beginning(options: ListOptions, asked: number, now: number): true | number {
  const { sendInitialEvents } = options;
  if (sendInitialEvents ?? asked === 0) return true;
  return asked === 0 ? now : asked;
}

/**
 * Returns the error message about a revision after which a watch cannot begin, or `undefined` if it
 * can. kube-apiserver has no watch cache of events: watches of events can begin after the last
 * compaction of etcd, all others after the start of their cache.
 */
function whyTooOld(resource: ApiResource, begin: number, log: RevisionLog): string | undefined {
  if (!isCached(resource)) {
    const isGone = begin < log.compactedRevision;
    return isGone ? "The resourceVersion for the provided watch is too old." : undefined;
  }
  if (begin >= log.watchableRevision) return undefined;
  return `too old resource version: ${begin} (${log.watchableRevision})`;
}

function noFrames(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.close() });
}

function onlyFrame(frame: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(frame);
      controller.close();
    },
  });
}

/**
 * Returns a function that returns the format of the next frame of a watch. The first frame of a
 * table has a format of its own, which contains the column definitions.
 *
 * @throws {StatusError} 400 if a table is requested with an invalid `includeObject` parameter.
 */
function formOf(call: Call, write: WriteFrame): () => WatchForm {
  const { resource, negotiated } = call;
  const { as } = negotiated;
  const id = `${resource.version} ${negotiated.type}`;
  if (!as) {
    const plain = { id, resource, transform: undefined, write };
    return () => plain;
  }
  if (as.kind === "PartialObjectMetadata") {
    const transform = (object: ApiObject): JsonObject => partialObject(object, as.apiVersion);
    const partial = { id: `${id} ${as.kind} ${as.apiVersion}`, resource, transform, write };
    return () => partial;
  }
  includeObjectOf(call.info.query);
  let first = true;
  return () => ({
    // Rows contain ages, so that two watchers can never share a frame.
    id: `${id} table ${tables++}`,
    resource,
    write,
    transform: (object) => {
      const table = tableOf(call, [object], versionOf(object), first);
      first = false;
      return call.work.detached().run(table);
    },
  });
}

let tables = 0;
