// Mirrors `cel/library/quantity.go, Quantity`.
import {
  BINARY_SUFFIXES,
  DECIMAL_SUFFIXES,
  NO_QUANTITY,
  NO_SUFFIX,
} from "../../values/quantity_suffixes.ts";
import { type Library, namedType } from "../declarations.ts";
import type { CelType } from "../types/cel_type.ts";
import { CelError, CelObject, type CelValue } from "../values/value.ts";

const FORM = /^[+-]?[0-9.]+(?:[eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*)?$/;
const PARTS = /^([+-]?)(\d*)(?:\.(\d*))?([^\d.]*.*)$/;

/** The CEL value of a resource quantity, such as `1.5Gi`: an exact integer times a power of ten. */
class Quantity extends CelObject {
  override readonly type: CelType = namedType("kubernetes.Quantity");

  constructor(
    readonly value: bigint,
    readonly scale: number,
    /**
     * Reports whether the CEL quantity was written with a decimal point and a binary suffix. Such a
     * quantity never counts as an integer, even if its value is one.
     */
    readonly isFraction: boolean,
  ) {
    super();
  }

  override equals(other: CelObject): boolean {
    return this.compareTo(other as Quantity) === 0n;
  }

  compareTo(other: Quantity): bigint {
    const [a, b] = aligned(this, other);
    return a < b ? -1n : a > b ? 1n : 0n;
  }

  add(other: Quantity): Quantity {
    if (other.value === 0n) return this;
    if (this.value === 0n) return other;
    const [a, b] = aligned(this, other);
    const scale = Math.min(this.scale, other.scale);
    return new Quantity(a + b, scale, this.isFraction || other.isFraction);
  }

  negated(): Quantity {
    return new Quantity(-this.value, this.scale, this.isFraction);
  }

  /**
   * Returns the CEL quantity's value as an integer; `undefined` if the value may have a fraction or
   * exceeds 64 bits.
   */
  integer(): bigint | undefined {
    if (this.scale < 0 || this.isFraction) return undefined;
    const value = this.value * 10n ** BigInt(this.scale);
    return value === BigInt.asIntN(64, value) ? value : undefined;
  }

  double(): number {
    return Number(`${this.value}e${this.scale}`);
  }
}

function aligned(a: Quantity, b: Quantity): [bigint, bigint] {
  const scale = Math.min(a.scale, b.scale);
  return [
    a.value * 10n ** BigInt(a.scale - scale),
    b.value * 10n ** BigInt(b.scale - scale),
  ];
}

function parse(text: string): Quantity | CelError {
  if (!FORM.test(text)) return new CelError(NO_QUANTITY);
  const parts = PARTS.exec(text)!;
  const [, sign, whole = "", fraction = "", suffix = ""] = parts;
  if (whole === "" && fraction === "") return new CelError(NO_QUANTITY);
  if (suffix.includes(".")) return new CelError(NO_QUANTITY);
  const value = BigInt(`${whole}${fraction}`) * (sign === "-" ? -1n : 1n);
  const binary = BINARY_SUFFIXES.get(suffix);
  if (binary !== undefined) {
    const scaled = value << BigInt(binary);
    return new Quantity(scaled, -fraction.length, parts[3] !== undefined);
  }
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix)?.[1];
  const scale = exponent === undefined ? DECIMAL_SUFFIXES.get(suffix) : Number(exponent);
  if (scale === undefined || Math.abs(scale) > 1000) return new CelError(NO_SUFFIX);
  return new Quantity(value, scale - fraction.length, false);
}

function quantity(value: CelValue | undefined): Quantity {
  return typeof value === "bigint" ? new Quantity(value, 0, false) : value as Quantity;
}

/** The CEL library of functions for resource quantities. */
export const QUANTITIES: Library = {
  signatures: `
    quantity string_to_quantity(string) kubernetes.Quantity
    isQuantity is_quantity_string(string) bool
    sign quantity_sign(kubernetes.Quantity) int
    isGreaterThan quantity_is_greater_than.(kubernetes.Quantity, kubernetes.Quantity) bool
    isLessThan quantity_is_less_than.(kubernetes.Quantity, kubernetes.Quantity) bool
    compareTo quantity_compare_to.(kubernetes.Quantity, kubernetes.Quantity) int
    asApproximateFloat quantity_get_float.(kubernetes.Quantity) double
    asInteger quantity_get_int.(kubernetes.Quantity) int
    isInteger quantity_is_integer.(kubernetes.Quantity) bool
    add quantity_add.(kubernetes.Quantity, kubernetes.Quantity) kubernetes.Quantity
    add quantity_add_int.(kubernetes.Quantity, int) kubernetes.Quantity
    sub quantity_sub.(kubernetes.Quantity, kubernetes.Quantity) kubernetes.Quantity
    sub quantity_sub_int.(kubernetes.Quantity, int) kubernetes.Quantity`,
  implementations: {
    string_to_quantity: (text) => parse(text as string),
    is_quantity_string: (text) => parse(text as string) instanceof Quantity,
    quantity_sign: (value) => quantity(value).compareTo(quantity(0n)),
    quantity_is_greater_than: (a, b) => quantity(a).compareTo(quantity(b)) > 0n,
    quantity_is_less_than: (a, b) => quantity(a).compareTo(quantity(b)) < 0n,
    quantity_compare_to: (a, b) => quantity(a).compareTo(quantity(b)),
    quantity_get_float: (value) => quantity(value).double(),
    quantity_get_int: (value) =>
      quantity(value).integer() ?? new CelError("cannot convert value to integer"),
    quantity_is_integer: (value) => quantity(value).integer() !== undefined,
    quantity_add: (a, b) => quantity(a).add(quantity(b)),
    quantity_add_int: (a, b) => quantity(a).add(quantity(b)),
    quantity_sub: (a, b) => quantity(a).add(quantity(b).negated()),
    quantity_sub_int: (a, b) => quantity(a).add(quantity(b).negated()),
  },
};
