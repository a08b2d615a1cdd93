/**
 * Paths of fields in printer columns, selectable fields and scale subresources: the JSONPath syntax
 * of kubectl without braces, as far as its fields can be found in a schema.
 *
 * @module
 */
import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";

/** A step of a path: the name of a field, or `[]` for the items of an array. */
export type Step = { readonly name: string } | "[]";

/** The fields of object metadata, with the types that printer columns can show. */
const METADATA: V1JSONSchemaProps = {
  type: "object",
  properties: {
    name: { type: "string" },
    generateName: { type: "string" },
    namespace: { type: "string" },
    uid: { type: "string" },
    resourceVersion: { type: "string" },
    generation: { type: "integer" },
    creationTimestamp: { type: "string" },
    deletionTimestamp: { type: "string" },
    deletionGracePeriodSeconds: { type: "integer" },
    labels: { type: "object", additionalProperties: { type: "string" } },
    annotations: { type: "object", additionalProperties: { type: "string" } },
    finalizers: { type: "array", items: { type: "string" } },
    ownerReferences: { type: "array", "x-kubernetes-preserve-unknown-fields": true },
    managedFields: { type: "array", "x-kubernetes-preserve-unknown-fields": true },
  },
};

/** The schema of a value about which nothing is known. */
const ANY: V1JSONSchemaProps = { "x-kubernetes-preserve-unknown-fields": true };

const STEP =
  /\.((?:\\.|[^.[\]\\])+)|\[(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|(\*|-?\d*(?::-?\d*){0,2}|\?\(.*?\)))\]/y;

/**
 * Returns the steps of a path; undefined for one that does not begin with `.` or `[`, or has syntax
 * that leads to no single field, as `..`.
 */
export function stepsOf(path: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < path.length) {
    const match = STEP.exec(path);
    if (match === null) return undefined;
    const [, dotted, single, double, index] = match;
    const name = dotted ?? single ?? double;
    if (index !== undefined || name === "*") steps.push("[]");
    else steps.push({ name: name!.replace(/\\(.)/g, "$1") });
  }
  return steps.length === 0 ? undefined : steps;
}

/** The result of a search for a field in a schema. */
export type FoundField =
  | { readonly schema: V1JSONSchemaProps }
  | { readonly missing: string; readonly known: readonly string[] };

/**
 * Returns the schema of the field that steps lead to from the schema of a whole object, or the path
 * up to the first field that the schema does not have, with the fields that are there.
 */
export function findField(root: V1JSONSchemaProps, steps: readonly Step[]): FoundField {
  let schema = withHead(root);
  let path = "";
  for (const step of steps) {
    path += step === "[]" ? "[]" : `.${step.name}`;
    const next = step === "[]" ? itemsOf(schema) : fieldOf(schema, step.name);
    if (next === undefined) return { missing: path, known: Object.keys(schema.properties ?? {}) };
    schema = next;
  }
  return { schema };
}

/** Returns the schema of a whole object with the fields that every object has. */
function withHead(root: V1JSONSchemaProps): V1JSONSchemaProps {
  const text = { type: "string" };
  const properties = { ...root.properties, apiVersion: text, kind: text, metadata: METADATA };
  return { ...root, properties };
}

function fieldOf(schema: V1JSONSchemaProps, name: string): V1JSONSchemaProps | undefined {
  const { properties = {}, additionalProperties: values } = schema;
  if (Object.hasOwn(properties, name)) return properties[name];
  if (typeof values === "object") return values;
  return values === true || isOpen(schema) ? ANY : undefined;
}

function itemsOf(schema: V1JSONSchemaProps): V1JSONSchemaProps | undefined {
  const { items, additionalProperties: values } = schema;
  if (items !== undefined) return items as V1JSONSchemaProps;
  if (typeof values === "object") return values;
  return isOpen(schema) ? ANY : undefined;
}

function isOpen(schema: V1JSONSchemaProps): boolean {
  return schema["x-kubernetes-preserve-unknown-fields"] === true;
}
