import assert from "node:assert/strict";
import { FieldPath } from "../../errors/field_path.ts";
import { fieldErrorText } from "../../errors/field_error.ts";
import type { JsonSchema } from "../structural/json_schema.ts";
import { checkerOf } from "./checker.ts";
import { checkValue } from "./check_value.ts";
import { Correlation } from "./correlation.ts";
import { SCHEMA_CODE } from "../schema_code.ts";
import { toFieldErrors } from "./violation.ts";

const code = await SCHEMA_CODE.get();

function errors(schema: JsonSchema, value: unknown, old?: unknown): string[] {
  const correlation = old === undefined ? undefined : new Correlation(value, old, schema);
  const { violations } = checkValue(code, checkerOf(schema), value, "", correlation);
  return toFieldErrors(FieldPath.root, violations).map(fieldErrorText);
}

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties,
});

Deno.test("a fraction is not an integer, and violates an integer's range", () => {
  assert.deepEqual(errors(object({ a: { type: "integer" } }), { a: 1.5 }), [
    'a: Invalid value: "number": a in body must be of type integer: "number"',
    '<nil>: Invalid value: "": Checked value must be of type integer (default format) in a',
  ]);
});

Deno.test("a fraction that kube-apiserver rounds to an integer passes the check of the type", () => {
  const schema = object({ a: { type: "integer" } });
  assert.equal(errors(schema, { a: 1 + 1e-12 })[0]?.startsWith("<nil>"), true);
});

Deno.test("multipleOf with a fraction refuses integers, as in kube-apiserver", () => {
  assert.deepEqual(errors(object({ a: { type: "number", multipleOf: 0.5 } }), { a: 5 }), [
    "a: Invalid value: 0: factor MultipleOf declared for a must be positive: 0",
  ]);
});

Deno.test("the error about anyOf is that of the best matching alternative", () => {
  const schema = object({
    a: { type: "object", anyOf: [{ required: ["b"] }, { required: ["c"], maxProperties: 0 }] },
  });
  assert.deepEqual(errors(schema, { a: {} }), [
    '<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)',
    "a.b: Required value",
  ]);
});

Deno.test("an unchanged invalid value is tolerated, a changed one is refused", () => {
  const schema = object({ a: { type: "integer", maximum: 5 }, b: { type: "integer" } });
  assert.deepEqual(errors(schema, { a: 9, b: 1 }, { a: 9, b: 2 }), []);
  assert.equal(errors(schema, { a: 9 }, { a: 8 }).length, 1);
});

Deno.test("items of a list of type map correlate by their keys, those of other lists do not", () => {
  const items = object({ k: { type: "string" }, v: { type: "integer", maximum: 5 } });
  const map: JsonSchema = {
    type: "array",
    items,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
  };
  const before = { l: [{ k: "a", v: 9 }, { k: "b", v: 1 }] };
  const after = { l: [{ k: "b", v: 2 }, { k: "a", v: 9 }] };
  assert.deepEqual(errors(object({ l: map }), after, before), []);
  const plain: JsonSchema = { type: "array", items };
  assert.equal(errors(object({ l: plain }), after, before).length, 1);
});

Deno.test("null is refused unless the schema is nullable", () => {
  assert.equal(errors(object({ a: { type: "string" } }), { a: null }).length, 1);
  assert.deepEqual(errors(object({ a: { type: "string", nullable: true } }), { a: null }), []);
});
