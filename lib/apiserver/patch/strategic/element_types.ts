import { goValue } from "@xca/apimachinery/internal/values";
import { StrategicMergeError } from "./strategic_errors.ts";

/**
 * Reports whether all elements of the lists that a strategic merge patch combines are objects; if
 * not, all are scalars of one type; integers, other numbers and nulls are different types.
 *
 * @throws {StrategicMergeError} If the elements are of different types or are lists, or there are
 *   none. Mirrors `strategicpatch/patch.go, sliceElementType`.
 */
export function checkElementTypes(...lists: readonly (readonly unknown[])[]): boolean {
  let first: string | undefined;
  for (const list of lists) {
    for (const item of list) {
      const type = typeOf(item);
      if (first === undefined && type === "list") {
        throw new StrategicMergeError("lists of lists are not supported", 422);
      }
      first ??= type;
      if (type !== first) {
        throw new StrategicMergeError(`list element types are not identical: ${goValue(lists)}`);
      }
    }
  }
  if (first === undefined) {
    throw new StrategicMergeError("no elements in any of the given slices");
  }
  return first === "map";
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "float";
  return typeof value === "object" ? "map" : typeof value;
}
