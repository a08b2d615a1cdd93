import assert from "node:assert/strict";
import { SchemaMaker } from "../../../../tests/support/random/random_schemas.ts";
import { SCHEMA_FEATURES } from "../../../../tests/support/random/schema_features.ts";
import { printedRandom } from "../../../../tests/support/seed.ts";
import { jsonEqual } from "../../values/json_values.ts";
import { FieldPath } from "../../errors/field_path.ts";
import { SCHEMA_CODE } from "../schema_code.ts";
import type { JsonSchema } from "../structural/json_schema.ts";
import { applyDefaults, dropNulls } from "../structural/defaults.ts";
import { checkListTypes } from "../structural/list_types.ts";
import { prune } from "../structural/prune.ts";
import { settledTest } from "../structural/settled.ts";
import { checkValue } from "./check_value.ts";
import { checkerOf } from "./checker.ts";
import { quickPattern } from "./quick_pattern.ts";
import { surelyValid } from "./surely_valid.ts";

const code = await SCHEMA_CODE.get();
const SCHEMAS = 300;
const VALUES = 20;

/** Reports whether the full check finds nothing. */
function isValid(schema: JsonSchema, value: unknown): boolean {
  const { violations } = checkValue(code, checkerOf(schema), value);
  return violations.length === 0 &&
    checkListTypes(FieldPath.root, schema, value as never).length === 0;
}

Deno.test("surelyValid() accepts no value in which the full check finds a violation", () => {
  const { random } = printedRandom();
  const maker = new SchemaMaker(random);
  let [valid, sure] = [0, 0];
  for (let count = 0; count < SCHEMAS; count++) {
    const made = maker.schema();
    const schema = made.schema.json as JsonSchema;
    for (let index = 0; index < VALUES; index++) {
      const value = maker.valueOf(made);
      const isSure = surelyValid(code, schema)(value);
      const isTrue = isValid(schema, value);
      assert(!isSure || isTrue, `${JSON.stringify(schema)} of ${JSON.stringify(value)}`);
      if (isTrue) valid++;
      if (isSure) sure++;
    }
  }
  assert(sure > valid * 0.8, `only ${sure} of ${valid} valid values are recognised`);
});

Deno.test("settledTest() accepts no valid object that pruning or defaulting would change", () => {
  const { random } = printedRandom();
  const maker = new SchemaMaker(random);
  let [unchanged, sure] = [0, 0];
  for (let count = 0; count < SCHEMAS; count++) {
    const made = maker.schema();
    const spec = made.schema.json as JsonSchema;
    const schema: JsonSchema = { type: "object", properties: { spec } };
    for (let index = 0; index < VALUES; index++) {
      const object = { apiVersion: "example.com/v1", kind: "Foo", spec: maker.valueOf(made) };
      const isSure = surelyValid(code, schema)(object) && settledTest(schema)(object);
      const stored = structuredClone(object) as Parameters<typeof prune>[0];
      prune(stored, schema, true);
      dropNulls(stored, schema);
      applyDefaults(stored, schema);
      const isSettled = jsonEqual(stored, object) && isValid(schema, object);
      assert(!isSure || isSettled, `${JSON.stringify(schema)} of ${JSON.stringify(object)}`);
      if (isSettled) unchanged++;
      if (isSure) sure++;
    }
  }
  assert(sure > unchanged * 0.7, `only ${sure} of ${unchanged} settled objects are recognised`);
});

Deno.test("surelyValid() recognises the valid values of each feature, apart from those that need the full check", () => {
  const left: string[] = [];
  for (const [name, { schema, valid, invalid = [] }] of Object.entries(SCHEMA_FEATURES)) {
    const json = schema.json as JsonSchema;
    for (const value of [...valid, ...invalid]) {
      if (surelyValid(code, json)(value)) assert(isValid(json, value), name);
      else if (isValid(json, value)) left.push(`${name} of ${JSON.stringify(value)}`);
    }
  }
  assert.deepEqual(left, [
    'lengths of "😀😀😀"',
    "int64 of 9007199254740992",
    "number of -100000000000000000000",
    'mapArray of [{"name":"a","port":1},{"name":"a","protocol":"UDP","port":1}]',
    'mapArray of [{"name":"a","port":1},{"name":"a","protocol":"TCP","port":2}]',
  ]);
});

/** Texts that expressions of RE2 and JavaScript could match in different ways. */
const TEXTS = [
  "",
  "a",
  "a\n",
  "\u2028",
  "\r",
  "é",
  "😀",
  "\ud800",
  "a b",
  "0".repeat(2000),
  "-._/",
  "Ab1",
];
const PATTERNS = [
  "^[a-z]+$",
  ".",
  "^.$",
  "[^a]",
  "\\d",
  "\\D",
  "\\W$",
  "^\\w+$",
  "\\s",
  "(a|b)+",
  "(?i)A",
  "\\pL",
  "\\x{61}",
  "a{2000}",
  "^[a-z]*[0-9]*[a-z]*$",
  "[[:alpha:]]",
  "\\z",
  "^$",
  "\\-\\.",
  "[\\-.]",
  "a{,2}",
  "x{",
  "]",
];

Deno.test("quickPattern() matches as RE2 does", () => {
  for (const pattern of PATTERNS) {
    let re2;
    try {
      re2 = code.goRegExp(pattern);
    } catch {
      continue;
    }
    const quick = quickPattern(pattern, re2);
    for (const text of TEXTS) {
      assert.equal(quick(text), re2.test(text), `${pattern} of ${JSON.stringify(text)}`);
    }
  }
});

Deno.test("quickPattern() takes few steps where backtracking would take many", () => {
  const patterns: Readonly<Record<string, string>> = {
    [`^${"a?".repeat(60)}${"a".repeat(60)}b$`]: "a".repeat(120),
    [`^${"(a|a)".repeat(60)}b`]: "a".repeat(120),
    [`^${"(|)".repeat(60)}b`]: "",
    [`^${"a{0,9}".repeat(60)}b`]: "a".repeat(60),
    "^a{0,1000}a{0,1000}a{0,1000}a{0,1000}b": "a".repeat(4000),
    "[a-z]+x": "a".repeat(1_000_000),
    "^a|[a-z]+x": "b".repeat(1_000_000),
  };
  for (const [pattern, text] of Object.entries(patterns)) {
    assert.equal(quickPattern(pattern, code.goRegExp(pattern))(text), false, pattern);
  }
});

Deno.test("quickPattern() leaves usual expressions to JavaScript", () => {
  const asked: string[] = [];
  const patterns: Readonly<Record<string, string>> = {
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$": "a".repeat(900),
    "^[a-z]+$": "a".repeat(100_000),
    "^(Always|OnFailure|Never)$": "OnFailure",
    "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$": "2026-01-01T00:00:00Z",
    "^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$": "v1beta1",
  };
  for (const [pattern, text] of Object.entries(patterns)) {
    const re2 = { test: () => asked.push(pattern) > 0 };
    assert.equal(quickPattern(pattern, re2)(text), true, pattern);
  }
  assert.deepEqual(asked, []);
});
