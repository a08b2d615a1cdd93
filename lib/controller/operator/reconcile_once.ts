import { getLogger } from "@logtape/logtape";
import {
  type Clock,
  linkedAbort,
  type Random,
  systemClock,
  systemRandom,
} from "@xca/apimachinery/base";
import { type ObjectKey, parseKey, parseKeyOf } from "@xca/apimachinery/meta";
import { InformerFactory } from "../../cache/informer/informer_factory.ts";
import type { Client } from "../../client/typed/client.ts";
import { CacheSyncError } from "../sources/cache_sync.ts";
import type { ControllerDefinition } from "../definition/controller_definition.ts";
import { controllerOptionsOf } from "../definition/controller_options.ts";
import { recorderOf } from "../run/recorder_of.ts";
import { reconcileContext } from "../run/reconcile_context.ts";
import { type Outcome, ReconcileRun } from "../run/reconcile_run.ts";
import type { RequeueAfter } from "../definition/reconciler.ts";
import { checkOnce } from "./run_checks.ts";
import { ResourceGuard } from "./resource_guard.ts";
import { cacheReaderOf, type View, viewsOf } from "../sources/view.ts";
import { WriteLedger } from "../writes/write_ledger.ts";

/** Options of {@linkcode reconcileOnce}, which runs a controller's reconciler once for one key. */
export interface ReconcileOnceOptions {
  /** The client of the reconcile run, which `reconcileOnce` does not close. */
  readonly client: Client;
  /**
   * The namespace whose objects are cached, except for sources with `namespaces` of their own.
   *
   * @default all namespaces
   */
  readonly namespace?: string | undefined;
  /** The attempt number that the reconciler receives as `context.attempt`. @default {1} */
  readonly attempt?: number | undefined;
  /** The signal that aborts the wait for the caches, and then the signal of the reconcile run. */
  readonly signal?: AbortSignal | undefined;
  /** The clock of the reconcile run. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** The random number source of the reconcile run. @default {systemRandom} */
  readonly random?: Random | undefined;
}

/**
 * Runs a controller's reconciler once for one key, for tests of a single step. The function first
 * fills separate caches with the state that the server has at the call. Events of the caches lead
 * to no run, nothing is retried, and no work is left when the promise settles.
 *
 * The controller's resources are compared with the server's discovery, as {@linkcode runOperator}
 * does.
 *
 * Resolves with the reconciler's request `{ requeueAfterMs }`, or `undefined`.
 *
 * @throws {unknown} The error of the reconciler; a `TimeoutError` when it failed after the
 * controller's `timeoutMs`; the reason of `signal`.
 * @throws {Error} When the reconciler ignores its aborted signal for longer than `abortGraceMs`.
 * @throws {ResourceMismatchError} When the server serves one of the resources differently.
 * @throws {CacheSyncError} When the caches did not sync in time.
 * @throws {TypeError} When the key cannot be one of the controller's resource, an option is
 * missing, unknown or of the wrong type, or two sources of the controller declare one index
 * differently or have different transforms.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { controllerFor, reconcileOnce } from "@xca/operator/controller";
 * import { ConfigMap } from "@xca/operator/meta";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 *
 * const controller = controllerFor(ConfigMap).reconcile(({ key, cache }) => {
 *   if (!cache.get(ConfigMap, key)) return { requeueAfterMs: 1_000 };
 * });
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * assert.deepEqual(await reconcileOnce(controller, "default/web", { client }), {
 *   requeueAfterMs: 1_000,
 * });
 * await client.create(ConfigMap, { metadata: { name: "web", namespace: "default" } });
 * assert.equal(await reconcileOnce(controller, "default/web", { client }), undefined);
 * ```
 */
export async function reconcileOnce(
  controller: ControllerDefinition,
  key: ObjectKey,
  options: ReconcileOnceOptions,
): Promise<RequeueAfter | undefined> {
  if (typeof controller?.reconcile !== "function" || !Array.isArray(controller.sources)) {
    throw new TypeError(
      "Cannot reconcile once: the controller must be made by controllerFor(...).reconcile(...)",
    );
  }
  const { name, sources } = controller;
  checkOnce(name, options);
  const { client, namespace, clock = systemClock, random = systemRandom } = options;
  parseKeyOf(controller.type, key);
  const informers = new InformerFactory(client, { namespace, clock, random });
  const views = viewsOf({ controller: name, sources, informers, namespace });
  const { syncTimeoutMs, staleCacheTimeoutMs } = controllerOptionsOf(controller);
  using limit = linkedAbort({
    signals: [options.signal],
    timeoutMs: syncTimeoutMs,
    timeoutReason: () => new CacheSyncError(name, syncTimeoutMs, unsynced(views.perSource.flat())),
    clock,
  });
  const events = recorderOf(controller, { client, clock, random });
  const caches = new AbortController();
  const ledger = new WriteLedger({
    views,
    timeoutMs: staleCacheTimeoutMs,
    release: () => {},
    clock,
  });
  const guard = new ResourceGuard({ operator: { name, controllers: [controller] }, client, clock });
  informers.start(caches.signal);
  try {
    await guard.begin(limit.signal);
    await informers.whenSynced(limit.signal);
    await guard.verify(limit.signal);
    const cache = cacheReaderOf(name, views);
    const outcome = await outcomeOf(controller, options, (signal) => {
      const reconcileID = random.uuid();
      const log = getLogger(["xca", "controller", name])
        .with({ controller: name, key, reconcileID });
      const { attempt = 1 } = options;
      const { namespace = "", name: objectName } = parseKey(key);
      return controller.reconcile(
        reconcileContext({
          key,
          namespace,
          name: objectName,
          controller: name,
          client,
          ledger,
          cache,
          events,
          signal,
          log,
          reconcileID,
          attempt,
          clock,
          random,
        }),
      );
    });
    return resultOf(outcome, options.signal);
  } finally {
    await events.close();
    ledger.clear();
    caches.abort(new DOMException(`the one run of ${name} is over`, "AbortError"));
    await informers.done;
  }
}

function unsynced(views: readonly View[]): ConstructorParameters<typeof CacheSyncError>[2] {
  return views.filter(({ informer }) => !informer.synced)
    .map(({ scope, informer }) => ({ type: scope.type, informer }));
}

/**
 * Calls a reconciler once and resolves to the outcome of the run. When the run ignores its aborted
 * signal for longer than `abortGraceMs`, abandons the run and rejects.
 */
async function outcomeOf(
  controller: ControllerDefinition,
  { signal, clock = systemClock }: ReconcileOnceOptions,
  reconcile: (signal: AbortSignal) => unknown,
): Promise<Outcome> {
  const settled = Promise.withResolvers<Outcome>();
  const { timeoutMs, abortGraceMs } = controllerOptionsOf(controller);
  const run = new ReconcileRun({
    reconcile,
    timeoutMs,
    warnAfterMs: Infinity,
    abortGraceMs,
    onSlow: () => {},
    onSettled: settled.resolve,
    onStuck: () =>
      settled.reject(
        new Error(
          `Reconcile of controller ${controller.name} does not end: it ignores its aborted signal`,
        ),
      ),
    clock,
  });
  const abort = (): void => run.abort(signal!.reason);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort(); // The reconciler may have aborted the signal synchronously.
  try {
    return await settled.promise;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

function resultOf(outcome: Outcome, signal: AbortSignal | undefined): RequeueAfter | undefined {
  switch (outcome.type) {
    case "done":
      return undefined;
    case "requeueAfter":
      return { requeueAfterMs: outcome.ms };
    case "aborted":
      throw signal!.reason;
    default:
      throw outcome.error;
  }
}
