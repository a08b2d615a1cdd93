/**
 * Schemas of zod and valibot themselves.
 *
 * @module
 */
import assert from "node:assert/strict";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { z } from "zod";
import {
  checkSchema,
  fromStandardSchema,
  type Input,
  s,
  SchemaError,
  type StandardJsonSchemaLike,
  type Stored,
} from "../../lib/resource/mod.ts";

const ZOD = z.object({
  name: z.string().min(1).max(63).regex(/^[a-z]+$/),
  email: z.email(),
  replicas: z.number().int().min(0).default(1),
  note: z.string().optional(),
  owner: z.string().nullable(),
  mode: z.enum(["A", "B"]).default("A"),
  source: z.discriminatedUnion("type", [
    z.object({ type: z.literal("Git"), url: z.string() }),
    z.object({ type: z.literal("None") }),
  ]),
  labels: z.record(z.string(), z.string()),
  any: z.unknown(),
  port: z.union([z.int(), z.string()]),
  both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
});

Deno.test("fromStandardSchema() converts a schema of zod", async () => {
  const converted = fromStandardSchema(ZOD);
  const { properties = {}, required } = converted.json;
  assert.deepEqual(properties.name, {
    type: "string",
    minLength: 1,
    maxLength: 63,
    pattern: "^[a-z]+$",
  });
  assert.equal(properties.replicas?.default, 1);
  assert.equal(properties.owner?.nullable, true);
  assert.deepEqual(properties.source?.properties?.type?.enum, ["Git", "None"]);
  assert.equal(properties.port?.["x-kubernetes-int-or-string"], true);
  assert.deepEqual(properties.both?.required, ["a", "b"]);
  assert.deepEqual(
    required,
    ["any", "both", "email", "labels", "name", "owner", "port", "source"],
  );
  await checkSchema(s.object({ spec: converted }));
});

Deno.test("fromStandardSchema() keeps the static types of zod", () => {
  const converted = fromStandardSchema(ZOD);
  const input: Pick<Input<typeof converted>, "replicas" | "mode"> = {};
  const stored: Pick<Stored<typeof converted>, "replicas" | "mode"> = { replicas: 1, mode: "B" };
  const source: Stored<typeof converted>["source"] = { type: "Git", url: "" };
  // @ts-expect-error A stored object has the defaults.
  const incomplete: Pick<Stored<typeof converted>, "replicas"> = {};
  assert.deepEqual([input, stored.mode, source.type, incomplete], [{}, "B", "Git", {}]);
});

Deno.test("fromStandardSchema() converts a schema of valibot", async () => {
  const schema = v.object({
    a: v.pipe(v.string(), v.minLength(1)),
    b: v.optional(v.number(), 3),
    c: v.optional(v.string()),
    d: v.nullable(v.boolean()),
    e: v.variant("k", [
      v.object({ k: v.literal("x"), p: v.number() }),
      v.object({ k: v.literal("y") }),
    ]),
    f: v.picklist(["p", "q"]),
  });
  const converted = fromStandardSchema(toStandardJsonSchema(schema));
  const { properties = {}, required } = converted.json;
  assert.deepEqual(properties.a, { type: "string", minLength: 1 });
  assert.equal(properties.b?.default, 3);
  assert.deepEqual(properties.e?.properties?.k?.enum, ["x", "y"]);
  assert.deepEqual(required, ["a", "d", "e", "f"]);
  await checkSchema(converted);
  const input: Pick<Input<typeof converted>, "b"> = {};
  assert.deepEqual(input, {});
});

/** Schemas of libraries that are refused, with the path and the words of the problem. */
const REFUSED: Readonly<Record<string, readonly [StandardJsonSchemaLike, string, RegExp]>> = {
  "a strict object of zod": [z.object({ a: z.strictObject({}) }), "a", /z\.object instead/],
  "a strict object of valibot": [toStandardJsonSchema(v.strictObject({})), "", /unknown fields/],
  "a transformation of zod": [z.string().transform(Number), "", /zod.*leave transformations/],
  "a transformation of valibot": [
    toStandardJsonSchema(v.pipe(v.string(), v.transform(Number))),
    "",
    /valibot.*leave transformations/,
  ],
  "a codec": [
    z.object({ a: z.array(z.codec(z.string(), z.number(), { decode: Number, encode: String })) }),
    "a[]",
    /the API server stores what users write/,
  ],
  "a tuple": [z.object({ a: z.tuple([z.string()]) }), "a", /named fields/],
  "a union without a discriminator": [
    z.object({ a: z.array(z.union([z.string(), z.boolean()])) }),
    "a[]",
    /one type|several forms/,
  ],
  "a date": [z.date(), "", /types of JSON/],
};

for (const [name, [schema, path, words]] of Object.entries(REFUSED)) {
  Deno.test(`fromStandardSchema() refuses ${name}`, () => {
    assert.throws(() => fromStandardSchema(schema), (error) => {
      assert(error instanceof SchemaError);
      assert.equal(error.problems[0]?.path, path);
      assert.match(error.problems[0]?.message ?? "", words);
      return true;
    });
  });
}

Deno.test("fromStandardSchema() refuses a recursive schema of zod", () => {
  const node: z.ZodType = z.object({
    get next() {
      return z.optional(node);
    },
  });
  assert.throws(
    () => fromStandardSchema(node as unknown as StandardJsonSchemaLike),
    /next\.next: \$ref # refers to itself/,
  );
});

Deno.test("fromStandardSchema() names what a value without JSON schema lacks", () => {
  const plain = v.string() as unknown as StandardJsonSchemaLike;
  assert.throws(() => fromStandardSchema(plain), /toStandardJsonSchema of @valibot/);
  assert.throws(() => fromStandardSchema(undefined as never), TypeError);
});
