// Mirrors `cel/mutation/typeresolver.go, DynamicTypeResolver`.
import { parseType } from "./declarations.ts";
import { type CelType, DYN, structType } from "./types/cel_type.ts";

/**
 * A map from field name to type for the CEL struct type `Object` and the types below it: every name
 * has the type `dyn`.
 */
class AnyFields extends Map<string, CelType> {
  override get(): CelType {
    return DYN;
  }
}

const ANY_FIELDS = new AnyFields();
/**
 * A map from field name to type for the CEL struct type `JSONPatch`. As in kube-apiserver, a field
 * of every name exists, but an unknown field has a type that no value has.
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
 * The CEL struct types that expressions of mutating admission policies can use: a map from the name
 * of a type to the types of its fields. Besides its entries, `get` finds `JSONPatch`, `Object` and
 * every type below `Object`, such as `Object.spec`.
 */
export class MutationTypes extends Map<string, ReadonlyMap<string, CelType>> {
  override get(name: string): ReadonlyMap<string, CelType> | undefined {
    if (name === "JSONPatch") return PATCH_FIELDS;
    return name === "Object" || name.startsWith("Object.") ? ANY_FIELDS : super.get(name);
  }
}
