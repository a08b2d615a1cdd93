import type { AnySchema } from "./schema.ts";
import { joined, SchemaError, type SchemaProblem } from "./schema_error.ts";

/** The API group of the temporary CustomResourceDefinition with which a schema is checked. */
const GROUP = "check.example.com";
/**
 * The prefix of field paths in the errors about a checked schema, which {@linkcode problemOf}
 * removes.
 */
const ROOT = "spec.validation.openAPIV3Schema.properties[value]";

/**
 * Checks a schema as the API server checks it in a CustomResourceDefinition: patterns, defaults by
 * formats and patterns, and the syntax, types and cost of CEL rules. The first call loads the code
 * of these checks, some 400 KB; reading {@linkcode Schema.json} throws an error with the problems
 * that can be found without this code.
 *
 * @throws {SchemaError} When the API server would not accept the schema.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { checkSchema, s } from "@xca/operator/resource";
 *
 * const range = s.object(
 *   { minimum: s.integer(), maximum: s.integer() },
 *   { rules: [{ rule: "self.minimum <= self.max" }] },
 * );
 * await assert.rejects(checkSchema(range), /undefined field 'max'/);
 * ```
 */
export async function checkSchema(schema: AnySchema): Promise<void> {
  const { json } = schema;
  const { definitionErrors, SCHEMA_CODE } = await import("@xca/apimachinery/internal/schema");
  const steps = definitionErrors(await SCHEMA_CODE.get(), definitionWith(json) as never);
  let step = steps.next();
  while (!step.done) step = steps.next();
  if (step.value.length === 0) return;
  throw new SchemaError(step.value.map(({ field, body }) => problemOf(field, body)));
}

/**
 * Returns a CustomResourceDefinition whose objects have a field `value` with the checked schema.
 */
function definitionWith(schema: unknown): Record<string, unknown> {
  const names = { plural: "values", singular: "value", kind: "Value", listKind: "ValueList" };
  const openAPIV3Schema = { type: "object", properties: { value: schema } };
  return {
    metadata: { name: `values.${GROUP}` },
    spec: {
      group: GROUP,
      names,
      scope: "Namespaced",
      conversion: { strategy: "None" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
    status: { storedVersions: ["v1"], acceptedNames: names, conditions: [] },
  };
}

/**
 * Returns the problem of the checked schema that an error about the CustomResourceDefinition
 * reports: the keyword at the end of the error's path becomes part of the message.
 */
function problemOf(field: string, body: string): SchemaProblem {
  if (!field.startsWith(ROOT)) return { path: "", message: `${field}: ${body}` };
  let rest = field.slice(ROOT.length);
  let path = "";
  for (;;) {
    const [step, name] = /^\.properties\[([^\]]*)\]/.exec(rest) ?? [];
    const [other] = step === undefined
      ? /^\.(items|additionalProperties)(?=\.|$)/.exec(rest) ?? []
      : [];
    if (step !== undefined) path = joined(path, name!);
    else if (other !== undefined) path += other === ".items" ? "[]" : "{}";
    else break;
    rest = rest.slice((step ?? other)!.length);
  }
  return { path, message: rest === "" ? body : `${rest.slice(1)}: ${body}` };
}
