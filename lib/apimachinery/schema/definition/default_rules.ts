// Mirrors `schema/defaulting/validation.go, ValidateDefaults`.
import type { Json } from "../../values/api_object.ts";
import { type FieldError, invalid, joinFieldErrors } from "../../errors/field_error.ts";
import { FieldPath } from "../../errors/field_path.ts";
import type { SchemaCode } from "../schema_code.ts";
import type { CelSchema } from "../../cel/cel_schema.ts";
import { cloneJson, jsonEqual, sortFields } from "../../values/json_values.ts";
import { coerceEmbedded, MalformedField } from "../structural/coerce.ts";
import { checkEmbedded } from "../structural/embedded.ts";
import { ShapeError } from "../structural/go_decode.ts";
import {
  hasDefault,
  itemsOf,
  type JsonSchema,
  propertiesOf,
  someSchema,
  valuesOf,
} from "../structural/json_schema.ts";
import { prune } from "../structural/prune.ts";
import { checkerOf } from "../validation/checker.ts";
import { checkValue } from "../validation/check_value.ts";
import { toFieldErrors } from "../validation/violation.ts";
import { Surroundings } from "./surroundings.ts";

/** A position in a schema, during the validation of the schema's default values. */
interface Walk {
  /** The schema of the (perhaps embedded) resource that contains the schema at this position. */
  readonly resource: JsonSchema;
  readonly surroundings: Surroundings;
  /**
   * Reports whether the position in a schema is within the `metadata`, `kind` or `apiVersion` of
   * its resource.
   */
  readonly isInMeta: boolean;
}

/**
 * Returns the field errors of the default values in a structural schema: each must be valid and
 * pruned. Like kube-apiserver, the function does not check default values within
 * `additionalProperties`. The generator yields so that other requests may run.
 */
export function* defaultErrors(
  code: SchemaCode,
  schema: JsonSchema,
  path: FieldPath,
): Generator<void, FieldError[]> {
  const root = { ...schema, "x-kubernetes-embedded-resource": true };
  const walk = { resource: root, surroundings: Surroundings.root, isInMeta: false };
  return yield* checkSchema(code, root, path, walk);
}

function* checkSchema(
  code: SchemaCode,
  schema: JsonSchema | undefined,
  path: FieldPath,
  outer: Walk,
): Generator<void, FieldError[]> {
  if (schema === undefined) return [];
  yield;
  const isResource = schema["x-kubernetes-embedded-resource"] === true;
  const walk: Walk = isResource
    ? { ...outer, resource: schema, surroundings: Surroundings.root, isInMeta: false }
    : outer;
  const errors: FieldError[] = [];
  if (hasDefault(schema)) {
    const at = path.child("default");
    errors.push(
      ...yield* (walk.isInMeta ? checkInMeta(code, schema, at, walk) : check(code, schema, at)),
    );
  }
  const items = itemsOf(schema);
  errors.push(
    ...yield* checkSchema(code, items, path.child("items"), {
      ...walk,
      surroundings: walk.surroundings.item(),
    }),
  );
  for (const [name, property] of propertiesOf(schema)) {
    const isMeta = isResource && ["metadata", "apiVersion", "kind"].includes(name);
    errors.push(
      ...yield* checkSchema(code, property, path.child("properties").key(name), {
        ...walk,
        surroundings: walk.surroundings.child(name),
        isInMeta: walk.isInMeta || isMeta,
      }),
    );
  }
  return errors;
}

/**
 * Returns the field errors of a default value of a field within the `metadata`, `kind` or
 * `apiVersion` of a resource: the value must match its schema, and the resource's metadata must be
 * valid with it.
 */
function* checkInMeta(
  code: SchemaCode,
  schema: JsonSchema,
  path: FieldPath,
  walk: Walk,
): Generator<void, FieldError[]> {
  const refuse = (why: string): FieldError[] => [
    invalid(path, sortFields(schema.default), `must result in valid metadata: ${why}`),
  ];
  const object = walk.surroundings.around(cloneJson(schema.default));
  object.kind ??= "Validation";
  object.apiVersion ??= "validation/v1";
  try {
    coerceEmbedded(FieldPath.root, object, walk.resource, {});
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    return refuse(error.message);
  }
  const errors = checkEmbedded(FieldPath.root, object, walk.resource, true);
  if (errors.length > 0) return refuse(joinFieldErrors(errors));
  return yield* checkBySchema(code, schema, path, schema.default);
}

function* check(
  code: SchemaCode,
  schema: JsonSchema,
  path: FieldPath,
): Generator<void, FieldError[]> {
  const errors: FieldError[] = [];
  const isResource = schema["x-kubernetes-embedded-resource"] === true;
  const value = cloneJson(schema.default);
  const pruned = cloneJson(value);
  prune(pruned, schema, isResource);
  if (!jsonEqual(pruned, value)) {
    errors.push(invalid(path, sortFields(value), "must not have unknown fields"));
  }
  try {
    coerceEmbedded(path, value, schema, {});
  } catch (error) {
    if (!(error instanceof MalformedField)) throw error;
    return [...errors, error.error];
  }
  const embedded = checkEmbedded(path, value, schema);
  return [
    ...errors,
    ...embedded.length > 0 ? embedded : yield* checkBySchema(code, schema, path, value),
  ];
}

function* checkBySchema(
  code: SchemaCode,
  schema: JsonSchema,
  path: FieldPath,
  value: unknown,
): Generator<void, FieldError[]> {
  const { violations } = checkValue(code, checkerOf(schema, "defaults"), value);
  if (violations.length > 0) return toFieldErrors(path, violations);
  if (!someSchema(schema, (each) => (each["x-kubernetes-validations"] ?? []).length > 0)) return [];
  const program = yield* code.compileCustomRules(schema as CelSchema);
  if (!program) return [];
  const old = value as Json;
  const errors = yield* program.check(old, old, path, { isUpdate: false });
  if (errors.length > 0) return errors;
  return yield* program.check(old, undefined, path, { isUpdate: false });
}

/**
 * Returns a copy of a schema whose default values have no unknown fields, and whose embedded
 * resources in default values have no malformed type or metadata. A schema without defaults is
 * returned unchanged.
 */
export function pruneDefaults(schema: JsonSchema): JsonSchema {
  if (!someSchema(schema, hasDefault)) return schema;
  const root = schema;
  const visit = (each: JsonSchema, surroundings: Surroundings): JsonSchema => {
    const items = itemsOf(each);
    const values = valuesOf(each);
    return {
      ...each,
      ...(hasDefault(each) && { default: prunedDefault(each, root, surroundings) ?? null }),
      ...(items && { items: visit(items, surroundings.item()) }),
      ...(values && { additionalProperties: visit(values, surroundings.child("*")) }),
      ...(each.properties && {
        properties: Object.fromEntries(
          propertiesOf(each).map(([name, property]) => [
            name,
            visit(property, surroundings.child(name)),
          ]),
        ),
      }),
    };
  };
  return visit(schema, Surroundings.root);
}

function prunedDefault(
  schema: JsonSchema,
  root: JsonSchema,
  surroundings: Surroundings,
): Json | undefined {
  const object = surroundings.around(cloneJson(schema.default));
  coerceEmbedded(FieldPath.root, object, root, { dropsMalformed: true });
  prune(object, root, true);
  return surroundings.find(object) as Json | undefined;
}
