// Mirrors `schema/listtype/validation.go, ValidateListSetsAndMaps`.
import { duplicate, type FieldError, invalid } from "../../errors/field_error.ts";
import type { FieldPath } from "../../errors/field_path.ts";
import { runAll } from "../../base/time/loop_share.ts";
import { canonicalJson, isMap, sortFields } from "../../values/json_values.ts";
import { itemsOf, type JsonSchema, propertyOf, rememberedSome, valuesOf } from "./json_schema.ts";

/**
 * Returns the field errors of repeated items in lists of type `set` and `map` in a custom object.
 * Only the first item that is neither an object nor null is reported for a list of type `map`.
 */
export function checkListTypes(
  path: FieldPath,
  schema: JsonSchema | undefined,
  value: unknown,
): FieldError[] {
  return runAll(checkListTypesInSteps(path, schema, value));
}

/** The number of items or fields after which their check yields to other work. */
const PAUSE_AFTER = 500;

/**
 * Checks list types like {@linkcode checkListTypes}, as a generator that yields from time to time
 * so that other work may run.
 */
export function* checkListTypesInSteps(
  path: FieldPath,
  schema: JsonSchema | undefined,
  value: unknown,
): Generator<void, FieldError[]> {
  const errors: FieldError[] = [];
  yield* addErrors(errors, path, schema, value);
  return errors;
}

function* addErrors(
  errors: FieldError[],
  path: FieldPath,
  schema: JsonSchema | undefined,
  value: unknown,
): Generator<void, void> {
  if (schema === undefined || !hasListTypes(schema)) return;
  if (Array.isArray(value)) return yield* addListErrors(errors, path, schema, value);
  if (!isMap(value)) return;
  const values = valuesOf(schema);
  for (const [index, key] of Object.keys(value).entries()) {
    if (values) yield* addErrors(errors, path.key(key), values, value[key]);
    const property = propertyOf(schema, key);
    if (property) yield* addErrors(errors, path.child(key), property, value[key]);
    if (index % PAUSE_AFTER === PAUSE_AFTER - 1) yield;
  }
}

/**
 * Reports whether a schema or one below it has the list type `set` or `map`; most schemas have
 * neither and need no check.
 */
const hasListTypes = rememberedSome(({ "x-kubernetes-list-type": type }) =>
  type === "set" || type === "map"
);

function* addListErrors(
  errors: FieldError[],
  path: FieldPath,
  schema: JsonSchema,
  list: readonly unknown[],
): Generator<void, void> {
  switch (schema["x-kubernetes-list-type"]) {
    case "set":
      for (const index of yield* repeated(list)) {
        errors.push(duplicate(path.index(index), sortFields(list[index])));
      }
      break;
    case "map":
      yield* addMapListErrors(errors, path, schema, list);
      break;
  }
  const items = itemsOf(schema);
  if (items && hasListTypes(items)) {
    for (const [index, item] of list.entries()) {
      yield* addErrors(errors, path.index(index), items, item);
      if (index % PAUSE_AFTER === PAUSE_AFTER - 1) yield;
    }
  }
}

function* addMapListErrors(
  errors: FieldError[],
  path: FieldPath,
  schema: JsonSchema,
  list: readonly unknown[],
): Generator<void, void> {
  for (const [index, item] of list.entries()) {
    if (item !== null && !isMap(item)) {
      const why = "must be an object for an array of list-type map";
      return void errors.push(invalid(path.index(index), item, why));
    }
  }
  const names = schema["x-kubernetes-list-map-keys"] ?? [];
  const keys = list.map((item) => {
    const key: Record<string, unknown> = {};
    for (const name of names) {
      if (isMap(item) && Object.hasOwn(item, name)) key[name] = item[name];
    }
    return key;
  });
  yield;
  for (const index of yield* repeated(keys)) {
    errors.push(duplicate(path.index(index), sortFields(keys[index])));
  }
}

/** Returns the index of the second occurrence of each item of a list that occurs more than once. */
function* repeated(list: readonly unknown[]): Generator<void, number[]> {
  const times = new Map<string, number>();
  const found: number[] = [];
  for (const [index, item] of list.entries()) {
    const text = canonicalJson(item);
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    if (before === 1) found.push(index);
    if (index % PAUSE_AFTER === PAUSE_AFTER - 1) yield;
  }
  return found;
}
