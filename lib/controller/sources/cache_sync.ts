import { markClass } from "@xca/apimachinery/internal/base";
import { type Clock, linkedAbort } from "@xca/apimachinery/base";
import type { ResourceType } from "@xca/apimachinery/meta";
import type { HandlerRegistration } from "../../cache/events/event_handler.ts";
import type { ControllerInformer } from "../ports/informers.ts";
import type { LoggerLike } from "../ports/logger_like.ts";
import type { View } from "./view.ts";

/** An informer of a controller, with the initial sync that is awaited. */
export interface SyncingView {
  /** The informer and the scope of its objects. */
  readonly view: View;
  /** The registration of a handler with the informer, or the informer itself for its store. */
  readonly registration: Pick<HandlerRegistration, "synced" | "whenSynced">;
}

/** An informer of a controller's source, with the registration that reports its initial sync. */
export interface SyncingSource extends SyncingView {
  /** The registration of the controller's handler with the informer. */
  readonly registration: HandlerRegistration;
}

/** A cache of a controller that did not sync in time, and the health of its watch. */
export interface UnsyncedView {
  /** The resource of the cache. */
  readonly type: ResourceType;
  /** The informer that maintains the cache. */
  readonly informer: Pick<ControllerInformer, "health">;
}

/**
 * The error of a controller whose caches did not sync in time. The message names the resources and,
 * for each cache, its last error or another reason, and the remedy.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { CacheSyncError } from "@xca/operator/controller";
 *
 * function advice(error: unknown): string {
 *   return error instanceof CacheSyncError ? `not cached: ${error.types.join(", ")}` : "unknown";
 * }
 * assert.equal(advice(new CacheSyncError("web", 120_000, [])), "not cached: ");
 * ```
 */
export class CacheSyncError extends Error {
  /** The name of this error class, `CacheSyncError`. */
  override readonly name = "CacheSyncError";
  /** The name of the controller whose caches did not sync. */
  readonly controller: string;
  /**
   * The ids of the resources whose caches did not sync, each once, such as
   * `xcas.v1beta1.apps.xca.k8s.kb.cx`.
   */
  readonly types: readonly string[];

  /**
   * Creates the error of a controller and its caches that did not sync within `timeoutMs`
   * milliseconds.
   */
  constructor(controller: string, timeoutMs: number, views: readonly UnsyncedView[]) {
    const types = [...new Set(views.map(({ type }) => type.id))];
    const lines = [...new Set(views.map(reasonOf))];
    super(
      `Cannot start controller ${controller}: within ${timeoutMs / 1000} s no complete cache of ` +
        `${types.join(", ")}: ${lines.join("; ")}`,
    );
    this.controller = controller;
    this.types = types;
  }

  static {
    markClass(this, Symbol.for("@xca/operator/CacheSyncError"));
  }
}

/** Returns the part of an error message that says why one cache did not sync, and the remedy. */
function reasonOf({ type, informer }: UnsyncedView): string {
  const last = informer.health.lastError;
  if (!last) {
    return informer.health.synced
      ? "events are still being mapped to keys; is a mapping function slow?"
      : "the server has not sent it all yet; raise syncTimeoutMs if there is much of it";
  }
  if (last.kind === "missing") {
    return `the server has no ${type.plural} in ${type.apiVersion}; ` +
      `install their CustomResourceDefinition first`;
  }
  if (last.kind === "refused") {
    return `${last.message}; allow this user to list and watch ${type.plural}`;
  }
  return last.message;
}

/** Options of {@linkcode waitForSync}, which waits until a controller's caches are complete. */
export interface WaitForSyncOptions {
  /** The time that the caches have to sync, in milliseconds. */
  readonly timeoutMs: number;
  /** The signal that aborts the wait for the caches. */
  readonly signal: AbortSignal;
  /** The clock for the timeout of the caches. */
  readonly clock: Clock;
  /**
   * The reaction when `timeoutMs` has passed and the server lacks the resource of every cache that
   * has not synced: `fail` rejects, `wait` logs a warning and waits as long again.
   *
   * @default {"fail"}
   */
  readonly missingResources?: "fail" | "wait" | undefined;
  /** The log that receives the warning about missing resources. */
  readonly log: LoggerLike;
}

/**
 * Resolves once every given informer of a controller has its initial objects, and every given event
 * handler has processed those of its informer, so that these are mapped to keys.
 *
 * @throws {CacheSyncError} When `timeoutMs` passes before, unless `missingResources` continues the
 * wait.
 * @throws {unknown} The reason of `signal`, when it is aborted before that.
 */
export async function waitForSync(
  controller: string,
  sources: readonly SyncingView[],
  options: WaitForSyncOptions,
): Promise<void> {
  const { timeoutMs, signal, clock, missingResources, log } = options;
  while (true) {
    using limit = linkedAbort({
      signals: [signal],
      timeoutMs,
      timeoutReason: () => new CacheSyncError(controller, timeoutMs, unsynced(sources)),
      clock,
    });
    try {
      await Promise.all(sources.map(({ registration }) => registration.whenSynced(limit.signal)));
      return;
    } catch (error) {
      const isLate = error instanceof CacheSyncError && error === limit.signal.reason;
      const waits = isLate && missingResources === "wait" && unsynced(sources).every(isMissing);
      if (!waits) throw error;
      log.warn("{message}; the controller starts once it is there", { message: error.message });
    }
  }
}

/**
 * Returns the caches that delay the start of a controller: those whose stores are not filled; if
 * all are filled, those whose handlers have not processed the initial objects. Mapping functions
 * wait for all stores, so that an unfilled store is the cause and not the mapping.
 */
function unsynced(sources: readonly SyncingView[]): UnsyncedView[] {
  const late = sources.filter(({ registration }) => !registration.synced);
  const unfilled = late.filter(({ view }) => !view.informer.synced);
  return (unfilled.length > 0 ? unfilled : late).map(({ view }) => ({
    type: view.scope.type,
    informer: view.informer,
  }));
}

/**
 * Reports whether a cache has never synced and its last error is that the server lacks the
 * resource.
 */
function isMissing({ informer: { health } }: UnsyncedView): boolean {
  return !health.synced && health.lastError?.kind === "missing";
}
