/** Number of map entries below which doubling the map takes less than a millisecond. */
const SLOW_FROM = 8192;

/**
 * Reports whether a map or set of the given size, of at least 8192 entries, doubles when an entry
 * is added. V8 moves all entries in that one call, which takes 1 to 8 ms for 32 768 of them; the
 * caller therefore yields first.
 */
export function growsNext(size: number): boolean {
  return size >= SLOW_FROM && (size & (size - 1)) === 0;
}
