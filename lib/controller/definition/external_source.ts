import type { Clock, Random } from "@xca/apimachinery/base";
import type { ObjectKey } from "@xca/apimachinery/meta";
import type { CacheReader } from "../../cache/readers/cache_reader.ts";
import type { LoggerLike } from "../ports/logger_like.ts";

/**
 * The argument of an {@linkcode ExternalSource}: the function that queues keys, and the
 * dependencies of the controller.
 */
export interface ExternalSourceContext {
  /**
   * Queues a key of the controller's resource for a reconcile run, and returns at once. A key that
   * is already queued is not queued twice. Once the operator stops, the call does nothing.
   *
   * @throws {TypeError} When the key cannot be one of the controller's resource.
   */
  readonly enqueue: (key: ObjectKey) => void;
  /** The reader of the controller's cache, which is complete when the external source starts. */
  readonly cache: CacheReader;
  /**
   * The signal that is aborted when the operator stops. The external source then has to end within
   * the controller's `abortGraceMs`; after that it is abandoned.
   */
  readonly signal: AbortSignal;
  /** The logger of the external source; each record carries `controller` and `source`. */
  readonly log: LoggerLike;
  /** The clock of the controller. */
  readonly clock: Clock;
  /** The random number source of the controller. */
  readonly random: Random;
}

/**
 * A function that waits for changes outside of the cluster, such as those of a registry that is
 * polled or of a message queue, and queues the keys that they concern (pkg/source/source.go, Func).
 *
 * The function runs while the controller works: once its caches are complete, and on the replica
 * that leads. When the function returns, or its promise resolves, the source has ended and is not
 * called again. When it throws or rejects, the error is logged, and the function is called again:
 * after a second, doubled per failure up to half a minute, and up to twice as long by jitter. In
 * `settled()` and `run --once`, a source that fails three times in a row counts as failed.
 *
 * An external source delivers keys and no data: the reconciler reads the current state itself, so
 * that a change that is noticed late, twice, or not before a resync does no harm.
 */
export type ExternalSource = (context: ExternalSourceContext) => void | Promise<void>;

/** An external source of a controller, as `ControllerBuilder.reconcilesOn` declares it. */
export interface ExternalSourceDefinition {
  /** The name of the external source in logs, unique within its controller. */
  readonly name: string;
  /** The function that queues the keys of the external source. */
  readonly run: ExternalSource;
}
