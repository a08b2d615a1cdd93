import assert from "node:assert/strict";
import type { AnySchema } from "./schema.ts";
import { checkSchema } from "./check_schema.ts";
import { SchemaError } from "./schema_error.ts";
import * as s from "./s.ts";
import { SCHEMA_FEATURES } from "../../../tests/support/random/schema_features.ts";

/** Schemas with a fault, with the path and the words of the problem. */
const FAULTS: Readonly<Record<string, readonly [schema: AnySchema, path: string, words: RegExp]>> =
  {
    "a minimum above the maximum": [
      s.object({ a: s.integer({ minimum: 2, maximum: 1 }) }),
      "a",
      /minimum 2 is more than maximum 1/,
    ],
    "a minLength above the maxLength": [
      s.object({ a: s.array(s.string({ minLength: 2, maxLength: 1 })) }),
      "a[]",
      /minLength 2 is more than maxLength 1/,
    ],
    "a negative length": [
      s.map(s.string({ maxLength: -1 })),
      "{}",
      /whole number from 0 on, is -1/,
    ],
    "a bound of another type": [
      s.integer({ minimum: 5n as unknown as number, maximum: 1 }),
      "",
      /minimum must be a number, is 5/,
    ],
    "a value that JSON has not": [
      s.literal(undefined as unknown as string),
      "",
      /must be a text, number or boolean, is undefined/,
    ],
    "a bound that is no number": [s.integer({ minimum: NaN }), "", /must be a number, is NaN/],
    "a multiple of zero": [s.integer({ multipleOf: 0 }), "", /more than 0/],
    "a pattern that is no expression": [s.string({ pattern: "[" }), "", /not a regular expression/],
    "a pattern with a named group that is no expression": [
      s.string({ pattern: "^(?<name>[a-z]+" }),
      "",
      /not a regular expression/,
    ],
    "a pattern with lookahead": [s.string({ pattern: "^(?!a)" }), "", /RE2 lacks; use a CEL rule/],
    "a default of another type": [
      s.object({ a: s.object({ b: s.string({ default: 1 as unknown as string }) }) }),
      "a.b",
      /must be of type string, is integer/,
    ],
    "a default out of bounds": [s.integer({ maximum: 1, default: 2 }), "", /must be at most 1/],
    "a default without a required field": [
      s.object({ a: s.string() }, { default: {} as { a: string } }),
      "",
      /a is required/,
    ],
    "a default with an unknown field": [
      s.object({}, { default: { b: 1 } as never }),
      "",
      /b is not a field of the schema/,
    ],
    "an optional field with a default": [
      s.optional(s.string({ default: "a" })),
      "",
      /drop s.optional/,
    ],
    "an enum without values": [s.enum([]), "", /at least one value/],
    "an enum of two types": [s.enum(["a", 1]), "", /one type, and these have string and number/],
    "an enum with a value twice": [s.enum(["a", "a"]), "", /lists "a" twice/],
    "map keys that items lack": [
      s.array(s.object({ a: s.string() }), { listType: "map", mapKeys: ["b" as "a"] }),
      "",
      /names b, which the items do not have/,
    ],
    "map keys that are optional": [
      s.array(s.object({ a: s.optional(s.string()) }), { listType: "map", mapKeys: ["a"] }),
      "",
      /names a, which is optional/,
    ],
    "map keys that are objects": [
      s.array(s.object({ a: s.object({}) }), { listType: "map", mapKeys: ["a"] }),
      "",
      /must be a text, a number or a boolean/,
    ],
    "a list of type map of texts": [
      s.array(s.string(), { listType: "map", mapKeys: ["length"] as never }),
      "",
      /must be objects/,
    ],
    "a set of objects": [s.array(s.object({}), { listType: "set" }), "", /atomic: true/],
    "a set of null": [s.array(s.nullable(s.string()), { listType: "set" }), "", /nullable/],
    "an immutable field in items without a key": [
      s.object({ a: s.array(s.object({ b: s.string({ immutable: true }) })) }),
      "a[].b",
      /needs an array of listType map/,
    ],
    "a rule about a value of any type": [
      s.unknown({ rules: [{ rule: "self == 1" }] }),
      "",
      /can have no CEL rules/,
    ],
    "an immutable field that CEL cannot name": [
      s.object({ $a: s.optional(s.string({ immutable: true })) }),
      "$a",
      /CEL rules cannot name it/,
    ],
    "a field without a name": [s.object({ "": s.string() }), "", /cannot have the name ""/],
    "a union without members": [s.union("type", {}), "", /must have a member/],
    "a union whose member has the discriminator": [
      s.union("type", { A: { type: s.string() } }),
      "type",
      /is the discriminator/,
    ],
    "a union with a default": [
      s.union("type", { A: { a: s.string({ default: "x" }) }, B: {} }),
      "a",
      /cannot have a default/,
    ],
    "a union with two schemas of a field": [
      s.union("type", { A: { a: s.string() }, B: { a: s.integer() } }),
      "a",
      /member B has another schema/,
    ],
    "one of no fields": [s.exactlyOneOf({}), "", /at least one field/],
    "one of fields with a default": [
      s.exactlyOneOf({ a: s.string({ default: "" }) }),
      "a",
      /cannot have a default/,
    ],
    "a schema of another library": [
      s.object({ a: { parse: () => 1 } as unknown as AnySchema }),
      "a",
      /must be a schema of s.*fromStandardSchema/,
    ],
    "an option that there is not": [
      s.string({ maxlen: 3 } as unknown as { maxLength: 3 }),
      "",
      /no option maxlen/,
    ],
    "a length that is a text": [
      s.string({ maxLength: "3" as unknown as number }),
      "",
      /must be a number, is "3"/,
    ],
    "an unknown format": [
      s.string({ format: "color" as "uri" }),
      "",
      /use a pattern, or bsonobjectid/,
    ],
    "an unknown format of integers": [
      s.integer({ format: "int16" as "int32" }),
      "",
      /int16; it checks int32, int64/,
    ],
    "an unknown list type": [
      s.array(s.string(), { listType: "bag" as "set" }),
      "",
      /atomic, set or map, is "bag"/,
    ],
    "map keys that are a text": [
      s.array(s.object({ a: s.string() }), { listType: "map", mapKeys: "a" as unknown as ["a"] }),
      "",
      /array of names/,
    ],
    "rules that are texts": [
      s.string({ rules: ["true"] as unknown as [] }),
      "",
      /rules must be an array of rules/,
    ],
    "a default that is no JSON": [s.unknown({ default: () => 1 }), "", /a value of JSON/],
    "an enum that is a text": [s.enum("a" as unknown as ["a"]), "", /list its values/],
    "no fields": [s.object(undefined as unknown as Record<string, never>), "", /object of schemas/],
    "no members": [
      s.union("type", undefined as unknown as { A: Record<never, never> }),
      "",
      /must have a member/,
    ],
    "a member without fields": [
      s.union("type", { A: undefined as unknown as Record<never, never> }),
      "",
      /object of schemas/,
    ],
    "no schema": [s.object({ a: undefined as unknown as AnySchema }), "a", /must be a schema of s/],
  };

