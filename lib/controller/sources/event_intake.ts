import type { Logger } from "@logtape/logtape";
import type { Clock } from "@xca/apimachinery/base";
import type { CacheReader } from "../../cache/readers/cache_reader.ts";
import type { SyncingSource } from "./cache_sync.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import { unjudgedFields } from "./coverage.ts";
import { EventMapper } from "./event_mapper.ts";
import { EventTrace } from "./event_trace.ts";
import type { FailingKey } from "../ports/operator_progress.ts";
import { lostObjects } from "./lost_objects.ts";
import { sourceHandler, type SourceSink } from "./source.ts";
import type { View, Views } from "./view.ts";

/**
 * Options of the class {@linkcode EventIntake}, which handles the events of a controller's sources.
 */
export interface EventIntakeOptions {
  /** The controller whose sources are handled. */
  readonly definition: ControllerDefinition;
  /** The informers that watch the controller's sources. */
  readonly views: Views;
  /** The cache that mapping functions read. */
  readonly cache: CacheReader;
  /** Returns the sink for the events and keys of an informer. */
  readonly sinkOf: (view: View) => SourceSink;
  /** The timeout of mapping functions, in milliseconds; see `ControllerOptions.timeoutMs`. */
  readonly timeoutMs: number;
  /**
   * The time from the call of an asynchronous mapping function after which a warning is logged
   * unless it has settled, in milliseconds; `Infinity` for never.
   */
  readonly warnAfterMs: number;
  /**
   * The resync period of the source of the controller's own resource, in milliseconds; see
   * `ControllerOptions.resyncPeriodMs`.
   */
  readonly resyncPeriodMs: number;
  /**
   * Called when an asynchronous mapping of an event to keys has ended, any mapping has failed, or a
   * mapping that had failed before has succeeded.
   */
  readonly onChange: () => void;
  /** The log of mapping failures and event traces. */
  readonly log: Logger;
  /** The clock for timeouts and retries of mapping functions. */
  readonly clock: Clock;
}

/**
 * The intake of one controller's events: adds event handlers to the informers of its sources; the
 * handlers apply the predicates, map the events to keys and pass the keys to the sink.
 */
export class EventIntake {
  readonly #options: EventIntakeOptions;
  readonly #mappers: EventMapper[] = [];

  constructor(options: EventIntakeOptions) {
    this.#options = options;
  }

  /**
   * Reports whether no event of the controller is being mapped to keys, and no mapping that failed
   * fewer than five times in a row awaits a retry.
   */
  get settled(): boolean {
    return this.#mappers.every((mapper) => mapper.settled);
  }

  /**
   * Returns the failures of the objects whose events could not be mapped to keys, or that could not
   * be decoded or transformed.
   */
  failing(): FailingKey[] {
    const { definition, views } = this.#options;
    const unmapped = this.#mappers.flatMap((mapper) => mapper.failing());
    return [...unmapped, ...lostObjects(definition, views)];
  }

  /**
   * Adds an event handler of each source to its informers, and returns the informers with the
   * registrations. The mapping functions of `watches` sources are called only once all stores are
   * filled, or the signal is aborted. Logs a warning for field selectors that only the server can
   * judge.
   */
  listen(signal: AbortSignal): SyncingSource[] {
    const { definition, views, sinkOf, log, resyncPeriodMs } = this.#options;
    this.#tellWhatIsNotAwaited();
    const ready = this.#whenFilled(signal);
    const trace = new EventTrace(log);
    return definition.sources.flatMap((source, index): SyncingSource[] => {
      const mapper = new EventMapper({
        ...this.#options,
        controller: definition.name,
        type: definition.type,
        source,
        ready: source.relation === "watches" ? ready : undefined,
      });
      this.#mappers.push(mapper);
      return views.perSource[index]!.map((view) => {
        const handler = sourceHandler({ source, mapper, log, trace, sink: sinkOf(view) });
        const registration = view.informer.addHandler(handler, {
          name: `${definition.name} ${source.relation} ${source.type.kind}`,
          resyncPeriodMs: source.relation === "for" ? resyncPeriodMs : 0,
        });
        return { view, registration };
      });
    });
  }

  /**
   * Stops the mapping of events to keys: results of mapping functions that are in progress are
   * dropped, and retries cancelled. The handlers remain registered.
   */
  stop(): void {
    for (const mapper of this.#mappers) mapper.stop();
  }

  /**
   * Resolves once every store of the controller is filled, or the signal is aborted. Never rejects.
   */
  async #whenFilled(signal: AbortSignal): Promise<void> {
    const views = [...this.#options.views.byType.values()].flat();
    await Promise.allSettled(views.map(({ informer }) => informer.whenSynced(signal)));
  }

  /**
   * Logs a warning for each field selector under which a run may miss the objects that the last run
   * created.
   */
  #tellWhatIsNotAwaited(): void {
    for (const { scope } of [...this.#options.views.byType.values()].flat()) {
      const fields = unjudgedFields(scope.fieldSelector);
      if (fields.length === 0) continue;
      this.#options.log.warn(
        "Controller {controller} watches {type} by {fields}, which only the server can judge: after " +
          "a run has created such an object, the key may run again before the cache shows it; give " +
          "what it creates a name that follows from the key, or select by labels",
        { type: scope.type.id, fields: fields.join(", ") },
      );
    }
  }
}
