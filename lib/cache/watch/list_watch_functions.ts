import { type Clock, errorText, systemClock } from "@xca/apimachinery/base";
import { TimeSlice } from "@xca/apimachinery/internal/base";
import type { KubeList, KubeObject, ListMeta } from "@xca/apimachinery/meta";
import { DecodeError } from "../../client/errors/decode_error.ts";
import type { ListQuery, WatchQuery } from "../../client/calls/list_query.ts";
import type { RawObject, RawObjectEvent, RawWatchEvent } from "../../client/decode/raw_event.ts";
import { IdleTimeoutError } from "../../client/errors/unreachable_error.ts";
import type { WatchEvent } from "../../client/typed/watch_event.ts";
import type { ListCallOptions, ListerWatcher, WatchCallOptions } from "./list_watch.ts";

/**
 * Number of items of a list function's result that are encoded and passed to the reflector in one
 * batch; other work may run between two batches.
 */
const BATCH = 100;

/**
 * The time after which the lister-watcher abandons a call of a user's list function, in
 * milliseconds.
 */
const LIST_TIMEOUT_MS = 120_000;

/**
 * The user's two functions, `list` and `watch`, which return parsed objects. {@linkcode
 * listWatchFrom} creates a lister-watcher from the two functions.
 */
export interface ListWatchFunctions<T extends KubeObject = KubeObject> {
  /**
   * Returns one page of the collection, with `metadata.continue` if there is another; may ignore
   * the query's `limit` and return everything. The reflector then watches from the list's
   * `metadata.resourceVersion`.
   */
  list(query: ListQuery, options: { readonly signal: AbortSignal }): Promise<KubeList<T>>;
  /**
   * Yields changes of the collection after the query's `resourceVersion`. After the iteration ends,
   * the reflector calls `watch` again; after an error it does so, or lists again, after a pause.
   */
  watch(
    query: WatchQuery,
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<WatchEvent<T>>;
}

/**
 * Returns a lister-watcher that calls a user's functions `list` and `watch`, which return parsed
 * objects, and encodes these objects as JSON text. Its own `watch` resolves at once; a refusal by
 * the user's `watch` is an error of the stream.
 *
 * Errors that the functions throw pass through: an {@linkcode ApiError} with code 410 makes the
 * reflector list again; after other errors the reflector tries again after a pause. A result of
 * `list` that is not a list is a {@linkcode DecodeError}. The functions should observe `signal`,
 * but the lister-watcher does not await a call that continues after the abort, or is silent for
 * longer than its deadline (two minutes for `list`, the idle timeout of the watch for `watch`).
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
  options: {
    /**
     * Sets whether the reflector may pass `sendInitialEvents` to `watch`, which must then begin
     * with all objects, followed by a bookmark annotated `k8s.io/initial-events-end: "true"`.
     *
     * @default {false}
     */
    readonly watchList?: boolean;
    /** The clock that measures the deadlines of the user's functions. @default {systemClock} */
    readonly clock?: Clock;
  } = {},
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
): Promise<{ readonly metadata: ListMeta }> {
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

/**
 * Returns the result of a user's list function unchanged, after checking that it has an object as
 * `metadata` and an array of `items`.
 *
 * @throws {DecodeError} If the result is not a list.
 */
function checkedList<T extends KubeObject>(list: KubeList<T>): KubeList<T> {
  if (typeof list?.metadata === "object" && list.metadata !== null && Array.isArray(list.items)) {
    return list;
  }
  throw new DecodeError(
    "Cannot read a list: the list function must return { metadata: { resourceVersion }, items: [...] }",
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
    error: new DecodeError(`Cannot decode a watch event of type ${JSON.stringify(event?.type)}`),
  };
}

const ENCODER = new TextEncoder();

/**
 * Returns an object as JSON text in UTF-8. An object that cannot be encoded, such as a cyclic one,
 * becomes text that is not JSON, so that the reflector reports the object and leaves it out.
 */
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
  /** The name of the user's function in the error message: `list function` or `watch function`. */
  readonly what: string;
}

/**
 * Calls `call` (the user's list function, or the next step of the user's watch) and settles as its
 * promise does. Rejects with the signal's reason when the signal is aborted, and with an {@linkcode
 * IdleTimeoutError} when the promise has not settled after `idleTimeoutMs`.
 */
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
