import { getLogger } from "@logtape/logtape";
import { type Clock, delay, errorText } from "@xca/apimachinery/base";
import type { TimeSlice } from "@xca/apimachinery/internal/base";
import type { KubeObject } from "@xca/apimachinery/meta";
import type { ChangeList } from "./change_list.ts";
import { type Change, keyOfChange } from "./change.ts";
import { INITIAL_END } from "./coalesce.ts";
import type { EventHandler, HandlerRegistration } from "./event_handler.ts";
import { HandlerBuffer } from "./handler_buffer.ts";
import { SyncState } from "./sync_state.ts";

const logger = getLogger(["xca", "cache", "informer"]);

/** The pause after a failed call of an event handler, before the next call, in milliseconds. */
export const FAILURE_PAUSE_MS = 1_000;

/** Options of the class {@linkcode HandlerListener}, which delivers changes to an event handler. */
export interface HandlerListenerOptions<T extends KubeObject = KubeObject> {
  readonly name: string;
  readonly informerName: string;
  readonly handler: EventHandler<T>;
  /**
   * Number of changes waiting for an event handler up to which they are never merged; see
   * {@linkcode HandlerBuffer}.
   */
  readonly coalesceAbove: number;
  /** Returns the number of objects in the informer's store. */
  readonly stored: () => number;
  readonly clock: Clock;
  /** The time slice of the event loop that all work of one informer shares. */
  readonly slice: TimeSlice;
  /** Called once, when the event handler is removed or the informer stops. */
  readonly onRemove: (listener: HandlerListener<T>) => void;
}

/**
 * The caller of one event handler of an informer: calls it with the changes from its queue. Calls
 * do not overlap, and do not wait for other handlers.
 */
export class HandlerListener<T extends KubeObject = KubeObject> implements HandlerRegistration {
  readonly name: string;
  readonly #options: HandlerListenerOptions<T>;
  readonly #buffer: HandlerBuffer<T>;
  readonly #sync = new SyncState();
  /**
   * The abort controller that is aborted when the event handler is removed or the informer stops,
   * which ends the handler's pauses.
   */
  readonly #gone = new AbortController();
  /**
   * The promise of the loop that calls the handler with the queued changes; settled when no loop
   * runs. Does not reject for an error of the handler or the removal.
   */
  #pumped: Promise<void> = Promise.resolve();
  #isPumping = false;
  /**
   * Reports whether the marker after the initial objects ({@linkcode INITIAL_END}) is in the event
   * handler's queue.
   */
  #endIsPending = false;
  #failures = 0;
  /**
   * Reports whether a warning about a slow event handler was logged since the handler's queue was
   * last processed to its end.
   */
  #warnedOfSlowness = false;

  constructor(options: HandlerListenerOptions<T>) {
    this.name = options.name;
    this.#options = options;
    this.#buffer = new HandlerBuffer(options.coalesceAbove, options.stored);
  }

  get synced(): boolean {
    return this.#sync.done;
  }

  get pending(): number {
    return this.#buffer.length - (this.#endIsPending ? 1 : 0);
  }

  get failures(): number {
    return this.#failures;
  }

  whenSynced(signal?: AbortSignal): Promise<void> {
    return this.#sync.when(signal);
  }

  /** Queues a change for the event handler; does nothing if the handler was removed. */
  push(change: Change<T>): void {
    if (this.#gone.signal.aborted) return;
    const before = this.#buffer.length;
    if (this.#buffer.push(change)) this.#noteSlowness(before + 1);
    this.#startPump();
  }

  /**
   * Queues many changes for the event handler, such as those of an initial list or a replay; drops
   * them if the handler was removed.
   */
  pushAll(changes: ChangeList<T>): void {
    if (this.#gone.signal.aborted) return changes.run().drop();
    const waiting = this.#buffer.length + changes.length;
    if (this.#buffer.pushAll(changes)) this.#noteSlowness(waiting);
    this.#startPump();
  }

  /**
   * Queues the marker for the end of the initial objects, unless it was queued before. The handler
   * has synced when the queue reaches the marker.
   */
  pushInitialEnd(): void {
    if (this.#gone.signal.aborted || this.#endIsPending || this.#sync.done) return;
    this.#endIsPending = true;
    this.#buffer.push(INITIAL_END);
    this.#startPump();
  }

  remove(): void {
    this.#end(`handler ${this.name} was removed`);
  }

  removeAndWait(): Promise<void> {
    this.remove();
    return this.#pumped;
  }

  /**
   * Stops calling the event handler because the informer stopped; resolves once a running call has
   * ended.
   */
  stop(): Promise<void> {
    this.#end(`informer ${this.#options.informerName} stopped`);
    return this.#pumped;
  }

  [Symbol.dispose](): void {
    this.remove();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.removeAndWait();
  }

  #end(why: string): void {
    if (this.#gone.signal.aborted) return;
    this.#gone.abort();
    this.#buffer.clear();
    this.#endIsPending = false;
    this.#sync.fail(new Error(`Cannot sync handler ${this.name}: ${why}`));
    this.#options.onRemove(this);
  }

  #startPump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    this.#pumped = this.#pump();
  }

  /**
   * Calls the event handler for each queued change until the queue is empty or the handler is
   * removed; pauses for {@linkcode FAILURE_PAUSE_MS} after a failed call. Starts asynchronously, so
   * that adding a change to the queue never runs a handler.
   */
  async #pump(): Promise<void> {
    const { slice, clock } = this.#options;
    const signal = this.#gone.signal;
    await undefined;
    try {
      while (this.#buffer.length > 0) {
        if (slice.used) await slice.next(signal);
        const entry = this.#buffer.shift();
        if (entry === undefined) break; // The queued changes were dropped meanwhile.
        if (entry === INITIAL_END) {
          this.#endIsPending = false;
          this.#sync.finish();
          continue;
        }
        try {
          const running = this.#call(entry);
          if (running) await running;
        } catch (error) {
          this.#noteFailure(entry, error);
          await delay(FAILURE_PAUSE_MS, { clock, signal });
          slice.restart();
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#isPumping = false;
      this.#warnedOfSlowness = false;
    }
  }

  #call(change: Change<T>): void | Promise<void> {
    const { handler } = this.#options;
    switch (change.type) {
      case "add":
        return handler.onAdd?.(change.current, { isInInitialList: change.isInInitialList });
      case "update":
        return handler.onUpdate?.(change.old, change.current);
      case "delete":
        return handler.onDelete?.(change.last);
    }
  }

  #noteSlowness(waiting: number): void {
    if (this.#warnedOfSlowness) return;
    this.#warnedOfSlowness = true;
    logger.warn(
      "Handler {handler} of informer {informer} is too slow: {waiting} changes wait; " +
        "those of one object are merged",
      { handler: this.name, informer: this.#options.informerName, waiting },
    );
  }

  #noteFailure(change: Change<T>, error: unknown): void {
    this.#failures++;
    logger.error("Handler {handler} of informer {informer} failed on {event} of {key}: {reason}", {
      handler: this.name,
      informer: this.#options.informerName,
      event: change.type,
      key: keyOfChange(change),
      reason: errorText(error),
      error,
    });
  }
}
