import assert from "node:assert/strict";
import { checkSchema, fromJsonSchema, SchemaError } from "../mod.ts";

type Json = Record<string, unknown>;

const ANY = { "x-kubernetes-preserve-unknown-fields": true };
const INT_OR_STRING = {
  anyOf: [{ type: "integer" }, { type: "string" }],
  "x-kubernetes-int-or-string": true,
};

/** JSON schemas with the structural schemas that they become. */
const CONVERTED: Readonly<Record<string, readonly [schema: Json, structural: Json]>> = {
  "a text with limits": [
    { type: "string", minLength: 1, maxLength: 3, pattern: "^a", title: "A", examples: ["a"] },
    { type: "string", minLength: 1, maxLength: 3, pattern: "^a" },
  ],
  "a description, deprecated": [
    { type: "string", description: "The zone", deprecated: true },
    { description: "The zone\n\nDeprecated.", type: "string" },
  ],
  "bounds as numbers": [
    { type: "integer", exclusiveMinimum: 0, maximum: 9, exclusiveMaximum: 10 },
    { type: "integer", minimum: 0, exclusiveMinimum: true, maximum: 9 },
  ],
  "bounds as flags": [
    { type: "number", minimum: 0, exclusiveMinimum: true, multipleOf: 0.5 },
    { type: "number", minimum: 0, exclusiveMinimum: true, multipleOf: 0.5 },
  ],
  "a const": [{ const: "a" }, { type: "string", enum: ["a"] }],
  "an enum of lists with a default": [
    { type: "array", items: { type: "integer" }, enum: [[1], [1, 2]], default: [1, 2] },
    { type: "array", items: { type: "integer" }, enum: [[1], [1, 2]], default: [1, 2] },
  ],
  "an enum without a type": [{ enum: [1, 2] }, { type: "integer", enum: [1, 2] }],
  "an enum with null": [
    { enum: ["a", null] },
    { type: "string", nullable: true, allOf: [{ enum: ["a"] }] },
  ],
  "a type or null": [{ type: ["string", "null"] }, { type: "string", nullable: true }],
  "anyOf with null": [
    { anyOf: [{ type: "string", maxLength: 1 }, { type: "null" }], description: "x" },
    { description: "x", type: "string", maxLength: 1, nullable: true },
  ],
  "nullable of OpenAPI": [
    { type: "string", nullable: true },
    { type: "string", nullable: true },
  ],
  "an integer or a text": [{ type: ["integer", "string"] }, INT_OR_STRING],
  "a union beside clauses that restrict": [
    {
      anyOf: [{ type: "string", allOf: [{ pattern: "^a" }] }, { type: "null" }],
      oneOf: [{ minLength: 1 }, { maxLength: 3 }],
    },
    {
      type: "string",
      nullable: true,
      allOf: [{ pattern: "^a" }, { oneOf: [{ minLength: 1 }, { maxLength: 3 }] }],
    },
  ],
  "oneOf with types beside an anyOf that restricts": [
    {
      oneOf: [{ enum: ["a"], type: "string" }, { type: "null" }],
      anyOf: [{ minLength: 1 }],
    },
    { type: "string", nullable: true, allOf: [{ anyOf: [{ minLength: 1 }] }, { enum: ["a"] }] },
  ],
  "anyOf of integer and text": [
    { anyOf: [{ type: "integer", minimum: 0 }, { type: "string" }] },
    { ...INT_OR_STRING, minimum: 0 },
  ],
  "an enum of integers and texts": [
    { enum: ["auto", 1, null], not: { enum: [2] } },
    {
      ...INT_OR_STRING,
      nullable: true,
      allOf: [{ enum: ["auto", 1] }],
      not: { enum: [2] },
    },
  ],
  "an enum with null beside other clauses": [
    { enum: ["a", "ab", null], allOf: [{ minLength: 1 }, { maxLength: 1 }] },
    {
      type: "string",
      nullable: true,
      allOf: [{ enum: ["a", "ab"] }, { minLength: 1 }, { maxLength: 1 }],
    },
  ],
  "required fields of an open object": [
    { type: "object", properties: {}, additionalProperties: true, required: ["a"] },
    { type: "object", ...ANY, required: ["a"] },
  ],
  "required fields of a map": [
    { type: "object", additionalProperties: { type: "string" }, required: ["b", "a"] },
    { type: "object", additionalProperties: { type: "string" }, required: ["a", "b"] },
  ],
  "anyOf of values": [
    { anyOf: [{ const: "a" }, { enum: ["b", "c"] }] },
    { type: "string", enum: ["a", "b", "c"] },
  ],
  "an object": [
    {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "integer", default: 1 } },
      required: ["b", "a", "a"],
    },
    {
      type: "object",
      properties: { a: { type: "string" }, b: { default: 1, type: "integer" } },
      required: ["a"],
    },
  ],
  "an object with unknown fields": [
    { type: "object", properties: { a: { type: "string" } }, additionalProperties: true },
    { type: "object", properties: { a: { type: "string" } }, ...ANY },
  ],
  "an object of any fields": [{ type: "object" }, { type: "object", ...ANY }],
  "a map": [
    {
      type: "object",
      additionalProperties: { type: "boolean" },
      propertyNames: { type: "string" },
    },
    { type: "object", additionalProperties: { type: "boolean" } },
  ],
  "an array": [
    { type: "array", items: { type: "string" }, maxItems: 3 },
    { type: "array", maxItems: 3, items: { type: "string" } },
  ],
  "an array of anything": [{ type: "array" }, { type: "array", items: ANY }],
  "unique items": [
    { type: "array", items: { type: "string" }, uniqueItems: true },
    { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
  ],
  "anything": [{}, ANY],
  "references": [
    {
      type: "object",
      properties: { a: { $ref: "#/$defs/zone", description: "A" }, b: { $ref: "#/$defs/zone" } },
      $defs: { zone: { $ref: "#/$defs/a~1b%20c" }, "a/b c": { type: "string" } },
    },
    {
      type: "object",
      properties: { a: { description: "A", type: "string" }, b: { type: "string" } },
    },
  ],
  "allOf of objects": [
    {
      allOf: [
        { $ref: "#/definitions/base" },
        { type: "object", properties: { b: { type: "string" } }, required: ["b"] },
      ],
      definitions: {
        base: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
      },
    },
    {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      required: ["a", "b"],
    },
  ],
  "clauses that restrict": [
    { type: "string", allOf: [{ pattern: "a" }, { pattern: "b" }], not: { enum: ["ab"] } },
    { type: "string", allOf: [{ pattern: "a" }, { pattern: "b" }], not: { enum: ["ab"] } },
  ],
  "a format that the server checks makes a pattern of JavaScript superfluous": [
    { type: "string", format: "email", pattern: "^(?!\\.).*$" },
    { type: "string", format: "email" },
  ],
  "a pattern of a number, with and without a format": [
    {
      type: "object",
      properties: {
        bare: { type: "integer", pattern: "^1" },
        int: { type: "integer", format: "int32", pattern: "^1" },
        other: { type: "number", format: "uint8", pattern: "^1" },
      },
    },
    {
      type: "object",
      properties: {
        bare: { type: "integer", pattern: "^1" },
        int: { type: "integer", format: "int32", pattern: "^1" },
        other: { type: "number", pattern: "^1" },
      },
    },
  ],
  "a pattern makes a format that the server does not know superfluous": [
    { type: "string", format: "cuid", pattern: "^c" },
    { type: "string", pattern: "^c" },
  ],
  "extensions": [
    {
      type: "array",
      items: { type: "object", properties: { k: { type: "string" } }, required: ["k"] },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      "x-other": 1,
    },
    {
      type: "array",
      items: { type: "object", properties: { k: { type: "string" } }, required: ["k"] },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
    },
  ],
};

