/**
 * Checks properties of pruning, defaulting and validation that hold for all schemas and values,
 * with random ones.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Random } from "@xca/apimachinery/base";
import { FieldPath } from "@xca/apimachinery/internal/errors";
import {
  applyDefaults,
  checkEmbedded,
  checkerOf,
  checkListTypes,
  checkValue,
  coerceObject,
  Correlation,
  dropNulls,
  type JsonSchema,
  prune,
  SCHEMA_CODE,
  structuralErrors,
  toFieldErrors,
} from "@xca/apimachinery/internal/schema";
import { isMap } from "@xca/apimachinery/internal/values";
import { printedRandom } from "../../../tests/support/seed.ts";

const code = await SCHEMA_CODE.get();

const RUNS = 400;
const NAMES = ["a", "b", "kind", "metadata", "__proto__", "constructor", "x.y"];
const TYPES = ["string", "integer", "number", "boolean", "object", "object", "array"];
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 31,
  1e300,
  "",
  "a",
  "äö😀",
  "2020-01-01",
  "\u0000",
  [],
  {},
  [null],
  { a: null },
  { kind: 5, metadata: [] },
  { apiVersion: "v1", kind: "X", metadata: { labels: { a: "b" }, unknown: 1 } },
];

/** A generator of random schemas and values. */
class Maker {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  #chance(probability: number): boolean {
    return this.#random.next() < probability;
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random.next() * values.length)]!;
  }

  /** Returns a random schema with defaults only where a CustomResourceDefinition allows them. */
  schema(depth = 0): JsonSchema {
    const type = depth === 0 ? "object" : this.#pick(TYPES);
    const schema: Record<string, unknown> = { type };
    if (this.#chance(0.1)) schema["x-kubernetes-preserve-unknown-fields"] = true;
    if (depth > 0 && this.#chance(0.1)) schema.nullable = true;
    if (depth > 0 && depth < 4 && type === "object") this.#object(schema, depth);
    if (depth === 0) schema.properties = { spec: this.schema(1), status: this.schema(1) };
    if (type === "array") {
      schema.items = depth > 4 ? { type: "string" } : this.schema(depth + 1);
      if (this.#chance(0.3)) schema["x-kubernetes-list-type"] = this.#pick(["set", "map"]);
      schema["x-kubernetes-list-map-keys"] = ["a"];
    }
    if (this.#chance(0.2)) schema[this.#pick(["maximum", "maxLength", "minItems"])] = 1;
    if (this.#chance(0.1)) schema.format = this.#pick(["date", "ipv4", "uri", "email", "int32"]);
    if (this.#chance(0.1)) schema.pattern = this.#pick(["^a", "(", "\\pL"]);
    if (this.#chance(0.1)) schema[this.#pick(["anyOf", "oneOf", "allOf"])] = [{ minLength: 1 }, {}];
    if (depth > 0 && this.#chance(0.2)) schema.default = this.#defaultOf(type);
    return schema as JsonSchema;
  }

  #object(schema: Record<string, unknown>, depth: number): void {
    if (this.#chance(0.2)) schema["x-kubernetes-embedded-resource"] = true;
    if (this.#chance(0.3)) {
      schema.additionalProperties = this.#chance(0.3) ? true : this.schema(depth + 1);
      return;
    }
    const isResource = schema["x-kubernetes-embedded-resource"] === true;
    const names = NAMES.filter(() => this.#chance(0.4))
      .filter((name) => !isResource || (name !== "metadata" && name !== "kind"));
    schema.properties = Object.fromEntries(names.map((name) => [name, this.schema(depth + 1)]));
    if (this.#chance(0.2)) schema.required = [this.#pick(NAMES)];
  }

  /**
   * Returns a random default that is valid and pruned, as the validation of
   * CustomResourceDefinitions requires.
   */
  #defaultOf(type: string): unknown {
    return { string: "d", integer: 1, number: 0.5, boolean: true, object: {}, array: [] }[type];
  }

  /** Returns a random value that often matches the schema. */
  value(schema: unknown, depth = 0): unknown {
    if (!isMap(schema) || depth > 6 || this.#chance(0.2)) {
      return structuredClone(this.#pick(VALUES));
    }
    if (schema.type === "array") {
      return Array.from({ length: 3 }, () => this.value(schema.items, depth + 1));
    }
    if (schema.type !== "object") return this.#pick(VALUES);
    const value: Record<string, unknown> = {};
    const put = (name: string, inner: unknown): void => {
      Object.defineProperty(value, name, {
        value: inner,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    };
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (this.#chance(0.7)) put(name, this.value(property, depth + 1));
    }
    if (this.#chance(0.5)) put("other", this.value(schema.additionalProperties, depth + 1));
    return value;
  }

  /** Returns a random object of a custom resource with the schema. */
  object(schema: JsonSchema): Record<string, unknown> {
    const fields = this.value(schema);
    return {
      ...(isMap(fields) && fields),
      apiVersion: "example.com/v1",
      kind: "Foo",
      metadata: { name: "a", labels: {} },
    };
  }
}

function forRandom(
  run: (schema: JsonSchema, value: Record<string, unknown>, maker: Maker) => void,
) {
  const { random } = printedRandom();
  const maker = new Maker(random);
  for (let count = 0; count < RUNS; count++) {
    const schema = maker.schema();
    run(schema, maker.object(schema), maker);
  }
}

Deno.test("prune() is idempotent", () => {
  forRandom((schema, value) => {
    prune(value, schema, true);
    const once = structuredClone(value);
    assert.deepEqual(prune(value, schema, true), []);
    assert.deepEqual(value, once);
  });
});

Deno.test("applyDefaults() is idempotent", () => {
  forRandom((schema, value) => {
    dropNulls(value, schema);
    applyDefaults(value, schema);
    const once = structuredClone(value);
    dropNulls(value, schema);
    applyDefaults(value, schema);
    assert.deepEqual(value, once);
  });
});

Deno.test("coerceObject() is idempotent", () => {
  forRandom((schema, value) => {
    coerceObject(value, schema, { dropsMalformed: true });
    applyDefaults(value, schema);
    const once = structuredClone(value);
    assert.deepEqual(coerceObject(value, schema, { dropsMalformed: true }), []);
    applyDefaults(value, schema);
    assert.deepEqual(value, once);
  });
});

Deno.test("the validation of random values never throws", () => {
  forRandom((schema, value, maker) => {
    const old = maker.object(schema);
    const { violations } = checkValue(code, checkerOf(schema), value);
    toFieldErrors(FieldPath.root, violations);
    checkValue(code, checkerOf(schema, "defaults"), value);
    checkValue(code, checkerOf(schema), value, "", new Correlation(value, old, schema));
    checkListTypes(FieldPath.root, schema, value);
    checkEmbedded(FieldPath.root, value, schema);
    structuralErrors(code, FieldPath.root, schema);
  });
});

Deno.test("an unchanged value has no new violations", () => {
  forRandom((schema, value) => {
    const correlation = new Correlation(value, structuredClone(value), schema);
    const { violations } = checkValue(code, checkerOf(schema), value, "", correlation);
    const fresh = checkValue(code, checkerOf(schema), value).violations;
    assert(violations.length <= fresh.length);
  });
});
