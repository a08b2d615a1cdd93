// Mirrors `cel/mutation/typeresolver.go, DynamicTypeResolver`.
import { parseType } from "./declarations.ts";
import { type CelType, DYN, structType } from "./types/cel_type.ts";

/**
 * The fields of the CEL struct type `Object` and the types below it: a field of every name exists,
 * with a type known at run time only.
 */
class AnyFields extends Map<string, CelType> {
  override get(): CelType {
    return DYN;
  }
}

const ANY_FIELDS = new AnyFields();
/**
 * The fields of the CEL struct type `JSONPatch`. As in kube-apiserver, every field exists, but an
 * unknown field accepts no value.
 */
class PatchFields extends Map<string, CelType> {
  override get(name: string): CelType {
    return super.get(name) ?? NO_TYPE;
  }
}

const NO_TYPE = structType("");
const PATCH_FIELDS = new PatchFields([
  ["op", parseType("string")],
  ["path", parseType("string")],
  ["from", parseType("string")],
  ["value", DYN],
]);

/**
 * The struct types that CEL expressions of mutating policies can build: the types in the map,
 * `JSONPatch`, `Object` and types below `Object`.
 */
export class MutationTypes extends Map<string, ReadonlyMap<string, CelType>> {
  override get(name: string): ReadonlyMap<string, CelType> | undefined {
    if (name === "JSONPatch") return PATCH_FIELDS;
    return name === "Object" || name.startsWith("Object.") ? ANY_FIELDS : super.get(name);
  }
}
