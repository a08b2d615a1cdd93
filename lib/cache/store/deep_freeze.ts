/** Freezes a tree of objects and arrays, deeply. */
export function deepFreeze(tree: unknown): void {
  if (typeof tree !== "object" || tree === null) return;
  Object.freeze(tree);
  for (const value of Object.values(tree)) deepFreeze(value);
}
