import { errorText } from "@xca/apimachinery/base";
import type { ObjectKey } from "@xca/apimachinery/meta";
import type { EventHandler } from "../../cache/events/event_handler.ts";
import type { SourceDefinition } from "../definition/controller_definition.ts";
import type { EventMapper } from "./event_mapper.ts";
import type { EventTrace } from "./event_trace.ts";
import type { LoggerLike } from "../ports/logger_like.ts";
import { type ChangeEvent, isPassed, type Predicate } from "../definition/predicate.ts";
import { predicateName, type Trigger } from "./trigger.ts";

/** The receiver of a source's events and keys: the controller with its work queue. */
export interface SourceSink {
  /**
   * Receives the object key of every event of the source, before predicates; `deletedUid` is the
   * UID of the object if the event is a deletion.
   */
  observed(objectKey: ObjectKey, deletedUid?: string): void;
  /** Receives a valid key to reconcile, and the event that was mapped to the key. */
  enqueue(key: ObjectKey, trigger: Trigger): void;
  /** Receives an event of the controller's own resource that a predicate of the source dropped. */
  dropped(key: ObjectKey, trigger: Trigger, predicate: string): void;
}

/** Options of {@linkcode sourceHandler}, which handles the events of a controller's source. */
export interface SourceHandlerOptions {
  /** The source whose events are handled. */
  readonly source: SourceDefinition;
  /**
   * The mapper of events to keys; not used for the controller's own resource, whose objects are
   * mapped to their own keys.
   */
  readonly mapper: EventMapper;
  /** The receiver of the source's events and keys. */
  readonly sink: SourceSink;
  /** The log of failing predicates. */
  readonly log: LoggerLike;
  /** The trace that logs the result of each event at level `debug`. */
  readonly trace: EventTrace;
}

/**
 * Returns the event handler of one source of a controller: the handler passes each event to the
 * sink, applies the predicates, maps the object to keys, and passes the keys to the sink. The
 * handler never throws.
 */
export function sourceHandler(options: SourceHandlerOptions): EventHandler {
  const { source, mapper, sink, trace } = options;
  const handle = (event: ChangeEvent): void | Promise<void> => {
    const { key, uid } = event.object;
    sink.observed(key, event.type === "deleted" ? uid : undefined);
    const refusal = refusalOf(event, options);
    if (refusal !== undefined) {
      if (source.relation === "for") {
        sink.dropped(key, { source, event }, predicateName(source, refusal));
      }
      return trace.dropped(source, event, refusal);
    }
    const take = (keys: ReadonlySet<ObjectKey>): void => {
      trace.mapped(source, event, keys);
      for (const each of keys) sink.enqueue(each, { source, event });
    };
    if (source.relation === "for") return take(new Set([key]));
    const isChange = event.type === "updated" && event.old !== event.object;
    const objects = isChange ? [event.old, event.object] : [event.object];
    return mapper.map({ objects, isGone: event.type === "deleted", take });
  };
  return {
    onAdd: (object, { isInInitialList }) => handle({ type: "added", object, isInInitialList }),
    onUpdate: (old, object) => handle({ type: "updated", old, object }),
    onDelete: (object) => handle({ type: "deleted", object }),
  };
}

/**
 * Returns the first predicate that drops an event; `undefined` when the event passes all
 * predicates, or a predicate before that throws or returns a promise, which is logged.
 */
function refusalOf(
  event: ChangeEvent,
  { source, log }: SourceHandlerOptions,
): Predicate | undefined {
  try {
    return source.predicates.find((predicate) => !isPassed(predicate, event));
  } catch (error) {
    log.error("A predicate on {type} failed for {key}, so the event passes: {error}", {
      type: source.type.id,
      key: event.object.key,
      error: errorText(error),
    });
    return undefined;
  }
}
