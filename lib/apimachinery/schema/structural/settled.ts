import { isMap } from "../../values/json_values.ts";
import {
  hasDefault,
  itemsOf,
  type JsonSchema,
  propertiesOf,
  someSchema,
  valuesOf,
} from "./json_schema.ts";

/**
 * A function that reports whether a value is certainly in the form in which the API server would
 * store it. After `false`, the value may be in that form or not.
 */
export type SettledTest = (value: unknown) => boolean;

/**
 * Options of {@linkcode settledTest}, which tests whether a value is in the form in which it is
 * stored.
 */
export interface SettledOptions {
  /**
   * Sets whether fields that the schema lacks are ignored, for values whose unknown fields are
   * pruned before anything reads them. @default {false}
   */
  readonly ignoresUnknown?: boolean;
}

const ALWAYS: SettledTest = () => true;

/**
 * Returns a function that reports whether an object that matches a schema is certainly in the form
 * in which the API server would store it: pruning, defaulting and the removal of nulls would leave
 * it unchanged. The object's type and metadata are not examined. The result `false` means that the
 * object may be in that form or not.
 */
export function settledTest(schema: JsonSchema, options: SettledOptions = {}): SettledTest {
  return testOf(schema, options, true);
}

function testOf(schema: JsonSchema, options: SettledOptions, isRoot: boolean): SettledTest {
  if (options.ignoresUnknown && !someSchema(schema, isFilled)) return ALWAYS;
  const items = itemsOf(schema);
  const values = valuesOf(schema);
  const item = items && testOf(items, options, false);
  const other = values && testOf(values, options, false);
  const fields = new Map(
    propertiesOf(schema).map(([name, each]) => [name, testOf(each, options, false)]),
  );
  if (isRoot) { for (const name of ["apiVersion", "kind", "metadata"]) fields.set(name, ALWAYS); }
  const defaulted = propertiesOf(schema).filter(([, each]) => hasDefault(each)).map(([name]) =>
    name
  );
  const isOpen = options.ignoresUnknown ||
    schema["x-kubernetes-preserve-unknown-fields"] === true ||
    schema.additionalProperties === true;
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  const isNullable = schema.nullable === true;
  return (value) => {
    if (value === null) return isNullable;
    if (Array.isArray(value)) return item !== undefined ? value.every(item) : isOpen;
    if (!isMap(value)) return true;
    if (isEmbedded) return false;
    for (const name of defaulted) if (!Object.hasOwn(value, name)) return false;
    for (const name in value) {
      const field = fields.get(name) ?? other;
      if (field === undefined ? !isOpen : field !== ALWAYS && !field(value[name])) return false;
    }
    return true;
  };
}

/**
 * Reports whether a schema has a default value or a minimum number of fields, or is that of an
 * embedded resource.
 */
function isFilled(schema: JsonSchema): boolean {
  return hasDefault(schema) || schema.minProperties !== undefined ||
    schema["x-kubernetes-embedded-resource"] === true;
}
