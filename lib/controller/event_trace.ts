import type { Logger } from "@logtape/logtape";
import type { ObjectKey } from "@xca/apimachinery/meta";
import type { SourceDefinition } from "./controller_definition.ts";
import type { ChangeEvent, Predicate } from "./predicate.ts";
import { keysText } from "./run_log.ts";

/**
 * Tells at level `debug` (`-v 1`) what becomes of each event: seen, and dropped by which predicate or
 * queued under which keys. Nothing is made where nobody listens.
 */
export class EventTrace {
  readonly #log: Logger;

  /** Makes the trace of a controller. */
  constructor(log: Logger) {
    this.#log = log;
  }

  /** A predicate dropped the event. */
  dropped(source: SourceDefinition, event: ChangeEvent, predicate: Predicate): void {
    if (!this.#log.isEnabledFor("debug")) return;
    this.#log.debug("Saw {object} of {type} {event}: dropped by predicate {predicate}", {
      ...factsOf(source, event),
      predicate: predicate.name || `number ${source.predicates.indexOf(predicate) + 1}`,
    });
  }

  /** The event was mapped to keys, which are queued now. */
  mapped(source: SourceDefinition, event: ChangeEvent, keys: ReadonlySet<ObjectKey>): void {
    if (!this.#log.isEnabledFor("debug")) return;
    const facts = factsOf(source, event);
    if (keys.size === 0) {
      return this.#log.debug("Saw {object} of {type} {event}: mapped to no key", facts);
    }
    this.#log.debug("Saw {object} of {type} {event}: queues {keys}", {
      ...facts,
      keys: keysText([...keys]),
    });
  }
}

function factsOf(source: SourceDefinition, event: ChangeEvent): Record<string, unknown> {
  return {
    object: event.object.key,
    type: source.type.id,
    event: event.type,
    resourceVersion: event.object.resourceVersion,
    relation: source.relation,
  };
}
