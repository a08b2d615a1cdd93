import type { ObjectMeta } from "../../meta/object.ts";
import { type FieldError, required } from "../machinery/field_error.ts";
import { FieldPath } from "../machinery/field_path.ts";
import type { KindStrategy } from "../machinery/strategy.ts";

const METADATA = FieldPath.of("metadata");

/** What is wrong with the metadata of any object. */
export function validateMetadata(
  meta: ObjectMeta,
  _namespaced: boolean,
  _strategy: KindStrategy,
): FieldError[] {
  const errors: FieldError[] = [];
  if (!meta.name) errors.push(required(METADATA.child("name"), "name or generateName is required"));
  return errors;
}

/** What is wrong with a change of the metadata of any object. */
export function validateMetadataUpdate(_meta: ObjectMeta, _old: ObjectMeta): FieldError[] {
  return [];
}
