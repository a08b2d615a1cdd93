/**
 * Arithmetic on quantities by resource name.
 *
 * @module
 */
import { add, type Quantities } from "../../validation/pod_resources.ts";
import { compareQuantities, nanosOf } from "../../validation/quantity.ts";
import { subtractQuantities } from "../../validation/quantity_sum.ts";

/** Quantities by resource name, read-only. */
export type Amounts = Readonly<Quantities>;

/** Returns the sum of two sets of amounts. */
export function sum(some: Amounts, more: Amounts): Quantities {
  const total = { ...some };
  add(total, more);
  return total;
}

/** Returns the amounts of some names. */
export function only(amounts: Amounts, names: readonly string[]): Quantities {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => names.includes(name)));
}

/** Returns the positive differences between two sets of amounts. */
export function increase(now: Amounts, before: Amounts): Quantities {
  const more: Quantities = {};
  for (const [name, quantity] of Object.entries(now)) {
    const difference = subtractQuantities(quantity, before[name] ?? "0");
    if (nanosOf(difference) > 0n) more[name] = difference;
  }
  return more;
}

/** Returns the amounts that are not zero. */
export function withoutZeros(amounts: Amounts): Quantities {
  return Object.fromEntries(
    Object.entries(amounts).filter(([, quantity]) => nanosOf(quantity) !== 0n),
  );
}

/** Returns the names whose amount exceeds its limit. */
export function exceeded(amounts: Amounts, most: Amounts): string[] {
  return Object.keys(most).filter((name) =>
    amounts[name] !== undefined && compareQuantities(amounts[name], most[name]) > 0
  );
}

/** Formats amounts as `cpu=1,pods=2`. */
export function amountsText(amounts: Amounts): string {
  return Object.entries(amounts).map(([name, quantity]) => `${name}=${quantity}`).sort().join(",");
}
