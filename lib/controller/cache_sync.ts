import { type Clock, linkedAbort } from "@xca/apimachinery/base";
import type { ResourceType } from "@xca/apimachinery/meta";
import type { HandlerRegistration } from "../cache/events/event_handler.ts";
import type { ControllerInformer } from "./informers.ts";
import type { View } from "./view.ts";

/** A controller's source that is to sync. */
export interface SyncingSource {
  /** What it watches. */
  readonly view: View;
  /** Its handler's place with the informer. */
  readonly registration: HandlerRegistration;
}

/** A cache that did not sync in time, and how its watch is doing. */
export interface UnsyncedView {
  /** The resource. */
  readonly type: ResourceType;
  /** The informer that keeps the cache. */
  readonly informer: Pick<ControllerInformer, "health">;
}

/**
 * Thrown when a controller's caches did not sync in time; the message names them and says why.
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
  /** The name of the class. */
  override readonly name = "CacheSyncError";
  /** The controller. */
  readonly controller: string;
  /** The resources that did not sync, as `xcas.v1beta1.apps.xca.k8s.kb.cx`. */
  readonly types: readonly string[];

  /** Makes the error of a controller. */
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
}

/** What is wrong with one cache, and what to do. */
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

/**
 * Waits until every source has handed on what was there at the start.
 *
 * @throws {CacheSyncError} When the time is up before.
 * @throws {unknown} The reason of `signal`, when it is or becomes aborted.
 */
export async function waitForSync(
  controller: string,
  sources: readonly SyncingSource[],
  options: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly clock: Clock },
): Promise<void> {
  const { timeoutMs, signal, clock } = options;
  using limit = linkedAbort({
    signals: [signal],
    timeoutMs,
    timeoutReason: () => {
      const late = sources.filter(({ registration }) => !registration.synced);
      // Mapping functions wait for all stores: theirs is not what is late then.
      const unfilled = late.filter(({ view }) => !view.informer.synced);
      const views = (unfilled.length > 0 ? unfilled : late).map(({ view }) => ({
        type: view.scope.type,
        informer: view.informer,
      }));
      return new CacheSyncError(controller, timeoutMs, views);
    },
    clock,
  });
  await Promise.all(sources.map(({ registration }) => registration.whenSynced(limit.signal)));
}
