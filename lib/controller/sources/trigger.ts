import type { ObjectKey } from "@xca/apimachinery/meta";
import type { SourceDefinition } from "../definition/controller_definition.ts";
import type { ChangeEvent, Predicate } from "../definition/predicate.ts";

/**
 * The queue priority of keys that first lists, replays and resyncs lead to, and of their retries:
 * lower than that of changes, 0 (pkg/handler/eventhandler.go, LowPriority). Keys of a higher
 * priority go first.
 */
export const LOW_PRIORITY = -100;

/**
 * The kind of an event that leads to a key to reconcile: `listed` for an object that existed when
 * the event handler was added, `resync` for an update event whose two versions have the same
 * resourceVersion.
 */
export type TriggerEvent = "listed" | "added" | "updated" | "deleted" | "resync";

/** The trigger of a reconcile run: an event, with the source that received it. */
export interface Trigger {
  /** The source that received the event. */
  readonly source: SourceDefinition;
  /** The event that triggers the reconcile run. */
  readonly event: ChangeEvent;
}

/** Returns the kind of the event that triggers a run; see {@linkcode TriggerEvent}. */
export function triggerEvent(event: ChangeEvent): TriggerEvent {
  if (event.type === "added") return event.isInInitialList ? "listed" : "added";
  if (event.type === "deleted") return "deleted";
  return event.old.resourceVersion === event.object.resourceVersion ? "resync" : "updated";
}

/**
 * Returns the queue priority of the keys that an event leads to: {@linkcode LOW_PRIORITY} for first
 * lists and resyncs; `undefined` for the default, 0.
 */
export function triggerPriority(event: ChangeEvent): number | undefined {
  const kind = triggerEvent(event);
  return kind === "listed" || kind === "resync" ? LOW_PRIORITY : undefined;
}

/**
 * Returns the function name of a predicate of a source, or its position among the source's
 * predicates, such as `number 2`, if it has no name.
 */
export function predicateName(source: SourceDefinition, predicate: Predicate): string {
  return predicate.name || `number ${source.predicates.indexOf(predicate) + 1}`;
}

/** The description of an event that led to a key, without a reference to the object. */
export interface TriggerFacts {
  /** The builder method that declared the source of the event. */
  readonly relation: SourceDefinition["relation"];
  /** The resource id of the event's object. */
  readonly resource: string;
  /** The kind of the event that led to the key. */
  readonly event: TriggerEvent;
  /** The key of the event's object. */
  readonly object: ObjectKey;
  /** The resourceVersion of the event's object. */
  readonly resourceVersion: string;
}

/** Returns the description of an event that triggers a run, which keeps no object in memory. */
export function triggerFacts({ source, event }: Trigger): TriggerFacts {
  return {
    relation: source.relation,
    resource: source.type.id,
    event: triggerEvent(event),
    object: event.object.key,
    resourceVersion: event.object.resourceVersion,
  };
}
