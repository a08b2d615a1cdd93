/**
 * Freezes a tree of objects and arrays in place, deeply. The tree must not have cycles. A primitive
 * is left as it is.
 */
export function deepFreeze(tree: unknown): void {
  if (typeof tree !== "object" || tree === null) return;
  Object.freeze(tree);
  for (const value of Object.values(tree)) deepFreeze(value);
}
