import type { KubeObject } from "@xca/apimachinery/meta";
import type { ObservedObject } from "./observed_object.ts";

/**
 * The functions that an informer calls when its store changes. Each function is optional.
 *
 * - Per key, calls are in order: an addition, then updates, at last a deletion; then perhaps an
 *   addition again. An object that was deleted and created again under the same name is a deletion
 *   and an addition. Calls for different keys have no order.
 * - Calls of one handler do not overlap: the informer awaits a promise that a function returns
 *   before the next call.
 * - The store is changed before the call, and may have changed again since: a handler is notified
 *   of what happened, the store has the current state. Let a handler enqueue the key, and let a
 *   worker read the store.
 * - An error that a function throws or rejects with is logged and counted; the next call of the
 *   handler follows after a pause of one second. Other handlers are not affected.
 */
export interface EventHandler<T extends KubeObject = KubeObject> {
  /**
   * Called when an object was added to the store. `isInInitialList` is true for an object of the
   * informer's initial list, and for one of the replay of stored objects to a handler that was
   * added later.
   */
  onAdd?(
    object: ObservedObject<T>,
    info: { readonly isInInitialList: boolean },
  ): void | Promise<void>;
  /**
   * Called when an object changed. A handler with a resync period is also notified of unchanged
   * objects, with the same version as `old` and `current`: at each resync and after each relist.
   * When more changes wait for the handler than `InformerOptions.coalesceAbove` permits,
   * several updates of one object are merged into one with the oldest `old` and the newest
   * `current`.
   */
  onUpdate?(old: ObservedObject<T>, current: ObservedObject<T>): void | Promise<void>;
  /**
   * Called when an object was deleted; `last` is its final state, or the last known state if
   * `last.finalStateUnknown` is true.
   */
  onDelete?(last: ObservedObject<T>): void | Promise<void>;
}

/** Options of {@linkcode SharedInformer.addHandler}, which adds an event handler. */
export interface AddHandlerOptions {
  /**
   * The resync period of an event handler: the interval at which the handler is notified of all
   * stored objects again, as updates, in milliseconds; 0 for never. A value below one second is
   * raised to one second, with a warning.
   *
   * @default the informer's `resyncPeriodMs`
   */
  readonly resyncPeriodMs?: number | undefined;
  /**
   * The name of the event handler in logs and errors.
   *
   * @default `handler-1`, `handler-2` and so on, in the order in which unnamed handlers are added
   */
  readonly name?: string | undefined;
}

/**
 * The registration of an event handler with an informer. Disposing removes the handler;
 * asynchronous disposal also waits for a running call of the handler.
 */
export interface HandlerRegistration extends Disposable, AsyncDisposable {
  /** The name of the event handler in logs and errors. */
  readonly name: string;
  /**
   * A flag that is true once the event handler has processed the initial objects: those of the
   * informer's initial list, or those stored when the handler was added later. False forever if the
   * handler is removed or the informer stops before that.
   */
  readonly synced: boolean;
  /**
   * Number of changes that wait in the event handler's queue now, without the change that the
   * handler is processing; 0 after the removal.
   */
  readonly pending: number;
  /** Number of calls of the event handler that threw or rejected since the handler was added. */
  readonly failures: number;
  /**
   * Resolves once the event handler has processed the initial objects; see {@linkcode
   * HandlerRegistration.synced}.
   *
   * @throws {unknown} The reason of `signal`, if it is aborted before that.
   * @throws {Error} If the handler is removed, or the informer stopped, before that.
   */
  whenSynced(signal?: AbortSignal): Promise<void>;
  /**
   * Removes the event handler from the informer and drops its queued changes: no further call
   * begins, a running call continues. Does nothing if the handler was removed before.
   */
  remove(): void;
  /**
   * Removes the event handler from the informer, and resolves once a running call has ended. The
   * handler itself must not await this promise, because it would wait for itself.
   */
  removeAndWait(): Promise<void>;
}
