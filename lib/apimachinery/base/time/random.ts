/**
 * A source of random numbers for jitter, timeouts and identifiers. A seeded one makes a run
 * repeatable.
 */
export interface Random {
  /** Returns a random number in `[0, 1)`. */
  next(): number;
  /** Returns a random UUID (RFC 9562, version 4). */
  uuid(): string;
}

/** The {@linkcode Random} of the runtime, from `Math.random` and `crypto.randomUUID`. */
export const systemRandom: Random = {
  next: () => Math.random(),
  uuid: () => crypto.randomUUID(),
};

const HEX = "0123456789abcdef";

/**
 * Creates a repeatable {@linkcode Random} (the mulberry32 generator): the same seed gives the same
 * numbers. For tests and jitter, not for secrets.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { seededRandom } from "@xca/apimachinery/base";
 *
 * assert.equal(seededRandom(42).next(), seededRandom(42).next());
 * assert.notEqual(seededRandom(42).uuid(), seededRandom(43).uuid());
 * ```
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const hex = (digits: number): string => {
    let text = "";
    while (text.length < digits) text += HEX[Math.floor(next() * 16)];
    return text;
  };
  return {
    next,
    uuid: () => {
      const variant = (8 + Math.floor(next() * 4)).toString(16);
      return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(12)}`;
    },
  };
}