for (const [name, [schema, structural]] of Object.entries(CONVERTED)) {
  Deno.test(`fromJsonSchema() converts ${name}`, async () => {
    const converted = fromJsonSchema(schema);
    assert.deepEqual(converted.json, structural);
    await checkSchema(converted);
  });
}

Deno.test("fromJsonSchema() converts objects with a discriminator", async () => {
  const branch = (type: string, field: string): Json => ({
    type: "object",
    properties: { type: { const: type }, [field]: { type: "string" } },
    required: ["type", field],
  });
  const converted = fromJsonSchema({ oneOf: [branch("A", "a"), branch("B", "b")] });
  assert.deepEqual(converted.json.properties?.type, { type: "string", enum: ["A", "B"] });
  assert.equal(converted.json["x-kubernetes-validations"]?.length, 4);
  await checkSchema(converted);
});

Deno.test("fromJsonSchema() keeps the fields and the clauses beside objects with a discriminator", () => {
  const branch = (type: string): Json => ({
    type: "object",
    properties: { type: { const: type } },
    required: ["type"],
  });
  const { json } = fromJsonSchema({
    type: "object",
    properties: { size: { type: "integer" } },
    required: ["size"],
    oneOf: [branch("A"), branch("B")],
    anyOf: [{ required: ["size"] }],
  });
  assert.deepEqual(Object.keys(json.properties ?? {}), ["type", "size"]);
  assert.deepEqual(json.allOf, [{ anyOf: [{ required: ["size"] }] }]);
  assert.equal(json["x-kubernetes-validations"]?.length, 1, "size is required");
});

