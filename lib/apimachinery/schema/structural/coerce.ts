import { type FieldError, fieldErrorText, invalid } from "../../errors/field_error.ts";
import { FieldPath } from "../../errors/field_path.ts";
import { isMap, sortFields } from "../../values/json_values.ts";
import { ShapeError } from "./go_decode.ts";
import { itemsOf, type JsonSchema, propertyOf, valuesOf } from "./json_schema.ts";
import { decodeMetadata, salvageMetadata } from "./object_meta.ts";
import { dropNulls } from "./defaults.ts";
import { prune } from "./prune.ts";

/** A part of an embedded resource's type or metadata is malformed. */
export class MalformedField extends ShapeError {
  readonly error: FieldError;

  constructor(error: FieldError) {
    super(fieldErrorText(error));
    this.error = error;
  }
}

/** How {@linkcode coerceObject} and {@linkcode coerceEmbedded} treat what is malformed. */
export interface CoerceOptions {
  /** Drops metadata of another type rather than to refuse it; for what is stored already. */
  readonly dropsMalformed?: boolean;
}

/**
 * Brings an object of a custom resource to its structure, in place: metadata, fields, nulls.
 *
 * @returns the paths of what was dropped: of the metadata, of the object, of what it embeds.
 * @throws {ShapeError} When metadata, its own or embedded, is malformed.
 */
export function coerceObject(
  object: Record<string, unknown>,
  schema: JsonSchema | undefined,
  options: CoerceOptions = {},
): string[] {
  const { kind, apiVersion } = object;
  const dropped: string[] = [];
  const hasMetadata = Object.hasOwn(object, "metadata");
  const metadata = hasMetadata ? decode(object.metadata, options) : undefined;
  for (const path of metadata?.unknown ?? []) dropped.push(`metadata.${path}`);
  dropped.push(...prune(object, schema, true));
  dropNulls(object, schema);
  const embedded: string[] = [];
  coerceEmbedded(FieldPath.root, object, schema, options, embedded);
  dropped.push(...embedded.sort((a, b) => a < b ? -1 : a > b ? 1 : 0));
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
 * Brings the metadata of embedded resources to its structure, in place.
 * @throws {MalformedField} When it is malformed.
 */
export function coerceEmbedded(
  path: FieldPath,
  value: unknown,
  schema: JsonSchema | undefined,
  options: CoerceOptions,
  dropped: string[] = [],
): void {
  if (schema === undefined) return;
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
