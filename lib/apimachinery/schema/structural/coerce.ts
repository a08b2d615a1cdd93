// Mirrors `schema/objectmeta/algorithm.go, CoerceWithOptions`.
import { type FieldError, fieldErrorText, invalid } from "../../errors/field_error.ts";
import { FieldPath } from "../../errors/field_path.ts";
import { isMap, sortFields } from "../../values/json_values.ts";
import { runAll } from "../../base/time/loop_share.ts";
import { ShapeError } from "./go_decode.ts";
import { itemsOf, type JsonSchema, propertyOf, valuesOf } from "./json_schema.ts";
import { decodeMetadata, salvageMetadata } from "./object_meta.ts";
import { dropNulls } from "./defaults.ts";
import { hasEmbedded } from "./embedded.ts";
import { prune } from "./prune.ts";
import { sortTexts } from "../../values/go_order.ts";

/** The error about a malformed type or metadata of an embedded resource. */
export class MalformedField extends ShapeError {
  readonly error: FieldError;

  constructor(error: FieldError) {
    super(fieldErrorText(error));
    this.error = error;
  }
}

/**
 * Options of {@linkcode coerceObject} and {@linkcode coerceEmbedded}, which drop fields that a
 * schema or the type of metadata does not define.
 */
export interface CoerceOptions {
  /**
   * Sets whether metadata fields of a wrong type, and an `apiVersion` or `kind` of an embedded
   * resource that is not a string, are dropped, for objects that are already stored; by default,
   * such fields cause an error.
   */
  readonly dropsMalformed?: boolean;
}

/**
 * Drops from a custom object, in place, the fields that its schema or the type of metadata does not
 * define, and the fields that are null although the schema neither allows null nor has a default.
 * Metadata, also of embedded resources, is replaced by its decoded form, without empty fields.
 *
 * @returns The paths of the dropped fields that are not defined: of the metadata, of the object, of
 * embedded resources.
 * @throws {ShapeError} When the metadata of the object, or the type or metadata of an embedded
 * resource, is malformed, unless malformed fields are dropped.
 */
export function coerceObject(
  object: Record<string, unknown>,
  schema: JsonSchema | undefined,
  options: CoerceOptions = {},
): string[] {
  return runAll(coerceInSteps(object, schema, options));
}

/**
 * Changes a custom object like {@linkcode coerceObject}, as a generator that yields from time to
 * time so that other work may run.
 */
export function* coerceInSteps(
  object: Record<string, unknown>,
  schema: JsonSchema | undefined,
  options: CoerceOptions = {},
): Generator<void, string[]> {
  const { kind, apiVersion } = object;
  const dropped: string[] = [];
  const hasMetadata = Object.hasOwn(object, "metadata");
  const metadata = hasMetadata ? decode(object.metadata, options) : undefined;
  for (const path of metadata?.unknown ?? []) dropped.push(`metadata.${path}`);
  for (const path of prune(object, schema, true)) dropped.push(path);
  yield;
  dropNulls(object, schema);
  yield;
  const embedded: string[] = [];
  coerceEmbedded(FieldPath.root, object, schema, options, embedded);
  for (const path of sortTexts(embedded)) dropped.push(path);
  if (kind !== undefined) object.kind = kind;
  if (apiVersion !== undefined) object.apiVersion = apiVersion;
  if (metadata) object.metadata = metadata.value;
  return dropped;
}

function decode(
  metadata: unknown,
  { dropsMalformed }: CoerceOptions,
): ReturnType<typeof decodeMetadata> {
  return dropsMalformed ? salvageMetadata(metadata) : decodeMetadata(metadata);
}

/**
 * Replaces the metadata of embedded resources, in place, by its decoded form, without empty fields
 * and without the fields that metadata cannot have; adds the paths of the latter to `dropped`.
 *
 * @throws {MalformedField} When the type or metadata of an embedded resource is malformed, unless
 * malformed fields are dropped.
 */
export function coerceEmbedded(
  path: FieldPath,
  value: unknown,
  schema: JsonSchema | undefined,
  options: CoerceOptions,
  dropped: string[] = [],
): void {
  if (schema === undefined || !hasEmbedded(schema)) return;
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    for (const [index, item] of value.entries()) {
      coerceEmbedded(path.index(index), item, items, options, dropped);
    }
  } else if (isMap(value)) {
    if (schema["x-kubernetes-embedded-resource"]) coerceResource(path, value, options, dropped);
    const values = valuesOf(schema);
    for (const key of Object.keys(value)) {
      const property = propertyOf(schema, key);
      if (property) coerceEmbedded(path.child(key), value[key], property, options, dropped);
      else if (values) coerceEmbedded(path.key(key), value[key], values, options, dropped);
    }
  }
}

function coerceResource(
  path: FieldPath,
  resource: Record<string, unknown>,
  options: CoerceOptions,
  dropped: string[],
): void {
  for (const key of ["apiVersion", "kind"]) {
    if (!Object.hasOwn(resource, key) || typeof resource[key] === "string") continue;
    if (options.dropsMalformed) delete resource[key];
    else throw refuse(path.child(key), resource[key], "must be a string");
  }
  if (!Object.hasOwn(resource, "metadata")) return;
  try {
    const metadata = decode(resource.metadata, options);
    for (const unknown of metadata.unknown) dropped.push(`${path.child("metadata")}.${unknown}`);
    resource.metadata = metadata.value ?? {};
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw refuse(path.child("metadata"), resource.metadata, error.message);
  }
}

function refuse(path: FieldPath, value: unknown, why: string): MalformedField {
  return new MalformedField(invalid(path, sortFields(value), why));
}
