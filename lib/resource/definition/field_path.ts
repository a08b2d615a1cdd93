/**
 * Paths of fields in printer columns, selectable fields and scale subresources: the JSONPath syntax
 * of kubectl without braces, restricted to expressions whose fields can be found in a schema.
 *
 * @module
 */
import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";

/**
 * A step of a field path: the name of a field, or `[]` for the items of an array or the values of a
 * map.
 */
export type Step = { readonly name: string } | "[]";

/** The schema of object metadata, by which field paths below `.metadata` are checked. */
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

/** The schema of a value whose fields are not known. */
const ANY: V1JSONSchemaProps = { "x-kubernetes-preserve-unknown-fields": true };

const STEP =
  /\.((?:\\.|[^.[\]\\])+)|\[(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|(\*|-?\d*(?::-?\d*){0,2}|\?\(.*?\)))\]/y;

/**
 * Returns the steps of a field path; an index, a range, a filter or `*` becomes the step `[]`.
 * Returns `undefined` for an empty path, for one that does not begin with `.` or `[`, and for other
 * syntax, such as `..`.
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

/**
 * The result of looking up a field in a schema: the schema of the field, or the path of the first
 * missing field (`missing`) and the names of the fields that the schema has at that level
 * (`known`).
 */
export type FoundField =
  | { readonly schema: V1JSONSchemaProps }
  | { readonly missing: string; readonly known: readonly string[] };

/**
 * Returns the schema of the field at a path in the schema of a whole object. If the schema lacks a
 * field on the path, returns the path up to the first missing field, and the names of the fields
 * that the schema has in its stead.
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

/**
 * Returns a copy of the schema of a version's objects in which the fields `apiVersion`, `kind` and
 * `metadata` have the schemas that are the same for every object.
 */
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
