/**
 * A series of a counter, whose value only grows.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { MetricsRegistry } from "@xca/operator/manager";
 *
 * const registry = new MetricsRegistry();
 * const orders = registry.counter({ name: "orders_total", help: "Number of orders." }).with({});
 * orders.inc();
 * assert.equal(orders.value, 1);
 * ```
 */
export class CounterSeries {
  #value = 0;

  /** The value of the counter series: the sum of all amounts since its creation. */
  get value(): number {
    return this.#value;
  }

  /**
   * Adds an amount to the counter, by default 1; ignores an amount that is negative or not a
   * number, since a counter only grows.
   */
  inc(amount: number = 1): void {
    if (amount >= 0) this.#value += amount;
  }
}

/**
 * A series of a gauge, whose value can be set, increased and decreased.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { MetricsRegistry } from "@xca/operator/manager";
 *
 * const registry = new MetricsRegistry();
 * const open = registry.gauge({ name: "orders_open", help: "Open orders." }).with({});
 * open.set(3);
 * assert.equal(open.value, 3);
 * ```
 */
export class GaugeSeries {
  #value = 0;

  /** The value of the gauge series; 0 at first. */
  get value(): number {
    return this.#value;
  }

  /** Sets the value of the gauge. */
  set(value: number): void {
    this.#value = value;
  }

  /** Adds an amount to the value of the gauge, by default 1. */
  inc(amount: number = 1): void {
    this.#value += amount;
  }

  /** Subtracts an amount from the value of the gauge, by default 1. */
  dec(amount: number = 1): void {
    this.#value -= amount;
  }
}

/**
 * A series of a histogram, which counts values by buckets and adds them up.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { MetricsRegistry } from "@xca/operator/manager";
 *
 * const registry = new MetricsRegistry();
 * const spec = { name: "order_seconds", help: "Time per order.", buckets: [1, 10] };
 * const time = registry.histogram(spec).with({});
 * time.observe(0.5);
 * assert.equal(time.sum, 0.5);
 * ```
 */
export class HistogramSeries {
  readonly #bounds: readonly number[];
  /** The number of values per histogram bucket, not cumulative; the last bucket is unbounded. */
  readonly #counts: Float64Array;
  #sum = 0;

  /** Creates a histogram series without values; the bounds ascend. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  /** The sum of all values of the histogram. */
  get sum(): number {
    return this.#sum;
  }

  /**
   * Adds a value to the histogram; a value that is not a number counts in the last bucket only, and
   * makes the sum NaN, as in Go.
   */
  observe(value: number): void {
    this.#sum += value;
    const bounds = this.#bounds;
    let low = 0;
    let high = bounds.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (value <= bounds[middle]!) high = middle;
      else low = middle + 1;
    }
    // No comparison with NaN holds, so that `low` is the last bucket.
    this.#counts[low]!++;
  }

  /**
   * Returns the number of values up to each bound, and the number of all values as the last item.
   */
  cumulative(): number[] {
    let total = 0;
    return Array.from(this.#counts, (count) => total += count);
  }
}
