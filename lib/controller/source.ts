import type { CacheReader } from "../cache/cache_reader.ts";
import type { EventHandler } from "../cache/event_handler.ts";
import type { ObservedObject } from "../cache/observed_object.ts";
import { errorText } from "../base/error_text.ts";
import { type ObjectKey, parseKey } from "../meta/object_key.ts";
import type { SourceDefinition } from "./controller_definition.ts";
import type { LoggerLike } from "./logger_like.ts";
import type { ChangeEvent } from "./predicate.ts";

/** What a source leads to. */
export interface SourceSink {
  /** Every event, before predicates; `deletedUid` when the object is gone. */
  observed(objectKey: ObjectKey, deletedUid?: string): void;
  /** A key to reconcile. */
  enqueue(key: ObjectKey, isInInitialList: boolean): void;
}

/** Options for {@linkcode sourceHandler}. */
export interface SourceHandlerOptions {
  /** What to pass and where to map it. */
  readonly source: SourceDefinition;
  /** Where keys go. */
  readonly sink: SourceSink;
  /** What mapping functions may read. */
  readonly cache: CacheReader;
  /** Where failures of predicates and mapping functions are told. */
  readonly log: LoggerLike;
}

/** The event handler of one source: predicates, then mapping, then the queue. It never throws. */
export function sourceHandler(options: SourceHandlerOptions): EventHandler {
  const { source, sink } = options;
  const handle = (event: ChangeEvent): void | Promise<void> => {
    const { key, uid } = event.object;
    sink.observed(key, event.type === "deleted" ? uid : undefined);
    if (!passes(event, options)) return;
    const isInInitialList = event.type === "added" && event.isInInitialList;
    if (source.relation === "for") return sink.enqueue(key, isInInitialList);
    return map(event, isInInitialList, options);
  };
  return {
    onAdd: (object, { isInInitialList }) => handle({ type: "added", object, isInInitialList }),
    onUpdate: (old, object) => handle({ type: "updated", old, object }),
    onDelete: (object) => handle({ type: "deleted", object }),
  };
}

function passes(event: ChangeEvent, { source, log }: SourceHandlerOptions): boolean {
  try {
    return source.predicates.every((predicate) => predicate(event));
  } catch (error) {
    log.error("A predicate on {type} failed for {key}, so the event passes: {error}", {
      type: source.type.id,
      key: event.object.key,
      error: errorText(error),
    });
    return true;
  }
}

/** Synchronous unless the mapping function is not. */
function map(
  event: ChangeEvent,
  isInInitialList: boolean,
  options: SourceHandlerOptions,
): void | Promise<void> {
  const objects = event.type === "updated" && event.old !== event.object
    ? [event.old, event.object]
    : [event.object];
  try {
    const mapped = objects.map((object) => options.source.map(object, { cache: options.cache }));
    if (mapped.some((keys) => keys instanceof Promise)) {
      return Promise.all(mapped).then(
        (keys) => enqueue(event.object, keys, isInInitialList, options),
      ).catch((error) => fail(event.object, error, options));
    }
    enqueue(event.object, mapped as Iterable<ObjectKey>[], isInInitialList, options);
  } catch (error) {
    fail(event.object, error, options);
  }
}

function enqueue(
  object: ObservedObject,
  mapped: readonly Iterable<ObjectKey>[],
  isInInitialList: boolean,
  options: SourceHandlerOptions,
): void {
  for (const key of new Set(mapped.flatMap((keys) => [...keys]))) {
    try {
      parseKey(key);
    } catch (error) {
      fail(object, error, options);
      continue;
    }
    options.sink.enqueue(key, isInInitialList);
  }
}

function fail(object: ObservedObject, error: unknown, { source, log }: SourceHandlerOptions): void {
  log.error("The mapping of {type} failed for {key}, so nothing is enqueued for it: {error}", {
    type: source.type.id,
    key: object.key,
    error: errorText(error),
  });
}