/** JSON schemas that are refused, with the path and the words of the problem. */
const REFUSED: Readonly<Record<string, readonly [schema: Json, path: string, words: RegExp]>> = {
  "a cycle": [{ $ref: "#" }, "", /refers to itself/],
  "a cycle below": [
    { type: "object", properties: { a: { type: "array", items: { $ref: "#" } } } },
    "a[].a[]",
    /\$ref # refers to itself.*limit the depth/,
  ],
  "an enum with an object twice": [
    { type: "object", properties: {}, enum: [{ a: 1, b: 2 }, { b: 2, a: 1 }] },
    "",
    /lists \{"b":2,"a":1\} twice/,
  ],
  "a reference to nothing": [{ $ref: "#/$defs/a" }, "", /names nothing/],
  "a reference to an inherited name": [{ $ref: "#/constructor" }, "", /names nothing/],
  "a reference elsewhere": [{ $ref: "https://a.example/b" }, "", /not within the document/],
  "patternProperties": [{ type: "object", patternProperties: {} }, "", /name the fields/],
  "additionalProperties: false": [
    { type: "object", properties: { a: { type: "object", additionalProperties: false } } },
    "a",
    /drops unknown fields instead of rejecting them/,
  ],
  "fields and others": [
    { type: "object", properties: {}, additionalProperties: { type: "string" } },
    "",
    /into a field of their own/,
  ],
  "if": [{ type: "object", if: {}, then: {} }, "", /CEL rule/],
  "dependentRequired": [{ type: "object", dependentRequired: {} }, "", /CEL rule/],
  "a tuple": [{ type: "array", prefixItems: [{}], items: false }, "", /named fields/],
  "a tuple of draft 7": [{ type: "array", items: [{}] }, "", /named fields/],
  "contains": [{ type: "array", contains: {} }, "", /self\.exists/],
  "several types": [{ type: ["string", "boolean"] }, "", /one type, not string or boolean/],
  "oneOf with types": [
    { type: "object", properties: { a: { oneOf: [{ type: "string" }, { type: "boolean" }] } } },
    "a",
    /discriminated union/,
  ],
  "anyOf and oneOf with types": [
    { anyOf: [{ type: "string" }], oneOf: [{ type: "string" }, { type: "null" }] },
    "",
    /anyOf and oneOf beside each other/,
  ],
  "null alone": [{ type: "null" }, "", /always null/],
  "false": [{ type: "array", items: false }, "[]", /false accepts no value/],
  "propertyNames": [
    { type: "object", additionalProperties: true, propertyNames: { pattern: "^a" } },
    "",
    /propertyNames/,
  ],
  "an unknown format": [{ type: "string", format: "cuid" }, "", /format cuid; use a pattern/],
  "a pattern of JavaScript": [{ type: "string", pattern: "(?=a)" }, "", /RE2 lacks/],
  "a default that does not match": [
    { type: "object", properties: { a: { type: "integer", default: "1" } } },
    "a",
    /must be of type integer, is string/,
  ],
  "allOf that contradicts itself": [
    { allOf: [{ type: "string" }, { type: "integer" }] },
    "",
    /contradict each other about type/,
  ],
  "a reference to an anchor": [
    { $ref: "#a", $defs: { a: { $anchor: "a", type: "string" } } },
    "",
    /names an anchor.*as #\/\$defs\/a/,
  ],
  "an unknown type": [{ type: "strng" }, "", /type must be of array, boolean.*is "strng"/],
  "fields in a list": [{ type: "object", properties: ["a"] }, "", /properties must be an object/],
  "a required field as a text": [{ type: "object", required: "a" }, "", /required must be a list/],
  "a bound as a text": [{ type: "integer", minimum: "5" }, "", /minimum must be a number, is "5"/],
  "an enum without values": [{ enum: [] }, "", /enum must be a list with at least one value/],
  "a clause with a keyword of a wrong form": [
    { allOf: [{ type: "object", properties: {}, required: "a" }, { type: "object" }] },
    "",
    /required must be a list of names/,
  ],
  "a required field that is not there": [
    { type: "object", properties: { a: { type: "object", properties: {}, required: ["b"] } } },
    "a",
    /required names b, which properties lacks.*add it to properties/,
  ],
  "an unknown keyword": [{ type: "string", maxlength: 3 }, "", /maxlength.*not a keyword/],
  "unique objects": [
    { type: "array", items: { type: "object", properties: {} }, uniqueItems: true },
    "",
    /scalars or atomic/,
  ],
};

