import type { BackoffOptions, Clock, Random } from "@xca/apimachinery/base";
import type { KubeObject, ResourceType } from "@xca/apimachinery/meta";
import type { ListerWatcher } from "../watch/list_watch.ts";
import type { Packer } from "../packed/packed_object.ts";
import type { ReflectorSink } from "./reflector_sink.ts";

/** The settings of a reflector that an informer's user may change. */
export interface ReflectorTuning {
  /**
   * Whether the initial state is streamed (WatchList) if the server supports it. Ignored if the
   * lister-watcher does not support it.
   *
   * @default {true}
   */
  readonly watchList?: boolean | undefined;
  /**
   * Objects per page of a list; 0 for one page of everything. Servers answer pages from their
   * storage and whole lists from their cache.
   *
   * @default 500 for the first list and for lists of the newest version, otherwise one page
   */
  readonly pageSize?: number | undefined;
  /**
   * The minimum timeout that a watch requests from the server, in seconds; the timeout is random,
   * up to twice this. Values below 300 are raised, since short watches cost a server much.
   *
   * @default {300}
   */
  readonly minWatchTimeoutSeconds?: number | undefined;
  /**
   * The longest silence of a stream before it is resumed, in milliseconds.
   *
   * By default a stream is considered dead when it outlives its own timeout by `idleMarginMs`,
   * because the server must have closed it by then. Half-open connections are detected sooner,
   * below this: within 55 s by TCP keep-alive (on Linux), within 48 s by a small request beside
   * silent streams. Neither detects a single stream that a proxy dropped while it serves the
   * others. But once a stream has sent a bookmark, others follow about every minute, so 90 s of
   * silence after one end it. Before the first bookmark nothing can be concluded, since servers
   * promise none. A wrong guess costs one resumed watch.
   *
   * Setting this replaces both rules; the detection below HTTP stays.
   *
   * @default the watch's timeout plus `idleMarginMs`; 90 seconds after a bookmark
   */
  readonly idleTimeoutMs?: number | undefined;
  /** The time by which a stream may outlive its timeout, in milliseconds. @default {5_000} */
  readonly idleMarginMs?: number | undefined;
  /**
   * The longest time without a new object in the initial events of a WatchList before the state is
   * listed instead, in milliseconds. All initial events together may take ten times that.
   *
   * @default {30_000}
   */
  readonly initialEventsDeadlineMs?: number | undefined;
  /**
   * The time during which a watch that ends in an InternalError is resumed at its version before
   * all objects are listed again, in milliseconds. 0 lists at once, since some of these errors
   * recur until the state is listed.
   *
   * @default {0}
   */
  readonly maxInternalErrorRetryMs?: number | undefined;
  /**
   * The pause after failures. @default 0.8 s, doubled up to 30 s, with jitter up to twice as long
   */
  readonly backoff?: Omit<BackoffOptions, "clock" | "random"> | undefined;
}

/** Options for {@linkcode Reflector}. */
export interface ReflectorOptions<T extends KubeObject = KubeObject> extends ReflectorTuning {
  /** Lists and watches the objects. */
  readonly listerWatcher: ListerWatcher;
  /** Receives the objects. */
  readonly sink: ReflectorSink<T>;
  /** Packs the objects. */
  readonly packer: Packer<T>;
  /** The expected resource; an event of another kind is reported and left out. @default any */
  readonly type?: ResourceType<T> | undefined;
  /** The name of the reflector in logs. @default the id of `type`, or "objects" */
  readonly name?: string | undefined;
  /** The source of time. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** The source of jitter. @default {systemRandom} */
  readonly random?: Random | undefined;
  /** Receives every failure and every lost object; an error that it throws is logged. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The least timeout of a watch that is requested, in seconds. */
const MIN_WATCH_TIMEOUT_SECONDS = 300;

/** Returns a random timeout for a watch, in whole seconds. */
export function watchTimeoutSeconds(minimum: number | undefined, random: Random): number {
  const least = Math.max(MIN_WATCH_TIMEOUT_SECONDS, minimum ?? 0);
  return Math.floor(least * (1 + random.next()));
}

/**
 * Returns the idle deadline of one stream, in milliseconds; see {@linkcode
 * ReflectorOptions.idleTimeoutMs}.
 */
export function idleTimeoutMs(
  options: Pick<ReflectorTuning, "idleTimeoutMs" | "idleMarginMs">,
  timeoutSeconds: number,
): number {
  return options.idleTimeoutMs ?? timeoutSeconds * 1000 + (options.idleMarginMs ?? 5_000);
}
