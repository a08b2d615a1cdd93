import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { joined, type SchemaProblem } from "./schema_error.ts";

/**
 * Returns a problem for each schema with a transition rule, among the schema of an array's items
 * and the schemas nested in it, for an array that is not of type `map`: between two versions of
 * such an array, the API server cannot tell which items correspond.
 */
export function transitionRules(schema: V1JSONSchemaProps, path: string): SchemaProblem[] {
  const rules = schema["x-kubernetes-validations"] ?? [];
  const message = "a rule with oldSelf, or immutable, needs an array of listType map above it: " +
    "items of other arrays have no earlier value";
  const own = rules.some(({ rule }) => /\boldSelf\b/.test(rule)) ? [{ path, message }] : [];
  const { items, additionalProperties, properties = {} } = schema;
  const below = (each: V1JSONSchemaProps | unknown, at: string): SchemaProblem[] =>
    typeof each === "object" ? transitionRules(each as V1JSONSchemaProps, at) : [];
  return [
    ...own,
    ...Object.entries(properties).flatMap(([name, each]) => below(each, joined(path, name))),
    ...below(items, `${path}[]`),
    ...below(additionalProperties, `${path}{}`),
  ];
}
