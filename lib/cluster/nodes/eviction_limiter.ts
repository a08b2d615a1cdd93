// Mirrors `controller/nodelifecycle/scheduler/rate_limited_queue.go, RateLimitedTimedQueue`.
import { type Clock, TokenBucket } from "@xca/apimachinery/base";
import { EVICTION_RATE, type EvictionRates } from "./zone_states.ts";

/**
 * The time in milliseconds from the failure of a node to its earliest admission
 * (`NodeEvictionPeriod`), in which the failures of other nodes become known.
 */
const EVICTION_PERIOD_MS = 100;

/**
 * The nodes of a zone that wait for the taint that evicts their pods, in the order of their
 * failures, and the rate at which they are tainted.
 */
interface WaitingZone {
  perSecond: number;
  /** The token bucket of the zone; `undefined` while evictions are stopped. */
  bucket: TokenBucket | undefined;
  /**
   * The earliest times at which waiting nodes are admitted, by node name, in milliseconds of the
   * monotonic clock.
   */
  readonly waiting: Map<string, number>;
}

/**
 * A limiter of the rate at which unhealthy nodes are tainted, so that the failure of a network does
 * not evict the pods of a whole zone.
 */
export class EvictionLimiter {
  readonly #clock: Clock;
  readonly #wake: (names: Iterable<string>) => void;
  readonly #zones = new Map<string, WaitingZone>();
  readonly #zoneOf = new Map<string, string>();
  readonly #admitted = new Set<string>();
  #stopped = false;

  /**
   * Creates an eviction limiter at which no node waits yet.
   *
   * @param wake Called with the names of nodes whose wait has changed.
   */
  constructor(clock: Clock, wake: (names: Iterable<string>) => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  /** Reports whether evictions are stopped in all zones, since no node of the cluster is ready. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /**
   * Sets the eviction rates of all zones. If the change stops evictions, admitted nodes are no
   * longer admitted, and the limiter calls `wake` with all of `names`, so that the controller
   * removes their taints.
   */
  setRates(rates: EvictionRates, names: Iterable<string>): void {
    const wasStopped = this.#stopped;
    this.#stopped = rates === "stopped";
    if (this.#stopped && !wasStopped) {
      this.#admitted.clear();
      this.#wake(names);
    }
    for (const [key, zone] of this.#zones) {
      this.#setRate(zone, rates === "stopped" ? 0 : rates.get(key) ?? EVICTION_RATE);
    }
  }

  /**
   * Lets a node wait in the zone with the given key, or admits it if its turn has come. Returns the
   * time from now after which the node may be tainted, in milliseconds: 0 if it is admitted,
   * `Infinity` while the evictions of its zone are stopped. An admitted node remains admitted until
   * {@linkcode EvictionLimiter.forget}, or until evictions are stopped.
   */
  admit(name: string, key: string): number {
    if (this.#admitted.has(name)) return this.#stopped ? Infinity : 0;
    if (this.#zoneOf.get(name) !== key) this.forget(name);
    this.#zoneOf.set(name, key);
    const now = this.#clock.monotonicMs();
    const zone = this.#zones.getOrInsertComputed(key, () => this.#newZone());
    const earliest = zone.waiting.getOrInsertComputed(name, () => now + EVICTION_PERIOD_MS);
    if (zone.bucket === undefined) return Infinity;
    const position = [...zone.waiting.keys()].indexOf(name);
    const turnMs = zone.bucket.peekMs() + position * 1000 / zone.perSecond;
    const waitMs = Math.max(earliest - now, turnMs);
    if (waitMs > 0) return waitMs;
    zone.bucket.tryTake();
    zone.waiting.delete(name);
    this.#admitted.add(name);
    return 0;
  }

  /**
   * Removes a node that is healthy, tainted or deleted from the limiter. If the node was waiting,
   * the limiter calls `wake` with the other waiting nodes of its zone.
   */
  forget(name: string): void {
    this.#admitted.delete(name);
    const key = this.#zoneOf.get(name);
    if (key === undefined) return;
    this.#zoneOf.delete(name);
    const zone = this.#zones.get(key)!;
    if (zone.waiting.delete(name)) this.#wake(zone.waiting.keys());
  }

  #newZone(): WaitingZone {
    const perSecond = this.#stopped ? 0 : EVICTION_RATE;
    return { perSecond, bucket: this.#newBucket(perSecond), waiting: new Map() };
  }

  /**
   * Replaces the token bucket of a zone whose rate changed, and calls `wake` with the waiting nodes
   * of the zone. The new bucket has a token only if the old one had.
   */
  #setRate(zone: WaitingZone, perSecond: number): void {
    if (zone.perSecond === perSecond) return;
    const wouldAdmit = zone.bucket?.peekMs() === 0;
    zone.perSecond = perSecond;
    zone.bucket = this.#newBucket(perSecond);
    if (!wouldAdmit) zone.bucket?.tryTake();
    this.#wake(zone.waiting.keys());
  }

  #newBucket(perSecond: number): TokenBucket | undefined {
    return perSecond > 0 ? new TokenBucket({ perSecond, burst: 1, clock: this.#clock }) : undefined;
  }
}
