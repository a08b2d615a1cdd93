/**
 * Random schemas and values for property tests.
 *
 * @module
 */
import type { Random } from "@xca/apimachinery/base";
import type { TypeSchema } from "../../machinery/type_schema.ts";

/**
 * A schema for property tests with all kinds of lists and maps, and the minimal metadata of a
 * custom resource.
 */
export const SCHEMA: TypeSchema = {
  type: "object",
  fields: {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    metadata: {
      type: "object",
      fields: {
        name: { type: "string" },
        labels: { type: "object", values: { type: "string" } },
        finalizers: { type: "array", listType: "set", items: { type: "string" } },
      },
    },
    spec: {
      type: "object",
      fields: {
        count: { type: "integer" },
        any: { type: "string", format: "int-or-string" },
        tags: { type: "array", listType: "set", items: { type: "string" } },
        whole: { type: "array", items: { type: "string" } },
        atom: {
          type: "object",
          mapType: "atomic",
          fields: { a: { type: "string" }, b: { type: "integer" } },
        },
        items: {
          type: "array",
          listType: "map",
          mapKeys: ["name"],
          items: {
            type: "object",
            fields: {
              name: { type: "string" },
              value: { type: "integer" },
              inner: { type: "object", values: { type: "string" } },
              ports: {
                type: "array",
                listType: "map",
                mapKeys: ["port", "protocol"],
                items: {
                  type: "object",
                  fields: {
                    port: { type: "integer" },
                    protocol: { type: "string", default: "TCP" },
                    host: { type: "string" },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

/** Returns a random integer from zero below `limit`. */
export function below(random: Random, limit: number): number {
  return Math.floor(random.next() * limit);
}

/** Returns a random value of a schema; `sparse` is the probability to skip a field. */
export function randomValue(random: Random, schema: TypeSchema, sparse: number): unknown {
  if (schema.fields) {
    const fields = Object.entries(schema.fields).filter(() => random.next() > sparse);
    return Object.fromEntries(
      fields.map(([name, field]) => [name, randomValue(random, field, sparse)]),
    );
  }
  if (schema.values) {
    const keys = ["a", "b", "c"].filter(() => random.next() > sparse);
    return Object.fromEntries(
      keys.map((key) => [key, randomValue(random, schema.values!, sparse)]),
    );
  }
  if (schema.items) return randomList(random, schema, sparse);
  if (schema.type === "integer") return below(random, 3);
  return ["x", "y", "z"][below(random, 3)];
}

function randomList(random: Random, schema: TypeSchema, sparse: number): unknown[] {
  const length = below(random, 4);
  const seen = new Set<string>();
  const list: unknown[] = [];
  for (let i = 0; i < length; i++) {
    const item = randomValue(random, schema.items!, sparse);
    if (schema.mapKeys) {
      const fields = item as Record<string, unknown>;
      for (const key of schema.mapKeys) {
        if (key !== "protocol") fields[key] = randomValue(random, schema.items!.fields![key]!, 0);
      }
    }
    const identity = schema.mapKeys
      ? JSON.stringify(
        schema.mapKeys.map((key) =>
          (item as Record<string, unknown>)[key] ?? schema.items!.fields![key]!.default
        ),
      )
      : JSON.stringify(item);
    if (schema.listType !== undefined && seen.has(identity)) continue;
    seen.add(identity);
    list.push(item);
  }
  return list;
}

/** Returns a random object of {@linkcode SCHEMA}. */
export function randomObject(random: Random, sparse: number): Record<string, unknown> {
  const spec = randomValue(random, SCHEMA.fields!.spec!, sparse) as Record<string, unknown>;
  const metadata = randomValue(random, SCHEMA.fields!.metadata!, sparse) as object;
  return {
    apiVersion: "example.com/v1",
    kind: "Thing",
    metadata: { ...metadata, name: "thing" },
    ...(Object.keys(spec).length > 0 && { spec }),
  };
}

/**
 * Returns a value without empty lists and objects, which may or may not remain when their last item
 * is given up by its manager.
 */
export function withoutEmpty<T>(value: T): T {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item)) as T;
  const entries = Object.entries(value).map(([name, inner]) => [name, withoutEmpty(inner)] as const)
    .filter(([, inner]) =>
      inner === null || typeof inner !== "object" || Object.keys(inner).length > 0
    );
  return Object.fromEntries(entries) as T;
}