for (const [name, [schema, path, words]] of Object.entries(FAULTS)) {
  Deno.test(`reading a schema with ${name} throws`, () => {
    assert.throws(() => schema.json, (error) => {
      assert(error instanceof SchemaError);
      assert.equal(error.problems[0]?.path, path, error.message);
      assert.match(error.problems[0]?.message ?? "", words);
      return true;
    });
  });
}

Deno.test("a SchemaError lists every problem with its path", () => {
  const spec = s.object({
    port: s.integer({ minimum: 2, maximum: 1 }),
    zones: s.array(s.object({ name: s.string({ pattern: "(" }) })),
  });
  assert.throws(
    () => spec.json,
    /for 2 reasons:\n- port: minimum 2 .*\n- zones\[\]\.name: pattern /,
  );
});

/** Schemas with a fault that needs the code of the API server, with the words of the problem. */
const HIDDEN: Readonly<Record<string, readonly [schema: AnySchema, words: RegExp]>> = {
  "a pattern of RE2 that does not parse": [
    s.object({ a: s.array(s.string({ pattern: "(?i)[" })) }),
    /a\[\]: pattern: .*must be a valid regular expression/,
  ],
  "a default that does not match its pattern": [
    s.object({ a: s.string({ pattern: "^a", default: "b" }) }),
    /a: default: .*should match/,
  ],
  "a rule that does not parse": [
    s.object({ a: s.map(s.string({ rules: [{ rule: "self ==" }] })) }),
    /a\{\}: x-kubernetes-validations\[0\]\.rule: .*Syntax error/,
  ],
  "a rule that is too expensive": [
    s.object({
      a: s.array(
        s.string({ rules: [{ rule: "self.matches('^a')" }] }),
      ),
    }),
    /a\[\]: x-kubernetes-validations\[0\]\.rule: .*exceeds budget.*maxItems/,
  ],
};

for (const [name, [schema, words]] of Object.entries(HIDDEN)) {
  Deno.test(`checkSchema() rejects ${name}`, async () => {
    assert(schema.json);
    await assert.rejects(checkSchema(schema), (error) => {
      assert(error instanceof SchemaError);
      assert.match(error.message, words);
      return true;
    });
  });
}

for (const [name, { schema }] of Object.entries(SCHEMA_FEATURES)) {
  Deno.test(`checkSchema() accepts the feature ${name}`, async () => {
    await checkSchema(schema);
  });
}

for (const pattern of ["^(?<name>a)$", "^(?<1st>a)$", "^(?P<name>a)$", "^(?i)a$", "^\\pL$"]) {
  Deno.test(`checkSchema() accepts the pattern ${pattern}`, async () => {
    await checkSchema(s.object({ a: s.string({ pattern, maxLength: 9 }) }));
  });
}

Deno.test("the JSON of a schema is frozen, and shared by the schemas above it", () => {
  const name = s.string({ maxLength: 3 });
  const spec = s.object({ a: name, b: s.array(name) });
  assert(Object.isFrozen(spec.json.properties?.a));
  assert.equal(spec.json.properties?.a, name.json);
  assert.throws(() => {
    (spec.json as { type: string }).type = "string";
  }, TypeError);
});

Deno.test("a schema does not change with the options and the default that it was made of", () => {
  const value = { a: ["x"] };
  const rules = [{ rule: "true" }];
  const schema = s.object({ a: s.array(s.string()) }, { default: value, rules });
  value.a.push("y");
  rules[0]!.rule = "false";
  assert.deepEqual(schema.json.default, { a: ["x"] });
  assert.equal(schema.json["x-kubernetes-validations"]?.[0]?.rule, "true");
});

Deno.test("required fields are sorted, and properties are in the order of their definition", () => {
  const { properties, required } = s.object({ b: s.string(), a: s.string() }).json;
  assert.deepEqual(Object.keys(properties!), ["b", "a"]);
  assert.deepEqual(required, ["a", "b"]);
});
