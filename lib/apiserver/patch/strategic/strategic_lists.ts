/**
 * Merges the lists of a strategic merge patch. Mirrors `strategicpatch/patch.go, mergeSlice`.
 *
 * @module
 */
import type { TypeSchema } from "../../machinery/type_schema.ts";
import { checkElementTypes } from "./element_types.ts";
import { type FieldPatchMetadata, kindOf } from "./patch_metadata.ts";
import { badPatchType, noMergeKey, StrategicMergeError } from "./strategic_errors.ts";
import { orderByPatch } from "./strategic_order.ts";

type Fields = Record<string, unknown>;

/**
 * A function that merges an item of a strategic merge patch's list into an item of the object's
 * list.
 */
type MergeItem = (item: Fields, patch: Fields, schema: TypeSchema) => Fields;

/**
 * Merges a list of a strategic merge patch into the object's list: items with equal merge keys are
 * merged, and scalars are united. With `deletes`, the patch lists scalars to delete. Returns the
 * merged list.
 *
 * @throws {StrategicMergeError} If the elements are of different types, a merge key is missing, or
 * a `$patch` directive is invalid.
 */
export function mergeLists(
  original: unknown[],
  patch: unknown[],
  { mergeKey, schema }: FieldPatchMetadata,
  mergeItem: MergeItem,
  deletes = false,
): unknown[] {
  if (original.length === 0 && patch.length === 0) return original;
  if (!checkElementTypes(original, patch)) {
    if (deletes) return original.filter((item) => !patch.includes(item));
    const merged = withoutRepeats([...original, ...patch]);
    return orderByPatch(merged, patch, original, "");
  }
  if (mergeKey === "") {
    throw new StrategicMergeError(`cannot merge lists without merge key for ${kindOf(schema)}`);
  }
  const { kept, plain } = followItemDirectives(original as Fields[], patch as Fields[], mergeKey);
  const merged = mergeItems([...kept], plain, mergeKey, schema, mergeItem);
  return orderByPatch(merged, plain, kept, mergeKey);
}

/**
 * Returns a merged list without duplicate scalars: the first duplicate stays, and the last scalar
 * of the list replaces each removed one. Changes the given list.
 */
function withoutRepeats(list: unknown[]): unknown[] {
  let last = list.length - 1;
  for (let i = 0; i < last; i++) {
    for (let j = i + 1; j <= last; j++) {
      if (list[i] === list[j]) list[j--] = list[last--];
    }
  }
  return list.slice(0, last + 1);
}

/**
 * Applies the `$patch` directives of the items of a patch's list. Returns the items of the object's
 * list that are kept, and the patch's items that remain to be merged into them; for the directive
 * `replace`, the patch's items in place of the object's.
 */
function followItemDirectives(
  original: readonly Fields[],
  patch: readonly Fields[],
  mergeKey: string,
): { kept: Fields[]; plain: Fields[] } {
  let kept = [...original];
  const plain: Fields[] = [];
  let replace = false;
  for (const item of patch) {
    if (!Object.hasOwn(item, "$patch")) {
      plain.push(item);
      continue;
    }
    switch (item["$patch"]) {
      case "delete":
        if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
        kept = kept.filter((each) => each[mergeKey] !== item[mergeKey]);
        break;
      case "replace":
        replace = true;
        break;
      case "merge":
        throw new StrategicMergeError("merging lists cannot yet be specified in the patch");
      default:
        throw badPatchType(item["$patch"], item);
    }
  }
  return replace ? { kept: plain, plain: [] } : { kept, plain };
}

function mergeItems(
  list: Fields[],
  patch: readonly Fields[],
  mergeKey: string,
  schema: TypeSchema,
  mergeItem: MergeItem,
): Fields[] {
  for (const item of patch) {
    if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
    const at = list.findIndex((each) =>
      Object.hasOwn(each, mergeKey) && each[mergeKey] === item[mergeKey]
    );
    if (at < 0) list.push(item);
    else list[at] = mergeItem(list[at]!, item, schema);
  }
  return list;
}
