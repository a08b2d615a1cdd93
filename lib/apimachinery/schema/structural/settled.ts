import { isMap } from "../../values/json_values.ts";
import { hasDefault, itemsOf, type JsonSchema, propertiesOf, valuesOf } from "./json_schema.ts";

/** A function that reports whether a value is as the API server would store it. */
export type SettledTest = (value: unknown) => boolean;

/**
 * Returns a function that reports whether a value is surely as the API server would store it:
 * pruning, defaulting and the removal of nulls would leave it unchanged. Metadata of objects is not
 * examined. `false` says nothing.
 */
export function settledTest(schema: JsonSchema, isRoot = true): SettledTest {
  const items = itemsOf(schema);
  const values = valuesOf(schema);
  const item = items && settledTest(items, false);
  const other = values && settledTest(values, false);
  const fields = new Map(
    propertiesOf(schema).map(([name, each]) => [name, settledTest(each, false)]),
  );
  if (isRoot) {
    for (const name of ["apiVersion", "kind", "metadata"]) {
      fields.set(name, () => true);
    }
  }
  const defaulted = propertiesOf(schema).filter(([, each]) => hasDefault(each)).map(([name]) =>
    name
  );
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true ||
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
      if (field === undefined ? !isOpen : !field(value[name])) return false;
    }
    return true;
  };
}
