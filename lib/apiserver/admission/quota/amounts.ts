/**
 * Arithmetic with amounts by the names of resources.
 *
 * @module
 */
import { add, type Quantities } from "../../validation/pod_resources.ts";
import { compareQuantities, nanosOf } from "../../validation/quantity.ts";
import { subtractQuantities } from "../../validation/quantity_sum.ts";

/** Amounts that stay as they are. */
export type Amounts = Readonly<Quantities>;

/** Both together. */
export function sum(some: Amounts, more: Amounts): Quantities {
  const total = { ...some };
  add(total, more);
  return total;
}

/** Those of the names. */
export function only(amounts: Amounts, names: readonly string[]): Quantities {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => names.includes(name)));
}

/** What is more than before, without what is not. */
export function increase(now: Amounts, before: Amounts): Quantities {
  const more: Quantities = {};
  for (const [name, quantity] of Object.entries(now)) {
    const difference = subtractQuantities(quantity, before[name] ?? "0");
    if (nanosOf(difference) > 0n) more[name] = difference;
  }
  return more;
}

/** Those that are not zero. */
export function withoutZeros(amounts: Amounts): Quantities {
  return Object.fromEntries(
    Object.entries(amounts).filter(([, quantity]) => nanosOf(quantity) !== 0n),
  );
}

/** The names of which there is more than may be. */
export function exceeded(amounts: Amounts, most: Amounts): string[] {
  return Object.keys(most).filter((name) =>
    amounts[name] !== undefined && compareQuantities(amounts[name], most[name]) > 0
  );
}

/** `cpu=1,pods=2`. */
export function amountsText(amounts: Amounts): string {
  return Object.entries(amounts).map(([name, quantity]) => `${name}=${quantity}`).sort().join(",");
}
