import type { KubeObject } from "@xca/apimachinery/meta";
import type { ObservedObject } from "./observed_object.ts";

/** What comes with an addition. */
export interface AddInfo {
  /**
   * Whether the object was there already when the handler began to listen: part of the first list, or
   * of the replay that a late handler gets.
   */
  readonly isInInitialList: boolean;
}

/**
 * What an informer calls as its store changes. Every function is optional.
 *
 * - Per key, calls come in order: an addition first, then updates, a deletion last; then perhaps an
 *   addition again. An object deleted and created anew under one name is a deletion and an addition.
 *   Keys have no order among each other.
 * - One call at a time: a promise that a function returns is awaited before the next call.
 * - The store is changed before the call, and may be further by then: handlers are told what happened,
 *   the store says what is. Let a handler enqueue the key and let a worker read the store.
 * - What a function throws, or rejects with, is logged and counted; the handler then pauses
 *   for a second. Other handlers do not notice.
 */
export interface EventHandler<T extends KubeObject = KubeObject> {
  /** An object appeared. */
  onAdd?(object: ObservedObject<T>, info: AddInfo): void | Promise<void>;
  /**
   * An object changed. A resync calls this too, with the same version as `old` and `current`.
   * When updates came faster than the handler took them, several may arrive as one.
   */
  onUpdate?(old: ObservedObject<T>, current: ObservedObject<T>): void | Promise<void>;
  /** An object is gone; `last.finalStateUnknown` says whether its last state was missed. */
  onDelete?(last: ObservedObject<T>): void | Promise<void>;
}

/** Options of {@linkcode SharedInformer.addHandler}. */
export interface AddHandlerOptions {
  /**
   * Every so many milliseconds the handler is told of all objects again, as updates; 0 for never. A
   * period below one second is raised to one second, with a warning.
   *
   * @default the informer's `resyncPeriodMs`
   */
  readonly resyncPeriodMs?: number | undefined;
  /** What the handler is called in logs. @default "handler" and a number */
  readonly name?: string | undefined;
}

/** A handler's place with an informer. Disposing removes the handler. */
export interface HandlerRegistration extends Disposable, AsyncDisposable {
  /** What the handler is called in logs. */
  readonly name: string;
  /** Whether the handler has worked off everything that was there when it began. */
  readonly synced: boolean;
  /** How many notifications wait for the handler. */
  readonly pending: number;
  /** How many calls of the handler failed. */
  readonly failures: number;
  /**
   * Resolves once {@linkcode HandlerRegistration.synced} is true.
   *
   * @throws {unknown} The reason of `signal`, when it is or becomes aborted.
   * @throws {Error} When the handler was removed, or the informer stopped, before.
   */
  whenSynced(signal?: AbortSignal): Promise<void>;
  /** Removes the handler: no call begins any more. Harmless when it is gone already. */
  remove(): void;
  /**
   * Removes the handler and resolves once a call that still runs has ended. Not to be awaited by the
   * handler itself: it would wait for itself.
   */
  removeAndWait(): Promise<void>;
}
