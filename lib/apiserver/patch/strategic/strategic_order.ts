/**
 * Orders the lists that a strategic merge patch has merged. The items in the patch keep the order
 * of the patch, the items that only the object has keep the order of the object, and the two
 * sequences are interleaved by the positions of their items in the object's list. Mirrors
 * `strategicpatch/patch.go, normalizeElementOrder`.
 *
 * @module
 */
import { goValue, isMap } from "@xca/apimachinery/internal/values";
import { badArgument, noMergeKey, StrategicMergeError } from "./strategic_errors.ts";
import { checkElementTypes } from "./element_types.ts";

type Items = readonly unknown[];

/**
 * Returns a merged list in the order of the strategic merge patch's list; items that only the
 * object has are placed by their positions in the object's list.
 */
export function orderByPatch(merged: Items, patch: Items, original: Items, key: string): unknown[] {
  const [fromPatch, serverOnly] = partition(merged, patch, key);
  return interleave(fromPatch, serverOnly, patch, original, key);
}

/**
 * Returns a merged list in the order of the strategic merge patch's `$setElementOrder`; items that
 * the directive does not name are placed by their positions in the object's list. Throws the errors
 * of {@linkcode checkElementTypes} about the lists of the object and the patch.
 */
export function orderByDirective(
  merged: Items,
  order: Items,
  original: Items,
  patch: Items,
  key: string,
): unknown[] {
  const [fromPatch, serverOnly] = partition(merged, order, key);
  checkElementTypes(original, patch);
  return interleave(fromPatch, serverOnly, order, original, key);
}

/**
 * Throws an error unless `$setElementOrder` contains the items of the patch's list, except those
 * with a `$patch` directive, in their order. An empty order, or an empty list, is valid.
 * @throws {StrategicMergeError}
 */
export function checkElementOrder(patch: Items, order: Items, key: string): void {
  if (order.length === 0 || patch.length === 0) return;
  const named = key === "" ? [...patch] : patch.filter((item) => {
    if (!isMap(item)) throw badArgument("map[string]interface {}", item);
    return item["$patch"] !== "delete";
  });
  let next = 0;
  for (let at = 0; next < named.length && at < order.length;) {
    const item = named[next];
    if (isMap(item) && Object.hasOwn(item, "$patch")) next++;
    else if (identity(item, key) === identity(order[at++], key)) next++;
  }
  if (next < named.length) {
    throw new StrategicMergeError(
      `The order in patch list:\n${goValue(patch)}\n doesn't match $setElementOrder list:\n` +
        `${goValue(order)}\n`,
    );
  }
}

/**
 * Returns the value that identifies a list item: the value of its merge key or, for an empty `key`,
 * the item itself. Throws a {@linkcode StrategicMergeError} for an item that is no object or lacks
 * the key.
 */
function identity(item: unknown, key: string): unknown {
  if (key === "") return item;
  if (!isMap(item)) throw badArgument("map[string]interface {}", item);
  if (!Object.hasOwn(item, key)) throw noMergeKey(item, key);
  return item[key];
}

function partition(merged: Items, by: Items, key: string): [unknown[], unknown[]] {
  const [present, absent]: [unknown[], unknown[]] = [[], []];
  for (const item of merged) {
    const id = identity(item, key);
    const named = key === "" ? by.includes(item) : by.some((each, index) => {
      if (!isMap(each)) throw new StrategicMergeError(`value for key ${index} is not a map`);
      return Object.hasOwn(each, key) && each[key] === id;
    });
    (named ? present : absent).push(item);
  }
  return [present, absent];
}

function interleave(
  fromPatch: unknown[],
  serverOnly: unknown[],
  patchOrder: Items,
  serverOrder: Items,
  key: string,
): unknown[] {
  for (const item of [...fromPatch, ...patchOrder, ...serverOnly, ...serverOrder]) {
    identity(item, key);
  }
  const left = sortBy(serverOnly, serverOrder, key);
  const right = sortBy(fromPatch, patchOrder, key);
  const places = placesOf(serverOrder, key);
  const result: unknown[] = [];
  for (let i = 0, j = 0; i < left.length || j < right.length;) {
    const l = i < left.length ? places.get(identity(left[i], key)) : undefined;
    const r = j < right.length ? places.get(identity(right[j], key)) : undefined;
    const leftFirst = j >= right.length ||
      (i < left.length && l !== undefined && r !== undefined && l < r);
    result.push(leftFirst ? left[i++] : right[j++]);
  }
  return result;
}

/** Returns a map of the first index of each list item, by the item's identity. */
function placesOf(list: Items, key: string): Map<unknown, number> {
  const places = new Map<unknown, number>();
  for (const [place, item] of list.entries()) {
    const id = identity(item, key);
    if (!places.has(id)) places.set(id, place);
  }
  return places;
}

/**
 * Returns list items sorted by their index in an order. As in kube-apiserver, an item that the
 * order lacks compares as less than any other item, and any other item as less than it.
 */
function sortBy(list: readonly unknown[], order: Items, key: string): unknown[] {
  const places = placesOf(order, key);
  const sorted = [...list];
  const less = (a: unknown, b: unknown) => {
    const left = places.get(identity(a, key));
    const right = places.get(identity(b, key));
    return left === undefined || right === undefined || left < right;
  };
  for (let i = 1; i < sorted.length; i++) {
    for (let j = i; j > 0 && less(sorted[j], sorted[j - 1]); j--) {
      [sorted[j - 1], sorted[j]] = [sorted[j], sorted[j - 1]];
    }
  }
  return sorted;
}
