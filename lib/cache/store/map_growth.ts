/** A map that is smaller doubles within a millisecond. */
const SLOW_FROM = 8192;

/**
 * Whether a map or a set of so many entries doubles when one is added. V8 moves all of them in that
 * one call: of 32 768 that takes 1 to 8 ms, so it is done at the beginning of a slice.
 */
export function growsNext(size: number): boolean {
  return size >= SLOW_FROM && (size & (size - 1)) === 0;
}
