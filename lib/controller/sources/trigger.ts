import type { ObjectKey } from "@xca/apimachinery/meta";
import type { SourceDefinition } from "../definition/controller_definition.ts";
import type { ChangeEvent, Predicate } from "../definition/predicate.ts";

/**
 * The priority of keys that the first lists and resyncs lead to, and of their retries: lower than
 * that of changes (pkg/handler/eventhandler.go, LowPriority).
 */
export const LOW_PRIORITY = -100;

/** The kinds of event that lead to a key. */
export type TriggerEvent = "listed" | "added" | "updated" | "deleted" | "resync";

/** An event of a source, with the source that received it. */
export interface Trigger {
  /** The source. */
  readonly source: SourceDefinition;
  /** The event. */
  readonly event: ChangeEvent;
}

/** Returns the kind of an event: `listed` for an object of the first list. */
export function triggerEvent(event: ChangeEvent): TriggerEvent {
  if (event.type === "added") return event.isInInitialList ? "listed" : "added";
  if (event.type === "deleted") return "deleted";
  return event.old.resourceVersion === event.object.resourceVersion ? "resync" : "updated";
}

/** Returns the priority of the keys of an event; undefined for the default. */
export function triggerPriority(event: ChangeEvent): number | undefined {
  const kind = triggerEvent(event);
  return kind === "listed" || kind === "resync" ? LOW_PRIORITY : undefined;
}

/** Returns the name of a predicate of a source, or its number where it has none. */
export function predicateName(source: SourceDefinition, predicate: Predicate): string {
  return predicate.name || `number ${source.predicates.indexOf(predicate) + 1}`;
}

/** An event that led to a key, as facts that keep no object in memory. */
export interface TriggerFacts {
  /** The method that declared the source. */
  readonly relation: SourceDefinition["relation"];
  /** The id of the resource of the object. */
  readonly resource: string;
  /** The kind of event. */
  readonly event: TriggerEvent;
  /** The key of the object. */
  readonly object: ObjectKey;
  /** The version of the object. */
  readonly resourceVersion: string;
}

/** Returns the facts of an event. */
export function triggerFacts({ source, event }: Trigger): TriggerFacts {
  return {
    relation: source.relation,
    resource: source.type.id,
    event: triggerEvent(event),
    object: event.object.key,
    resourceVersion: event.object.resourceVersion,
  };
}
