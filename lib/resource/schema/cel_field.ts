import { escapeProperty } from "@xca/apimachinery/internal/cel/escaping";
import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";

/**
 * Returns the name of a field in CEL expressions: `my__dash__field` for `my-field`. A name that CEL
 * cannot write is returned unchanged; {@linkcode hasCelName} returns false for such a name.
 */
export function celField(name: string): string {
  return escapeProperty(name) ?? name;
}

/** Reports whether CEL expressions can name a field, with characters escaped where needed. */
export function hasCelName(name: string): boolean {
  return escapeProperty(name) !== undefined;
}

/**
 * Reports whether CEL rules of an object can name one of its fields: the schema of the field and
 * those of its items or values have a type, and the name is one that CEL can write.
 */
export function isVisibleInCel(name: string, schema: V1JSONSchemaProps): boolean {
  const isTyped = schema.type !== undefined || schema["x-kubernetes-int-or-string"] === true;
  return isTyped && isTypedBelow(schema) && hasCelName(name);
}

/**
 * Reports whether the items or values of a collection have a type, without which CEL rules cannot
 * access the collection.
 */
function isTypedBelow({ items, additionalProperties }: V1JSONSchemaProps): boolean {
  return [items, additionalProperties].every((below) =>
    typeof below !== "object" || isVisibleInCel("a", below as V1JSONSchemaProps)
  );
}
