/**
 * Arithmetic on resource amounts of quotas: quantities by resource name. Mirrors
 * `quota/v1/resources.go, Add` and its siblings.
 *
 * @module
 */
import { compareQuantities, nanosOf } from "../values/quantity.ts";
import { add, type Quantities } from "../resources/pod_resources.ts";
import { subtractQuantities } from "../resources/quantity_sum.ts";

/** A read-only record of resource amounts: quantities by resource name, such as `{ cpu: "1" }`. */
export type Amounts = Readonly<Quantities>;

/** Returns the sums of two records of resource amounts, by resource name. */
export function sum(some: Amounts, more: Amounts): Quantities {
  const total = { ...some };
  add(total, more);
  return total;
}

/** Returns a copy of resource amounts with only the resources in `names`. */
export function only(amounts: Amounts, names: readonly string[]): Quantities {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => names.includes(name)));
}

/**
 * Returns, by resource name, the amounts by which `now` exceeds `before`. Resources whose amount
 * did not increase are left out.
 */
export function increase(now: Amounts, before: Amounts): Quantities {
  const more: Quantities = {};
  for (const [name, quantity] of Object.entries(now)) {
    const difference = subtractQuantities(quantity, before[name] ?? "0");
    if (nanosOf(difference) > 0n) more[name] = difference;
  }
  return more;
}

/** Returns the resource amounts that are not zero. */
export function withoutZeros(amounts: Amounts): Quantities {
  return Object.fromEntries(
    Object.entries(amounts).filter(([, quantity]) => nanosOf(quantity) !== 0n),
  );
}

/**
 * Returns the names of the resources whose amount in `amounts` exceeds the limit in `most`. A
 * resource that is absent in either record does not exceed a limit.
 */
export function exceeded(amounts: Amounts, most: Amounts): string[] {
  return Object.keys(most).filter((name) =>
    amounts[name] !== undefined && compareQuantities(amounts[name], most[name]) > 0
  );
}

/** Formats resource amounts as text, sorted by name: `cpu=1,pods=2`. */
export function amountsText(amounts: Amounts): string {
  return Object.entries(amounts).map(([name, quantity]) => `${name}=${quantity}`).sort().join(",");
}
