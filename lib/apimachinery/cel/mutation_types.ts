import { parseType } from "./declarations.ts";
import { type CelType, DYN, structType } from "./types/cel_type.ts";

/** Fields of any name, of which nothing is known. */
class AnyFields extends Map<string, CelType> {
  override get(): CelType {
    return DYN;
  }
}

const ANY_FIELDS = new AnyFields();
/** The real server takes any field, and of those it does not know none has the right type. */
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

/** The types of what expressions that change objects can build, beside those given. */
export class MutationTypes extends Map<string, ReadonlyMap<string, CelType>> {
  override get(name: string): ReadonlyMap<string, CelType> | undefined {
    if (name === "JSONPatch") return PATCH_FIELDS;
    return name === "Object" || name.startsWith("Object.") ? ANY_FIELDS : super.get(name);
  }
}
