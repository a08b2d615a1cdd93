// Mirrors `typed/helpers.go, listItemToPathElement`.
import { keyElement, valueElement } from "../field_set/path_element.ts";
import type { ListType } from "./merge_type.ts";

/** The error for an item of an associative list or a set that cannot be identified. */
export class ListItemError extends Error {
  override readonly name = "ListItemError";
}

/**
 * Returns the path element of an item of a set or an associative list.
 * @throws {ListItemError} If the item cannot be identified.
 */
export function itemElement(list: ListType, item: unknown): string {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

function keyedElement(list: ListType, item: unknown): string {
  if (item === null) {
    throw new ListItemError("associative list with keys may not have a null element");
  }
  if (typeof item !== "object" || Array.isArray(item)) {
    throw new ListItemError("associative list with keys may not have non-map elements");
  }
  const fields = item as Record<string, unknown>;
  const keys: [string, unknown][] = [];
  for (const key of list.keys) {
    const value = Object.hasOwn(fields, key) ? fields[key] : list.keyDefault(key);
    if (value !== undefined) keys.push([key, value]);
  }
  if (keys.length === 0) {
    const names = list.keys.map((key) => JSON.stringify(key)).join(" ");
    throw new ListItemError(
      `associative list with keys has an element that omits all key fields [${names}] ` +
        "(and doesn't have default values for any key fields)",
    );
  }
  return keyElement(keys);
}

function setElement(item: unknown): string {
  if (item === null) {
    throw new ListItemError("associative list without keys has an element that's an explicit null");
  }
  if (Array.isArray(item)) {
    throw new ListItemError("not supported: associative list with lists as elements");
  }
  if (typeof item === "object") {
    throw new ListItemError("associative list without keys has an element that's a map type");
  }
  return valueElement(item);
}
