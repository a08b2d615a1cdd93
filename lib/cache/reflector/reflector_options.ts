import type { BackoffOptions, Clock, Random } from "@xca/apimachinery/base";
import type { KubeObject, ResourceType } from "@xca/apimachinery/meta";
import type { ListerWatcher } from "../watch/list_watch.ts";
import type { Packer } from "../packed/packed_object.ts";
import type { ReflectorSink } from "./reflector_sink.ts";

/** The settings of an informer's list and watch loop (its reflector) that a user may change. */
export interface ReflectorTuning {
  /**
   * Sets whether the reflector requests the initial objects as a stream (WatchList), and lists them
   * if the server refuses the stream or the stream does not complete. If `false`, or if the
   * lister-watcher does not support streams, the reflector always lists them.
   *
   * @default {true}
   */
  readonly watchList?: boolean | undefined;
  /**
   * Number of objects per page of a list; 0 for one page of everything. Servers answer pages from
   * their storage and whole lists from their cache.
   *
   * @default 500 for the first list, for lists of the newest version, and if the server pages the
   * first list; otherwise one page
   */
  readonly pageSize?: number | undefined;
  /**
   * The minimum timeout that a watch requests from the server, in seconds; each watch requests a
   * random timeout from this to twice this. Values below 300 are raised to 300, since short watches
   * burden the server.
   *
   * @default {300}
   */
  readonly minWatchTimeoutSeconds?: number | undefined;
  /**
   * The longest silence of a watch before it is resumed, in milliseconds.
   *
   * By default a stream is considered dead after a silence of its own timeout plus `idleMarginMs`,
   * because the server must have closed it by then. Half-open connections are detected sooner,
   * below this: within 55 s by TCP keep-alive (on Linux), within 48 s by a small request on another
   * connection. Neither detects a single stream that a proxy dropped while it serves the others.
   * But once a stream has sent a bookmark, others follow about every minute, so 90 s of silence
   * after a bookmark end the stream. Before the first bookmark nothing can be concluded, since
   * servers promise none. A wrong guess costs one resumed watch.
   *
   * Setting this option replaces both rules; the detection below HTTP stays.
   *
   * @default the watch's timeout plus `idleMarginMs`; 90 seconds after a bookmark
   */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * The time by which a watch may be silent for longer than the timeout that it requested, in
   * milliseconds. Ignored if `idleTimeoutMs` is set.
   *
   * @default {5_000}
   */
  readonly idleMarginMs?: number | undefined;
  /**
   * The longest time without a new object in the initial events of a WatchList before the objects
   * are listed instead, in milliseconds. All initial events together may take ten times that.
   *
   * @default {30_000}
   */
  readonly initialEventsDeadlineMs?: number | undefined;
  /**
   * The time, since the first of a series of InternalErrors that end a watch, during which the
   * reflector resumes the watch at its version before it lists all objects again, in milliseconds.
   * An error 60 s or more after the last begins a new series. 0 lists at the first such error,
   * since some of these errors recur until all objects are listed.
   *
   * @default {0}
   */
  readonly maxInternalErrorRetryMs?: number | undefined;
  /**
   * The backoff after failures of a reflector's list or watch. While the server lacks the resource,
   * as before its CustomResourceDefinition is created, `maxMs` is at most 5000, so that the
   * reflector lists the objects within ten seconds after the creation.
   *
   * @default 0.8 s, doubled up to 30 s, with jitter up to twice as long
   */
  readonly backoff?: Omit<BackoffOptions, "clock" | "random"> | undefined;
}

/**
 * Options of the class {@linkcode Reflector}, which lists and watches the objects of a resource.
 */
export interface ReflectorOptions<T extends KubeObject = KubeObject> extends ReflectorTuning {
  /** The source of the reflector's objects: lists and watches them. */
  readonly listerWatcher: ListerWatcher;
  /** The receiver of the reflector's objects, such as the queue of a cache. */
  readonly sink: ReflectorSink<T>;
  /** The packer that converts the JSON text of received objects to packed objects for the sink. */
  readonly packer: Packer<T>;
  /**
   * The resource that the reflector expects; an object of another kind is reported and left out.
   *
   * @default any
   */
  readonly type?: ResourceType<T> | undefined;
  /** The name of the reflector in logs. @default the id of `type`, or "objects" */
  readonly name?: string | undefined;
  /** The clock that the reflector uses for timers and timestamps. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** The random number source for the jitter of the reflector's pauses. @default {systemRandom} */
  readonly random?: Random | undefined;
  /**
   * Receives the error of every failed list or watch, except a refused WatchList that a LIST
   * replaces, and of every lost object; an error that the function throws is logged.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The shortest timeout that a watch requests, in seconds. */
const MIN_WATCH_TIMEOUT_SECONDS = 300;

/**
 * Returns a random timeout for a watch request, in whole seconds: between the minimum, which is at
 * least 300, and twice the minimum.
 */
export function watchTimeoutSeconds(minimum: number | undefined, random: Random): number {
  const least = Math.max(MIN_WATCH_TIMEOUT_SECONDS, minimum ?? 0);
  return Math.floor(least * (1 + random.next()));
}

/**
 * Returns the longest accepted silence of one watch that requested a timeout of `timeoutSeconds`,
 * in milliseconds: `idleTimeoutMs` if set, otherwise the timeout plus `idleMarginMs`.
 */
export function idleTimeoutMs(
  options: Pick<ReflectorTuning, "idleTimeoutMs" | "idleMarginMs">,
  timeoutSeconds: number,
): number {
  return options.idleTimeoutMs ?? timeoutSeconds * 1000 + (options.idleMarginMs ?? 5_000);
}
