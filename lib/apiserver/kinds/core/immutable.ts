import { type FieldError, invalid } from "../../machinery/field_error.ts";
import type { FieldPath } from "../../machinery/field_path.ts";
import { sameJson } from "./same_json.ts";

/** Checks that a value is what it was. */
export function checkImmutable(path: FieldPath, value: unknown, old: unknown): FieldError[] {
  return sameJson(value, old) ? [] : [invalid(path, value, "field is immutable")];
}
