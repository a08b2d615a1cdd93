import { groupResourceOf } from "../definition/group_resource.ts";
import type { Clock } from "@xca/apimachinery/base";
import { attempt } from "@xca/apimachinery/internal/base";
import type { KubeObject, ObjectKey, ResourceType } from "@xca/apimachinery/meta";
import { keyOf } from "@xca/apimachinery/meta";
import type { Trigger } from "../sources/trigger.ts";
import { changedPaths } from "./changed_paths.ts";

/**
 * Maximum delay of a requested reconcile run that counts as a run at once for the detection of hot
 * loops, in milliseconds.
 */
export const AT_ONCE_MS = 10;
/**
 * Number of keys whose writes the hot loop detector remembers between two runs, in addition to the
 * keys that run. The key whose run ended first is forgotten first.
 */
const MOST_KEYS = 1_000;
/**
 * Maximum number of written objects, of deleted objects and of causes of the next run that the hot
 * loop detector remembers per key, and (`MOST_VERSIONS`) of versions per written object.
 */
const MOST_OBJECTS = 16;
const MOST_VERSIONS = 8;
/**
 * Maximum time from the first to the last of the runs that make a key a hot loop, in milliseconds.
 */
const WINDOW_MS = 60_000;
/** Delay of the first slowed run of a hot loop, in milliseconds; doubled for each further run. */
const FIRST_DELAY_MS = 1_000;
/** Maximum delay of a slowed run of a hot loop, in milliseconds. */
const MAX_DELAY_MS = 60_000;

/**
 * Options of the class {@linkcode HotLoops}, which detects keys whose reconcile runs cause each
 * other.
 */
export interface HotLoopsOptions {
  /** The number of runs in a row after which a key counts as a hot loop; `Infinity` for never. */
  readonly runs: number;
  /** The clock that measures the time between runs of a hot loop. */
  readonly clock: Clock;
}

/** A hot loop: a key whose reconcile runs cause each other. */
export interface HotLoop {
  /** The number of runs of the hot loop in a row so far, each caused by the run before. */
  readonly runs: number;
  /** The time since the first reconcile run of the hot loop, in milliseconds. */
  readonly ms: number;
  /** The delay of the hot loop's next run after the end of the last, in milliseconds. */
  readonly delayMs: number;
  /**
   * The fields, at most five, that the last observed write of the hot loop changed, such as
   * `Deployment default/web: spec.replicas`; empty if no write was observed.
   */
  readonly fields: readonly string[];
  /**
   * Reports whether the reconciler requested the last run of the hot loop, and no write caused it.
   */
  readonly isRequested: boolean;
  /** Reports whether {@linkcode HotLoops.began} has returned the hot loop before. */
  readonly isKnown: boolean;
}

/**
 * A cause of a key's next reconcile run: an event of an object, `requeue` (the last run requested
 * the next run at once), or `foreign` (any cause outside of the key's own runs).
 */
type Cause =
  | { readonly id: string; readonly version: string; readonly old: string | undefined }
  | { readonly id: string; readonly deleted: true }
  | "requeue"
  | "foreign";

const NO_CAUSES: readonly Cause[] = [];
const FOREIGN: readonly Cause[] = ["foreign"];

interface KeyState {
  /**
   * The last resourceVersions that the key's runs wrote, by object ({@linkcode idOf}); `undefined`
   * before the first write.
   */
  own: Map<string, string[]> | undefined;
  /** The objects that the key's runs deleted; `undefined` before the first deletion. */
  deleted: Set<string> | undefined;
  /**
   * The objects of which the cache has shown a version that the key's runs wrote, since the last
   * run with a foreign cause; `undefined` if none was recorded since.
   */
  seen: Set<string> | undefined;
  /**
   * The causes of the key's next run, at most {@linkcode MOST_OBJECTS}; `foreign` replaces all of
   * them when a foreign cause, or one cause too many, is recorded.
   */
  causes: readonly Cause[];
  /** Reports whether the key's current run wrote an object, or requested the next run at once. */
  isActive: boolean;
  runs: number;
  firstMs: number;
  endedMs: number;
  /**
   * The number of the key's runs since the hot loop was found, the run that revealed it included; 0
   * while there is no hot loop.
   */
  slowed: number;
  fields: readonly string[];
  /** Reports whether the reconciler requested the key's current run and no write caused it. */
  isRequested: boolean;
  /** Reports whether `began` has returned a hot loop of the key since the state was created. */
  isKnown: boolean;
}

