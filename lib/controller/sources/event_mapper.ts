import { type Clock, errorText, type Timer } from "@xca/apimachinery/base";
import { ignoreRejection } from "@xca/apimachinery/internal/base";
import type { ObjectKey, ResourceType } from "@xca/apimachinery/meta";
import type { CacheReader } from "../../cache/readers/cache_reader.ts";
import type { ObservedObject } from "../../cache/events/observed_object.ts";
import { ItemExponentialLimiter } from "@xca/apimachinery/workqueue";
import type { SourceDefinition } from "../definition/controller_definition.ts";
import type { LoggerLike } from "../ports/logger_like.ts";
import { type MappedKeys, mappedKeys, NoKeysError } from "./mapped_keys.ts";
import { type FailingKey, ONCE_MAX_FAILURES } from "../ports/operator_progress.ts";

/**
 * The number of attempts to map a deleted object, after which the deletion is dropped: reached after
 * some three minutes, unless the object failed before its deletion.
 */
const MAX_GONE_ATTEMPTS = 16;

/** Options of the class {@linkcode EventMapper}, which maps events of a source to keys. */
export interface EventMapperOptions {
  /** The name of the controller. */
  readonly controller: string;
  /** The resource of the keys that events are mapped to. */
  readonly type: ResourceType;
  /** The source whose events are mapped to keys. */
  readonly source: SourceDefinition;
  /** The cache that mapping functions read. */
  readonly cache: CacheReader;
  /**
   * A promise that resolves once `cache` is complete, before which no mapping function is called;
   * `undefined` when the mapping function does not read the cache. Never rejects.
   */
  readonly ready: Promise<void> | undefined;
  /** The timeout of a mapping function, in milliseconds; `Infinity` for none. */
  readonly timeoutMs: number;
  /**
   * The time after which a call of a mapping function, which delays later events of the source, is
   * reported in the log, in milliseconds; `Infinity` for never.
   */
  readonly warnAfterMs: number;
  /**
   * Called when an asynchronous mapping of an event to keys has ended, any mapping has failed, or a
   * mapping that had failed before has succeeded.
   */
  readonly onChange: () => void;
  /** The log of mapping failures. */
  readonly log: LoggerLike;
  /** The clock for timeouts and retries of the mapping function. */
  readonly clock: Clock;
}

/**
 * A callback that receives the keys that the versions of one object were mapped to, each once;
 * possibly none.
 */
export type KeysTaker = (keys: ReadonlySet<ObjectKey>) => void;

/** The versions of one object to map to keys, and the receiver of the keys. */
export interface Mapping {
  /**
   * The versions of the object, the oldest first: one, or two for an update; before them the oldest
   * version of an earlier mapping that failed.
   */
  readonly objects: readonly ObservedObject[];
  /** Reports whether the newest version is the last version of a deleted object. */
  readonly isGone: boolean;
  /** The callback that receives the keys that the object was mapped to. */
  readonly take: KeysTaker;
  /** The number of failed attempts since the last event of the object. @default {0} */
  readonly failures?: number;
}

/** An object whose last mapping to keys failed, with its error and its retry. */
interface Unmapped {
  /**
   * The oldest and the newest version of the object to map. Versions in between are dropped, as
   * informers drop them too.
   */
  readonly objects: readonly ObservedObject[];
  readonly error: string;
  readonly attempts: number;
  /**
   * The timer of the next attempt to map the object; `undefined` when another attempt would fail in
   * the same way.
   */
  readonly retry: Timer | undefined;
  readonly retryAtMs: number;
}

/**
 * A mapper from the events of one source to keys. A mapping function that throws, rejects or takes
 * too long is called again, after 5 ms, doubled per failure up to 1000 s, and the object counts as
 * failing meanwhile; for a deleted object up to 16 times. A returned value that cannot be a key is a
 * failure that is not retried: the object counts as failing until it changes or is deleted.
 */
