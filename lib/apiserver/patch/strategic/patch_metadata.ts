import type { TypeSchema } from "../../machinery/type_schema.ts";
import { goQuote } from "@xca/apimachinery/internal/values";
import { BuiltinType } from "../../types/builtin_type.ts";
import { StrategicMergeError } from "./strategic_errors.ts";

/**
 * The rules by which a strategic merge patch merges a field. Mirrors `strategicpatch/meta.go,
 * PatchMeta`.
 */
export interface FieldPatchMetadata {
  /**
   * The patch strategy of the field in a strategic merge patch: `merge`, `replace`, or empty for
   * none. `retainKeys` does not count.
   */
  readonly strategy: string;
  /**
   * The name of the field that identifies an item of the list; empty for a list of scalars, and for
   * any other field without a merge key.
   */
  readonly mergeKey: string;
  /** The schema of the field; in the result of {@linkcode listField}, that of the list's items. */
  readonly schema: TypeSchema;
}

/**
 * Returns the rules by which a strategic merge patch merges a field that contains an object.
 *
 * @throws {StrategicMergeError} If there is no such field.
 */
export function structField(parent: TypeSchema, name: string): FieldPatchMetadata {
  const schema = findField(parent, name);
  const strategies = (schema.patchStrategy ?? "").split(",");
  const strategy = strategies.find((each) => each !== "retainKeys") ?? "";
  return { strategy, mergeKey: schema.patchMergeKey ?? "", schema };
}

/**
 * Returns the rules by which a strategic merge patch merges a field that contains a list, with the
 * schema of the list's items. Throws the error also if the field is no list.
 *
 * @throws {StrategicMergeError} If there is no such field.
 */
export function listField(parent: TypeSchema, name: string): FieldPatchMetadata {
  const field = structField(parent, name);
  const { items } = field.schema;
  if (items === undefined) {
    throw new StrategicMergeError(`expected slice or array type, but got: ${kindOf(parent)}`);
  }
  return { ...field, schema: items };
}

function findField(parent: TypeSchema, name: string): TypeSchema {
  const { fields } = parent;
  if (fields === undefined) {
    throw new StrategicMergeError(
      `merging an object in json but data type is not struct, instead is: ${kindOf(parent)}`,
    );
  }
  if (Object.hasOwn(fields, name)) return fields[name]!;
  const lower = name.toLowerCase();
  for (const field of Object.keys(fields)) {
    if (field.toLowerCase() === lower) return fields[field]!;
  }
  throw new StrategicMergeError(
    `unable to find api field in struct ${structName(parent)} for the json field ${goQuote(name)}`,
  );
}

function structName(schema: TypeSchema): string {
  return schema instanceof BuiltinType ? schema.goName.replace(/^.*\./, "") : "";
}

/** Returns the name of a built-in type's kind in Go's reflection, such as `struct`. */
export function kindOf(schema: TypeSchema): string {
  if (schema.fields !== undefined) return "struct";
  if (schema.values !== undefined) return "map";
  if (schema.items !== undefined) return "slice";
  switch (schema.type) {
    case "string":
      return schema.format === "byte" ? "slice" : "string";
    case "boolean":
      return "bool";
    case "integer":
      return schema.format ?? "int64";
    case "number":
      return "float64";
    default:
      return "interface";
  }
}
