import type { Clock, Random } from "@xca/apimachinery/base";
import type { KubeObject, ObjectKey, ResourceType } from "@xca/apimachinery/meta";
import type { Client } from "../../client/typed/client.ts";
import type { CacheReader } from "../../cache/readers/cache_reader.ts";
import type { EventRecorder } from "../../events/event_recorder.ts";
import type { LoggerLike } from "../ports/logger_like.ts";

/**
 * The argument of a reconciler: key, client, cache and logger of one reconcile run. The controller
 * creates a context per run.
 */
export interface ReconcileContext {
  /**
   * The key of the object to reconcile: `namespace/name`, or `name` when cluster-scoped. The object
   * may be deleted, or never have existed.
   */
  readonly key: ObjectKey;
  /** The namespace of the object to reconcile; empty when cluster-scoped. */
  readonly namespace: string;
  /** The name of the object to reconcile. */
  readonly name: string;
  /**
   * The client of this reconcile run. Calls without a signal of their own reject when `signal` is
   * aborted, and no write starts after that. The key is not reconciled again on a cache that is
   * older than the run's writes. The exceptions are the deletion of a collection through `request`
   * and `requestJson`, and one by a field selector on fields other than `metadata.name` and
   * `metadata.namespace`.
   */
  readonly client: Client;
  /**
   * The reconciler's cache of every resource that the controller is for, owns or watches. Reads
   * never send a request.
   */
  readonly cache: CacheReader;
  /**
   * Returns the selectors and namespaces of the controller's caches as a text when all of them
   * leave an object out, so that the controller never sees the object; `undefined` when a cache
   * holds the object, or may hold it. {@linkcode applyChild} refuses such an object.
   *
   * @default none, in a context that a test makes
   */
  readonly outsideOf?: ((type: ResourceType, object: KubeObject) => string | undefined) | undefined;
  /**
   * The recorder of events about objects, which `kubectl describe` shows. Recording an event
   * neither blocks nor fails a run. No event is written once the controller may write no more; at
   * the end of the operator the last events are written. The operator needs `create` and `patch` of
   * `events.events.k8s.io`.
   */
  readonly events: Pick<EventRecorder, "record">;
  /**
   * The signal of the reconcile run, aborted when the timeout of the run is over, or when the
   * operator stops and its grace period is over. There is no grace period after the write gate has
   * closed, such as after the loss of leadership. In {@linkcode reconcileOnce} it is aborted when
   * the timeout is over or the caller's signal is aborted.
   */
  readonly signal: AbortSignal;
  /**
   * The logger of the reconcile run; each record carries `controller`, `namespace`, `name` and
   * `reconcileID`, and in {@linkcode reconcileOnce} `key` in place of namespace and name.
   */
  readonly log: LoggerLike;
  /** The id of the reconcile run in logs, unique per run. */
  readonly reconcileID: string;
  /**
   * The number of the reconcile attempt: 1, or one more than the number of the key's failures in a
   * row before this run; in {@linkcode reconcileOnce} the option `attempt`.
   */
  readonly attempt: number;
  /** The clock of the controller. */
  readonly clock: Clock;
  /** The random number source of the controller. */
  readonly random: Random;
}

/** The result of a reconciler that requests another run even without a change. */
export interface RequeueAfter {
  /**
   * The delay from the end of this run to the requested one in milliseconds, at least 0. An event
   * may cause an earlier run.
   */
  readonly requeueAfterMs: number;
}

/**
 * A function that moves the state of the cluster towards the desired state of one object.
 *
 * The reconciler gets a key instead of an event: it reads the current state and acts on the
 * difference, so that a repeated or late run does no harm. Its result decides what follows:
 *
 * - It returns nothing: the key is done, and its earlier failures are forgotten.
 * - It returns `{ requeueAfterMs }`: the key is done, and runs again after that time.
 * - It returns another value: a mistake in the program, which counts as a failure.
 * - It throws: the key runs again after a back-off that grows with each failure in a row. But if
 *   the server refused a write because the namespace of the key is being deleted, the key is done.
 * - It throws {@linkcode RetryAfterError} (`retryAfter()`): the key runs again after the delay of
 *   the error.
 * - It throws {@linkcode TerminalError}: logged, and not run again until something changes.
 */
export type Reconciler = (
  context: ReconcileContext,
  // `void` is in the type because most reconcilers return nothing.
) => void | RequeueAfter | Promise<void | RequeueAfter>;
