import type { Logger } from "@logtape/logtape";
import type { Clock } from "@xca/apimachinery/base";
import type { EventHandler } from "../../cache/events/event_handler.ts";
import type { CacheReader } from "../../cache/readers/cache_reader.ts";
import { type SyncingSource, waitForSync } from "./cache_sync.ts";
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
  /** The time that the caches have to sync, in milliseconds. */
  readonly syncTimeoutMs: number;
  /**
   * The reaction to resources that the server still lacks after `syncTimeoutMs`; see
   * `ControllerPorts.missingResources`.
   */
  readonly missingResources: "fail" | "wait" | undefined;
  /** The log of mapping failures and event traces. */
  readonly log: Logger;
  /** The clock for timeouts and retries of mapping functions. */
  readonly clock: Clock;
}

/** An informer of a source, with the event handler of the source and its registration. */
interface HeardSource extends SyncingSource {
  readonly handler: Required<EventHandler>;
}

/**
 * The intake of one controller's events: adds event handlers to the informers of its sources; the
 * handlers apply the predicates, map the events to keys and pass the keys to the sink.
 */
export class EventIntake {
  readonly #options: EventIntakeOptions;
  readonly #mappers: EventMapper[] = [];
  readonly #heard: HeardSource[] = [];

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

  /** Reports whether no event of the informers waits in a queue of the event handlers. */
  get hasHeardAll(): boolean {
    return this.#heard.every(({ registration }) => registration.pending === 0);
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
   * Adds an event handler of each source to its informers, and resolves once the handlers have
   * processed the initial objects. The mapping functions of `watches` sources are called only once
   * all stores are filled, or the signal is aborted. Logs a warning for field selectors that only
   * the server can judge.
   *
   * @throws {CacheSyncError} When the caches did not sync in time.
   * @throws {unknown} The reason of `signal`, when it is aborted before that.
   */
  async listen(signal: AbortSignal): Promise<void> {
    const { definition, views, sinkOf, log, resyncPeriodMs } = this.#options;
    this.#tellWhatIsNotAwaited();
    const ready = this.#whenFilled(signal);
    const trace = new EventTrace(log);
    for (const [index, source] of definition.sources.entries()) {
      const mapper = new EventMapper({
        ...this.#options,
        controller: definition.name,
        type: definition.type,
        source,
        ready: source.relation === "watches" ? ready : undefined,
      });
      this.#mappers.push(mapper);
      for (const view of views.perSource[index]!) {
        const handler = sourceHandler({ source, mapper, log, trace, sink: sinkOf(view) });
        const registration = view.informer.addHandler(handler, {
          name: `${definition.name} ${source.relation} ${source.type.kind}`,
          resyncPeriodMs: source.relation === "for" ? resyncPeriodMs : 0,
        });
        this.#heard.push({ view, registration, handler });
      }
    }
    await this.#synced(this.#heard, signal);
  }

  /**
   * Passes each stored object to the event handlers of its sources again, as a listed one, and
   * resolves once they have processed them. The handlers receive changes meanwhile, so that no
   * event is missed; an object that is deleted meanwhile is left to them.
   *
   * @throws {CacheSyncError} When the handlers have not processed the objects in time.
   * @throws {unknown} The reason of `signal`, when it is aborted before that.
   */
  async replay(signal: AbortSignal): Promise<void> {
    using stack = new DisposableStack();
    const replays = this.#heard.map(({ view, registration: { name }, handler }): SyncingSource => {
      const listed: EventHandler = {
        onAdd: (object, info) => {
          if (!info.isInInitialList || !view.informer.indexer.getPacked(object.key)) return;
          return handler.onAdd(object, info);
        },
      };
      const options = { name: `${name} replay`, resyncPeriodMs: 0 };
      return { view, registration: stack.use(view.informer.addHandler(listed, options)) };
    });
    await this.#synced(replays, signal);
  }

  /**
   * Stops the mapping of events to keys: results of mapping functions that are in progress are
   * dropped, and retries cancelled. The handlers remain registered.
   */
  stop(): void {
    for (const mapper of this.#mappers) mapper.stop();
  }

  /** Removes the event handlers from the informers. */
  remove(): void {
    for (const { registration } of this.#heard) registration.remove();
  }

  async #synced(sources: readonly SyncingSource[], signal: AbortSignal): Promise<void> {
    const { definition, syncTimeoutMs: timeoutMs, missingResources, clock, log } = this.#options;
    await waitForSync(definition.name, sources, {
      timeoutMs,
      missingResources,
      signal,
      clock,
      log,
    });
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
