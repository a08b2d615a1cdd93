// Mirrors `checker/cost.go, CostEstimate`.

/**
 * A range from a minimum to a maximum (both inclusive) of a CEL expression's estimated cost, in
 * cost units of CEL, or of a value's estimated size: characters of a string, bytes, elements of a
 * list, or entries of a map.
 */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/**
 * The upper limit of all estimated costs and sizes of CEL: the largest unsigned 64-bit integer,
 * rounded to 2^64.
 */
export const MAX_COST: number = 2 ** 64;

export const UNKNOWN: Range = { min: 0, max: MAX_COST };

function clamp(value: number): number {
  return Math.min(value, MAX_COST);
}

export function fixed(value: number): Range {
  return { min: value, max: value };
}

export function add(...ranges: readonly Range[]): Range {
  let min = 0;
  let max = 0;
  for (const range of ranges) {
    min = clamp(min + range.min);
    max = clamp(max + range.max);
  }
  return { min, max };
}

export function multiply(a: Range, b: Range): Range {
  return { min: product(a.min, b.min), max: product(a.max, b.max) };
}

function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : clamp(a * b);
}

/**
 * Returns an estimated range of costs or sizes multiplied by a factor; both ends are rounded up,
 * and are at most `MAX_COST`.
 */
export function scale(range: Range, factor: number): Range {
  return { min: clamp(Math.ceil(range.min * factor)), max: clamp(Math.ceil(range.max * factor)) };
}

/** Returns the smallest range that contains two estimated ranges of costs or sizes. */
export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}
