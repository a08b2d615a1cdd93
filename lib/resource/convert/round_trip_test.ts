import assert from "node:assert/strict";
import { isAffordable, SchemaMaker } from "../../../tests/support/random/random_schemas.ts";
import { SCHEMA_FEATURES } from "../../../tests/support/random/schema_features.ts";
import { printedRandom } from "../../../tests/support/seed.ts";
import { fromJsonSchema } from "../mod.ts";

type Json = Record<string, unknown>;

Deno.test("fromJsonSchema() leaves the structural schema of each feature as it is", () => {
  for (const [name, { schema }] of Object.entries(SCHEMA_FEATURES)) {
    assert.deepEqual(fromJsonSchema(schema.json as Json).json, schema.json, name);
  }
});

Deno.test("random schemas of s pass the whole check, and fromJsonSchema() leaves them as they are", async () => {
  const { random } = printedRandom();
  const maker = new SchemaMaker(random);
  let affordable = 0;
  for (let count = 0; count < 60; count++) {
    const { schema } = maker.schema();
    const json = schema.json as Json;
    assert.deepEqual(fromJsonSchema(json).json, json, JSON.stringify(json));
    if (await isAffordable(schema)) affordable++;
  }
  assert(affordable > 50, `only ${affordable} schemas are within the cost limits`);
});
