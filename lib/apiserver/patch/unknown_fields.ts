import type { BuiltinType } from "../types/builtin_type.ts";

/**
 * Reports whether a decoded JSON tree may have fields that its type does not have. The check is
 * quick, so that the slower strict decoding, which tracks paths, runs only on few trees.
 */
export function mayHaveUnknownFields(type: BuiltinType, tree: unknown): boolean {
  if (tree === null || typeof tree !== "object") return false;
  switch (type.shape) {
    case "struct": {
      const fields = type.fields!;
      for (const name of Object.keys(tree)) {
        const field = fields[name];
        if (field === undefined) return true;
        if (mayHaveUnknownFields(field, (tree as Record<string, unknown>)[name])) return true;
      }
      return false;
    }
    case "map": {
      const values = type.values!;
      return Object.values(tree).some((value) => mayHaveUnknownFields(values, value));
    }
    case "list": {
      const items = type.items!;
      return Array.isArray(tree) && tree.some((item) => mayHaveUnknownFields(items, item));
    }
    default:
      return false; // Strict decoding does not examine types with their own decoder either.
  }
}
