import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import type { Keywords } from "./document.ts";

/**
 * Returns the keywords `minimum`, `maximum` and `multipleOf` of a JSON Schema, and those for
 * exclusive bounds, in the form of a CustomResourceDefinition: `exclusiveMinimum` is a number in
 * newer drafts of JSON Schema, and a flag beside `minimum` in a CustomResourceDefinition. If a
 * schema has an inclusive and an exclusive bound, the tighter one is returned.
 */
export function numberKeywords(schema: Keywords): V1JSONSchemaProps {
  const { multipleOf } = schema;
  return {
    ...bound(schema, "minimum", "exclusiveMinimum", (a, b) => a > b),
    ...bound(schema, "maximum", "exclusiveMaximum", (a, b) => a < b),
    ...(typeof multipleOf === "number" && { multipleOf }),
  };
}

function bound(
  schema: Keywords,
  name: "minimum" | "maximum",
  exclusiveName: "exclusiveMinimum" | "exclusiveMaximum",
  isTighter: (a: number, b: number) => boolean,
): V1JSONSchemaProps {
  const { [name]: inclusive, [exclusiveName]: exclusive } = schema;
  const limit = typeof inclusive === "number" ? inclusive : undefined;
  if (typeof exclusive === "number" && (limit === undefined || !isTighter(limit, exclusive))) {
    return { [name]: exclusive, [exclusiveName]: true };
  }
  if (limit === undefined) return {};
  return { [name]: limit, ...(exclusive === true && { [exclusiveName]: true }) };
}