export class EventMapper {
  readonly #options: EventMapperOptions;
  readonly #unmapped = new Map<ObjectKey, Unmapped>();
  readonly #backoff = new ItemExponentialLimiter<ObjectKey>();
  #running = 0;
  #isReady: boolean;
  #isStopped = false;

  constructor(options: EventMapperOptions) {
    this.#options = options;
    this.#isReady = options.ready === undefined;
  }

  /**
   * Reports whether no event of the source is being mapped to keys, and no mapping that failed
   * fewer than {@linkcode ONCE_MAX_FAILURES} times in a row awaits a retry.
   */
  get settled(): boolean {
    return this.#running === 0 &&
      [...this.#unmapped.values()].every(({ attempts, retry }) =>
        retry === undefined || attempts >= ONCE_MAX_FAILURES
      );
  }

  /**
   * Returns the failures of the objects whose last mapping to keys failed, by a function or an
   * invalid key.
   */
  failing(): FailingKey[] {
    const now = this.#options.clock.monotonicMs();
    const { controller, source } = this.#options;
    return [...this.#unmapped].map(([key, { error, attempts, retry, retryAtMs }]) => ({
      controller,
      key,
      mapping: source.type.id,
      error,
      attempts,
      nextTryInMs: retry === undefined ? undefined : Math.max(0, retryAtMs - now),
    }));
  }

  /**
   * Calls the mapping function with each version of one object, and with the oldest version of an
   * earlier mapping of it that failed, and passes all the keys to `take` in one call: before the
   * call returns if the mapping function is synchronous and the cache is complete, otherwise before
   * the returned promise resolves. Never throws or rejects; a failure is logged and, if another
   * attempt may succeed, retried.
   */
  map(mapping: Mapping): void | Promise<void> {
    const { objects } = mapping;
    const before = this.#unmapped.get(objects[0]!.key);
    const whole = before ? { ...mapping, objects: [before.objects[0]!, ...objects] } : mapping;
    if (!this.#isReady) return this.#track(this.#mapOnceReady(whole));
    const mapped = this.#try(whole);
    return mapped && this.#track(mapped);
  }

  /**
   * Forgets the failed mappings of events, cancels their retries, and drops the results of mapping
   * functions in progress.
   */
  stop(): void {
    this.#isStopped = true;
    for (const { retry } of this.#unmapped.values()) retry?.[Symbol.dispose]();
    this.#unmapped.clear();
  }

  async #mapOnceReady(mapping: Mapping): Promise<void> {
    await this.#options.ready;
    this.#isReady = true;
    if (!this.#isStopped) await this.#try(mapping);
  }

  async #track(mapped: Promise<void>): Promise<void> {
    this.#running++;
    try {
      await mapped;
    } finally {
      this.#running--;
      this.#options.onChange();
    }
  }

  #try(mapping: Mapping): void | Promise<void> {
    const { source, cache } = this.#options;
    try {
      // A later call may throw before the promise of an earlier one is awaited.
      const returned = mapping.objects.map((object) =>
        ignoreRejection(source.map(object, { cache }) as unknown)
      );
      if (returned.some(isThenable)) return this.#await(mapping, returned);
      this.#take(mapping, returned);
    } catch (error) {
      this.#fail(mapping, error);
    }
  }

  async #await(mapping: Mapping, returned: readonly unknown[]): Promise<void> {
    const { clock, timeoutMs, warnAfterMs } = this.#options;
    const late = Promise.withResolvers<never>();
    const warning = warnAfterMs === Infinity
      ? undefined
      : clock.after(warnAfterMs, () => this.#warn(mapping.objects[0]!.key));
    const timer = timeoutMs === Infinity ? undefined : clock.after(timeoutMs, () =>
      late.reject(
        new DOMException(`the mapping function took longer than ${timeoutMs} ms`, "TimeoutError"),
      ));
    try {
      const settled = await Promise.race([Promise.all(returned), late.promise]);
      if (!this.#isStopped) this.#take(mapping, settled);
    } catch (error) {
      this.#fail(mapping, error);
    } finally {
      timer?.[Symbol.dispose]();
      warning?.[Symbol.dispose]();
    }
  }

  #warn(key: ObjectKey): void {
    const { log, source, warnAfterMs, timeoutMs } = this.#options;
    const end = timeoutMs === Infinity ? "it has no timeout" : `it fails after ${timeoutMs} ms`;
    log.warn(
      "The mapping of {type} {key} to keys has not settled for {ms} ms, and delays all later events " +
        "of {type}; {end}",
      { type: source.type.id, key, ms: warnAfterMs, end },
    );
  }

  #take(mapping: Mapping, returned: readonly unknown[]): void {
    const mapped: MappedKeys[] = [];
    try {
      for (const each of returned) mapped.push(mappedKeys(this.#options.type, each));
    } catch (error) {
      // An iterator that the user wrote may throw as well: another attempt may succeed.
      return this.#fail(mapping, error, { isLasting: error instanceof NoKeysError });
    }
    const keys = new Set(mapped.flatMap((each) => [...each.keys]));
    const problem = mapped.find((each) => each.problem !== undefined)?.problem;
    const wasFailing = this.#unmapped.has(mapping.objects[0]!.key);
    this.#forget(mapping.objects[0]!.key);
    mapping.take(keys); // Before a failure is notified: `settled()` must see the valid keys.
    if (problem !== undefined) this.#fail(mapping, problem, { isLasting: true });
    // A retry that maps to no key changes nothing else that callers of `settled()` wait for.
    if (wasFailing) this.#options.onChange();
  }

  #forget(key: ObjectKey): void {
    this.#unmapped.get(key)?.retry?.[Symbol.dispose]();
    this.#unmapped.delete(key);
    this.#backoff.forget(key);
  }

  /**
   * Records and logs a failed mapping, and schedules a retry unless another call would fail in the
   * same way (`isLasting`). A lasting failure of a deleted object, and its last attempt, are only
   * logged.
   */
  #fail(
    mapping: Mapping,
    thrown: unknown,
    { isLasting = false }: { readonly isLasting?: boolean } = {},
  ): void {
    if (this.#isStopped) return;
    const { clock, log, source, onChange } = this.#options;
    const { objects, isGone } = mapping;
    const { key } = objects[0]!;
    const before = this.#unmapped.get(key);
    before?.retry?.[Symbol.dispose]();
    const inMs = this.#backoff.whenMs(key);
    const states = objects.length > 1 ? [objects[0]!, objects.at(-1)!] : objects;
    const error = `the mapping of ${source.type.id} to keys failed: ${errorText(thrown)}`;
    const attempt = (before?.attempts ?? 0) + 1;
    const failures = (mapping.failures ?? 0) + 1;
    if (isGone && (isLasting || failures >= MAX_GONE_ATTEMPTS)) {
      // No later event of the object can end the failure.
      this.#forget(key);
      log.error("For {key} {error}; the mapping is not retried, since the object is deleted", {
        key,
        error,
        attempt,
      });
      return onChange();
    }
    const retry = isLasting ? undefined : clock.after(inMs, () => {
      const mapped = this.#try({ ...mapping, objects: states, failures });
      if (mapped) void this.#track(mapped);
    });
    const retryAtMs = clock.monotonicMs() + inMs;
    this.#unmapped.set(key, { objects: states, error, attempts: attempt, retry, retryAtMs });
    log.error(
      "For {key} {error}" +
        (isLasting
          ? "; it is not tried again before the object changes"
          : ", retrying in {nextTryInMs} ms"),
      { key, error, attempt, ...(isLasting ? {} : { nextTryInMs: inMs }) },
    );
    onChange();
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null &&
    typeof (value as Partial<PromiseLike<unknown>>).then === "function";
}
