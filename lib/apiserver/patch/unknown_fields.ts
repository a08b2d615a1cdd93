import type { BuiltinType } from "../types/builtin_type.ts";

/**
 * Whether a tree may have fields that its type does not know: a quick look, so that strict decoding,
 * which keeps the path of all that it reads, is left to the few trees that have some.
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
      return false; // What decodes itself is not looked into by strict decoding either.
  }
}
