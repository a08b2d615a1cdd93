import type { BackoffOptions, Clock, Random } from "@xca/apimachinery/base";
import type { KubeObject, ResourceType } from "@xca/apimachinery/meta";
import type { ListerWatcher } from "../watch/list_watch.ts";
import type { Packer } from "../packed/packed_object.ts";
import type { ReflectorSink } from "./reflector_sink.ts";

/** Options of a reflector. */
export interface ReflectorOptions<T extends KubeObject = KubeObject> {
  /** Where objects come from. */
  readonly listerWatcher: ListerWatcher;
  /** Where they go. */
  readonly sink: ReflectorSink<T>;
  /** What packs them. */
  readonly packer: Packer<T>;
  /** The resource that is expected; an event of another kind is reported and left out. @default any */
  readonly type?: ResourceType<T> | undefined;
  /** What it is called in logs. @default the id of `type`, or "objects" */
  readonly name?: string | undefined;
  /** The source of time. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** Where jitter comes from. @default {systemRandom} */
  readonly random?: Random | undefined;
  /**
   * Whether the initial state is streamed (WatchList) where the server can do so. Off too when the
   * lister-watcher says that it cannot.
   *
   * @default {true}
   */
  readonly watchList?: boolean | undefined;
  /**
   * Objects per page of a list; 0 for one page of everything. Servers answer a list in pages from
   * their storage and a whole one from their cache.
   *
   * @default 500 for the first list and for lists of the newest version, otherwise one page
   */
  readonly pageSize?: number | undefined;
  /**
   * The server is asked to end a watch after a time between this and twice this, at random, in
   * seconds. Less than 300 is not honoured: short watches cost a server dearly.
   *
   * @default {300}
   */
  readonly minWatchTimeoutSeconds?: number | undefined;
  /**
   * How long a stream may be silent before it is taken for dead and resumed, in milliseconds.
   *
   * By default a stream that outlives its own time-out by `idleMarginMs` is dead: by then the server
   * must have closed it. That a connection is half-open shows sooner, below this: within 55 s by TCP
   * keep-alive (on Linux), within 48 s by a small request beside silent streams. What neither sees is
   * a single stream that a proxy forgot while it serves the others. But once a stream has brought a
   * bookmark the next follow about each minute, so that 90 s of silence after one are enough. Before
   * the first nothing can be said: servers promise none. A wrong guess costs one resumed watch.
   *
   * Setting it replaces both of these rules; those below HTTP stay.
   *
   * @default the watch's time-out and `idleMarginMs`; 90 seconds after a bookmark
   */
  readonly idleTimeoutMs?: number | undefined;
  /** How long a stream may outlive its time-out, in milliseconds. @default {5_000} */
  readonly idleMarginMs?: number | undefined;
  /**
   * How long the initial events of a WatchList may bring no new object before the bookmark that ends
   * them is given up and the state is listed, in milliseconds; altogether they may take ten times that.
   *
   * @default {30_000}
   */
  readonly initialEventsDeadlineMs?: number | undefined;
  /**
   * How long a watch that ends in an InternalError is resumed where it was before all is listed
   * again, in milliseconds. 0 lists at once: some of these errors come back until one does.
   *
   * @default {0}
   */
  readonly maxInternalErrorRetryMs?: number | undefined;
  /** The pause after failures. @default 0.8 s, doubled up to 30 s, with jitter up to twice as long */
  readonly backoff?: Omit<BackoffOptions, "clock" | "random"> | undefined;
  /** Told of every failure and of every object that is lost; what it throws is logged. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The least time-out of a watch that is honoured, in seconds. */
const MIN_WATCH_TIMEOUT_SECONDS = 300;

/** A random time-out of a watch, in whole seconds. */
export function watchTimeoutSeconds(minimum: number | undefined, random: Random): number {
  const least = Math.max(MIN_WATCH_TIMEOUT_SECONDS, minimum ?? 0);
  return Math.floor(least * (1 + random.next()));
}

/** The idle deadline of one stream, in milliseconds; see {@linkcode ReflectorOptions.idleTimeoutMs}. */
export function idleTimeoutMs(
  options: Pick<ReflectorOptions, "idleTimeoutMs" | "idleMarginMs">,
  timeoutSeconds: number,
): number {
  return options.idleTimeoutMs ?? timeoutSeconds * 1000 + (options.idleMarginMs ?? 5_000);
}
