import { type Clock, errorText, systemClock } from "@xca/apimachinery/base";
import { TimeSlice } from "@xca/apimachinery/internal/base";
import type { KubeList, KubeObject } from "@xca/apimachinery/meta";
import { DecodeError } from "../../client/errors/decode_error.ts";
import type {
  ListQuery,
  RawListResult,
  RawObject,
  RawObjectEvent,
  RawWatchEvent,
  WatchQuery,
} from "../../client/raw/raw.ts";
import { IdleTimeoutError } from "../../client/errors/unreachable_error.ts";
import type { WatchEvent } from "../../client/typed/watch_event.ts";
import type { ListCallOptions, ListerWatcher, WatchCallOptions } from "./list_watch.ts";

/** How many items of a list are handed over at once. */
const BATCH = 100;

/** After how long a list function is given up. */
const LIST_TIMEOUT_MS = 120_000;

/** Two functions that list and watch a collection of parsed objects. */
export interface ListWatchFunctions<T extends KubeObject = KubeObject> {
  /**
   * Lists one page; it may ignore the query's `limit` and return everything. The list's
   * `metadata.resourceVersion` is where the watch begins.
   */
  list(query: ListQuery, options: { readonly signal: AbortSignal }): Promise<KubeList<T>>;
  /** Yields changes after the query's `resourceVersion` until it ends, or throws. */
  watch(
    query: WatchQuery,
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<WatchEvent<T>>;
}

/** Options for {@linkcode listWatchFrom}. */
export interface ListWatchFunctionsOptions {
  /**
   * Whether `watch` honours `sendInitialEvents`: begins with all objects, then a bookmark annotated
   * `k8s.io/initial-events-end: "true"`.
   *
   * @default {false}
   */
  readonly watchList?: boolean;
  /** Where time comes from. @default {systemClock} */
  readonly clock?: Clock;
}

/**
 * A lister-watcher of the user's own two functions.
 *
 * What they throw passes through: an {@linkcode ApiError} with code 410 lists again, others are met
 * with a pause. They should heed `signal`, but nothing hangs when they do not: a call that goes on
 * after the abort, or is silent for longer than the idle deadline, is left behind.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { listWatchFrom } from "@xca/operator/cache";
 * import type { KubeObject } from "@xca/operator/meta";
 *
 * const memory: KubeObject[] = [{ metadata: { name: "a", uid: "1", resourceVersion: "1" } }];
 * const listerWatcher = listWatchFrom<KubeObject>({
 *   list: () => Promise.resolve({ metadata: { resourceVersion: "1" }, items: memory }),
 *   watch: async function* () {},
 * });
 * assert(listerWatcher.watchList === false);
 * ```
 */
export function listWatchFrom<T extends KubeObject>(
  functions: ListWatchFunctions<T>,
  options: ListWatchFunctionsOptions = {},
): ListerWatcher {
  const { watchList = false, clock = systemClock } = options;
  return {
    watchList,
    list: (query, onItems, call) => listParsed(functions, query, onItems, { ...call, clock }),
    watch: (query, call) => Promise.resolve(watchParsed(functions, query, { ...call, clock })),
  };
}

async function listParsed<T extends KubeObject>(
  functions: ListWatchFunctions<T>,
  query: ListQuery,
  onItems: (batch: readonly RawObject[]) => void,
  { signal, clock }: ListCallOptions & { readonly clock: Clock },
): Promise<RawListResult> {
  const list = await settled(() => functions.list(query, { signal }), {
    signal,
    clock,
    idleTimeoutMs: LIST_TIMEOUT_MS,
    what: "list function",
  });
  const { metadata, items } = checkedList(list);
  const slice = new TimeSlice(clock);
  for (let at = 0; at < items.length; at += BATCH) {
    onItems(items.slice(at, at + BATCH).map(encode));
    if (slice.used) await slice.next(signal);
  }
  return { metadata };
}

/** The list, when it is one. */
function checkedList<T extends KubeObject>(list: KubeList<T>): KubeList<T> {
  if (typeof list?.metadata === "object" && list.metadata !== null && Array.isArray(list.items)) {
    return list;
  }
  throw new DecodeError(
    "Cannot take in a list: the list function must return { metadata: { resourceVersion }, items: [...] }",
  );
}

async function* watchParsed<T extends KubeObject>(
  functions: ListWatchFunctions<T>,
  query: WatchQuery,
  { signal, clock, idleTimeoutMs }: WatchCallOptions & { readonly clock: Clock },
): AsyncGenerator<readonly RawWatchEvent[]> {
  const iterator = functions.watch(query, { signal })[Symbol.asyncIterator]();
  let left = false;
  try {
    for (;;) {
      left = true;
      const next = await settled(() => iterator.next(), {
        signal,
        clock,
        idleTimeoutMs,
        what: "watch function",
      });
      left = false;
      if (next.done) return;
      yield [encodeEvent(next.value)];
    }
  } finally {
    const closing = Promise.resolve(iterator.return?.()).catch(() => {});
    if (!left) await closing;
  }
}

const TYPES: ReadonlySet<string> = new Set(["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"]);

function encodeEvent(event: WatchEvent): RawWatchEvent {
  if (TYPES.has(event?.type) && typeof event.object === "object" && event.object !== null) {
    return { type: event.type as RawObjectEvent["type"], object: encode(event.object) };
  }
  return {
    type: "UNDECODABLE",
    error: new DecodeError(`Cannot take in a watch event of type ${JSON.stringify(event?.type)}`),
  };
}

const ENCODER = new TextEncoder();

/** An object as text. One that has none (it holds itself, say) becomes text that is reported and left out. */
function encode(object: KubeObject): RawObject {
  try {
    return ENCODER.encode(JSON.stringify(object) ?? "undefined");
  } catch (error) {
    return ENCODER.encode(errorText(error));
  }
}

interface SettledOptions {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly idleTimeoutMs: number;
  /** Whose call it is, for the message. */
  readonly what: string;
}

/** The outcome of a call, or the reason why it is not waited for any longer. */
function settled<V>(call: () => Promise<V>, options: SettledOptions): Promise<V> {
  const { signal, clock, idleTimeoutMs, what } = options;
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise<V>((resolve, reject) => {
    const onAbort = (): void => end(() => reject(signal.reason));
    const timer = clock.after(
      idleTimeoutMs,
      () => end(() => reject(new IdleTimeoutError(what, idleTimeoutMs))),
    );
    signal.addEventListener("abort", onAbort);
    function end(settle: () => void): void {
      timer[Symbol.dispose]();
      signal.removeEventListener("abort", onAbort);
      settle();
    }
    Promise.try(call).then(
      (value) => end(() => resolve(value)),
      (error) => end(() => reject(error)),
    );
  });
}
