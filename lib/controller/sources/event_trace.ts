import type { Logger } from "@logtape/logtape";
import type { ObjectKey } from "@xca/apimachinery/meta";
import type { SourceDefinition } from "../definition/controller_definition.ts";
import type { ChangeEvent, Predicate } from "../definition/predicate.ts";
import { keysText } from "../log/run_log.ts";
import { predicateName } from "./trigger.ts";

/**
 * The trace of a controller's events: logs at level `debug` (`-v 1`) the fate of each event:
 * dropped by a predicate, or mapped to keys. Builds no text when the level is disabled.
 */
export class EventTrace {
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Logs an event that a predicate of the source dropped, with the name of the predicate. */
  dropped(source: SourceDefinition, event: ChangeEvent, predicate: Predicate): void {
    if (!this.#log.isEnabledFor("debug")) return;
    this.#log.debug("Saw {object} of {type} {event}: dropped by predicate {predicate}", {
      ...factsOf(source, event),
      predicate: predicateName(source, predicate),
    });
  }

  /**
   * Logs an event that passed the predicates, with the first ten of the keys that it queues, or a
   * note that it queues none.
   */
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