for (const [name, [schema, path, words]] of Object.entries(REFUSED)) {
  Deno.test(`fromJsonSchema() refuses ${name}`, () => {
    assert.throws(() => fromJsonSchema(schema), (error) => {
      assert(error instanceof SchemaError);
      const [problem] = error.problems;
      assert.equal(problem?.path, path, error.message);
      assert.match(problem?.message ?? "", words);
      return true;
    });
  });
}

Deno.test("fromJsonSchema() names all problems at once", () => {
  const properties = { a: { type: "null" }, b: { type: "string", format: "cuid" } };
  assert.throws(() => fromJsonSchema({ type: "object", properties }), /2 reasons:\n- a: .*\n- b: /);
});

Deno.test("fromJsonSchema() refuses a value that is no schema", () => {
  assert.throws(() => fromJsonSchema(null as unknown as Json), SchemaError);
  assert.throws(() => fromJsonSchema("string" as unknown as Json), SchemaError);
  assert.throws(() => fromJsonSchema([] as unknown as Json), SchemaError);
});

Deno.test("fromJsonSchema() refuses schemas that are too deep, too large, or contain themselves", () => {
  const deep = (levels: number): Json =>
    Array.from({ length: levels }).reduce<Json>(
      (items) => ({ type: "array", items }),
      { type: "string" },
    );
  assert.equal(fromJsonSchema(deep(150)).json.type, "array");
  assert.throws(() => fromJsonSchema(deep(20_000)), /nested more than 200 levels deep/);
  const inItself: Json = { type: "object", properties: {} };
  (inItself.properties as Json).a = inItself;
  assert.throws(() => fromJsonSchema(inItself), /or contains itself; take any value/);
  const clauses: Json = { type: "object" };
  clauses.allOf = [clauses];
  assert.throws(() => fromJsonSchema(clauses), /or contains itself/);
  // Each schema refers to the one before twice.
  for (const key of ["properties", "allOf"]) {
    const $defs: Json = { d0: { type: "object", properties: {} } };
    for (let at = 1; at <= 30; at++) {
      const before = { $ref: `#/$defs/d${at - 1}` };
      $defs[`d${at}`] = key === "allOf"
        ? { allOf: [before, before] }
        : { type: "object", properties: { a: before, b: before } };
    }
    assert.throws(
      () => fromJsonSchema({ $ref: "#/$defs/d30", $defs }),
      /more than 100000 schemas, with its references inlined/,
    );
  }
});