/**
 * A detector of hot loops: keys that are reconciled again and again without a change by another
 * writer. In a hot loop, every cause of each run is a write of the key's own runs, or a run that
 * the reconciler requested at once. Such a key is slowed until a change by another writer, a retry
 * or a scheduled run occurs, or a run does not cause another.
 *
 * Writes through the client of the run count as own ones. Writes by other clients do not: no record
 * shows which run sent them. An event that cannot be assigned to an own write is a foreign one, so
 * that no key is slowed by mistake. A state is kept for a key while it runs, and for the 1 000 keys
 * whose last run wrote, or requested another run at once, most recently.
 */
export class HotLoops {
  readonly #options: HotLoopsOptions;
  /** The states of the keys that run. Never bounded: a key that runs must not lose its state. */
  readonly #running = new Map<ObjectKey, KeyState>();
  /**
   * The states of the keys that do not run, and whose last run wrote or requested another run at
   * once; in the order of the ends of these runs.
   */
  readonly #idle = new Map<ObjectKey, KeyState>();

  constructor(options: HotLoopsOptions) {
    this.#options = options;
  }

  /** The number of keys of which the hot loop detector has a state, running ones included. */
  get size(): number {
    return this.#running.size + this.#idle.size;
  }

  /**
   * Records that a reconcile run of a key begins, and returns the hot loop if the run continues a
   * loop that has lasted for the configured number of runs; `undefined` otherwise.
   */
  began(key: ObjectKey): HotLoop | undefined {
    const state = this.#stateOf(key) ?? newState();
    const isSelfCaused = this.#isSelfCaused(state);
    if (isSelfCaused) this.#note(state);
    state.causes = NO_CAUSES;
    state.isActive = false;
    this.#idle.delete(key);
    this.#running.set(key, state);
    if (!isSelfCaused) {
      state.runs = 0;
      state.slowed = 0;
      state.seen = undefined;
      return undefined;
    }
    const nowMs = this.#options.clock.monotonicMs();
    if (state.runs === 0 || (state.slowed === 0 && nowMs - state.firstMs > WINDOW_MS)) {
      state.runs = 0;
      state.firstMs = nowMs;
    }
    state.runs++;
    if (state.runs < this.#options.runs) return undefined;
    state.slowed++;
    const loop = this.loop(key);
    state.isKnown = true;
    return loop;
  }

  /**
   * Records that a reconcile run of a key ended. If the run neither wrote nor requested another run
   * at once, forgets the key's state, and so its hot loop.
   */
  ended(key: ObjectKey): void {
    const state = this.#running.get(key);
    if (!state) return;
    this.#running.delete(key);
    if (!state.isActive) return;
    state.endedMs = this.#options.clock.monotonicMs();
    this.#idle.set(key, state);
    if (this.#idle.size > MOST_KEYS) this.#idle.delete(this.#idle.keys().next().value!);
  }

  /**
   * Records that a run of a key wrote an object; `object` is the server's response. Does nothing
   * for a key without a state, neither running nor remembered.
   */
  wrote(key: ObjectKey, type: ResourceType, object: KubeObject): void {
    const state = this.#stateOf(key);
    if (!state) return;
    state.isActive = true;
    const id = idOf(type, keyOf(object));
    const own = state.own ??= new Map();
    const versions = own.get(id) ?? [];
    versions.push(object.metadata.resourceVersion ?? "");
    if (versions.length > MOST_VERSIONS) versions.shift();
    own.delete(id);
    own.set(id, versions);
    if (own.size > MOST_OBJECTS) own.delete(own.keys().next().value!);
  }

  /**
   * Records that a run of a key deleted an object; only the first 16 objects are remembered. Does
   * nothing for a key without a state.
   */
  deleted(key: ObjectKey, type: ResourceType, objectKey: ObjectKey): void {
    const state = this.#stateOf(key);
    if (!state) return;
    state.isActive = true;
    const deleted = state.deleted ??= new Set();
    if (deleted.size < MOST_OBJECTS) deleted.add(idOf(type, objectKey));
  }

  /**
   * Records an event that leads to a reconcile run of a key as a cause of that run; a resync is a
   * foreign cause. From three runs before a hot loop on, also records the fields that the event
   * changed. Does nothing for a key without a state.
   */
  triggered(key: ObjectKey, { source, event }: Trigger): void {
    const state = this.#stateOf(key);
    if (!state) return;
    const { object } = event;
    const id = idOf(source.type, object.key);
    if (event.type === "deleted") return this.#cause(state, { id, deleted: true });
    const old = event.type === "updated" ? event.old.resourceVersion : undefined;
    if (old === object.resourceVersion) return this.#cause(state, "foreign");
    this.#cause(state, { id, version: object.resourceVersion, old });
    if (state.runs < this.#options.runs - 3) return;
    const paths = event.type === "updated"
      ? attempt(() => changedPaths(event.old.object, event.object.object)) ?? []
      : ["the object, which is created again"];
    if (paths.length === 0) return;
    state.fields = paths.map((path) => `${source.type.kind} ${object.key}: ${path}`);
  }

  /**
   * Records that a reconcile run of a key requested the next run after a delay in milliseconds; a
   * delay above {@linkcode AT_ONCE_MS} is a foreign cause.
   */
  requeued(key: ObjectKey, delayMs: number): void {
    const state = this.#stateOf(key);
    if (!state) return;
    if (delayMs > AT_ONCE_MS) return this.#cause(state, "foreign");
    state.isActive = true;
    this.#cause(state, "requeue");
  }

  /**
   * Records that an external source leads to a reconcile run of a key, as a foreign cause of that
   * run.
   */
  triggeredOutside(key: ObjectKey): void {
    const state = this.#stateOf(key);
    if (state) this.#cause(state, "foreign");
  }

  /**
   * Records that a reconcile run of a key failed and is retried, which is a foreign cause of the
   * key's next run.
   */
  failed(key: ObjectKey): void {
    const state = this.#stateOf(key);
    if (state) this.#cause(state, "foreign");
  }

  /**
   * Returns how long the next run of a key must still wait, in milliseconds: above 0 only in a hot
   * loop, 0 or less for at once.
   */
  pauseMs(key: ObjectKey): number {
    const state = this.#stateOf(key);
    if (!state || state.slowed === 0 || !this.#isSelfCaused(state)) return 0;
    return state.endedMs + delayMsOf(state) - this.#options.clock.monotonicMs();
  }

  /**
   * Returns the hot loop that a key is in, once it has lasted for the configured number of runs;
   * `undefined` otherwise.
   */
  loop(key: ObjectKey): HotLoop | undefined {
    const state = this.#stateOf(key);
    if (!state || state.slowed === 0) return undefined;
    const { runs, firstMs, fields, isRequested, isKnown } = state;
    const ms = this.#options.clock.monotonicMs() - firstMs;
    return { runs, ms, delayMs: delayMsOf(state), fields, isRequested, isKnown };
  }

  #stateOf(key: ObjectKey): KeyState | undefined {
    return this.#running.get(key) ?? this.#idle.get(key);
  }

  #cause(state: KeyState, cause: Cause): void {
    if (state.causes[0] === "foreign") return;
    const isFull = state.causes.length >= MOST_OBJECTS;
    state.causes = cause === "foreign" || isFull ? FOREIGN : [...state.causes, cause];
  }

  /**
   * Records, of a run that begins and that the key's own runs alone caused, whether all its causes
   * are requests for a run, and of which objects the cache has shown a version that the key's runs
   * wrote.
   */
  #note(state: KeyState): void {
    state.isRequested = state.causes.every((cause) => cause === "requeue");
    const seen = state.seen ??= new Set();
    for (const cause of state.causes) if (typeof cause === "object") seen.add(cause.id);
  }

  /**
   * Reports whether the key's next run has causes, and each of them is the key's own write or
   * request.
   */
  #isSelfCaused(state: KeyState): boolean {
    return state.causes.length > 0 && state.causes.every((cause) => isOwn(state, cause));
  }
}

/**
 * Reports whether a cause of a run is a write of the key's own runs, or a request of the key's last
 * run for another run at once. An update event that also includes a version of another writer is
 * not such a cause, except when the key's write is the first to this object.
 */
function isOwn(state: KeyState, cause: Cause): boolean {
  if (cause === "foreign") return false;
  if (cause === "requeue") return true;
  if ("deleted" in cause) return state.deleted?.has(cause.id) ?? false;
  const own = state.own?.get(cause.id);
  if (!own?.includes(cause.version)) return false;
  const { old } = cause;
  return old === undefined || own.includes(old) || !state.seen?.has(cause.id);
}

function newState(): KeyState {
  return {
    own: undefined,
    deleted: undefined,
    seen: undefined,
    causes: NO_CAUSES,
    isActive: false,
    runs: 0,
    firstMs: 0,
    endedMs: 0,
    slowed: 0,
    fields: [],
    isRequested: false,
    isKnown: false,
  };
}

function delayMsOf({ slowed }: KeyState): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(slowed - 1, 10), MAX_DELAY_MS);
}

function idOf(type: ResourceType, key: ObjectKey): string {
  return `${groupResourceOf(type)} ${key}`;
}
