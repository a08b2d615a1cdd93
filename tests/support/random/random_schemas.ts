/**
 * Random schemas, built by `s`, with random values: many that the schema accepts, and many that are
 * wrong at one place.
 *
 * @module
 */
import type { Random } from "../../../lib/apimachinery/base/time/random.ts";
import { type AnySchema, checkSchema, type Fields, s } from "../../../lib/resource/mod.ts";

const TEXTS = [
  "",
  "a",
  "ab",
  "abc",
  "äöü",
  "A1",
  "10.0.0.1",
  "2026-01-31",
  "1h",
  "500m",
  "x".repeat(40),
];
const NUMBERS = [0, 1, -1, 2, 3, 10, 0.5, 2 ** 31, 1e20];
const ODD: readonly unknown[] = [null, true, 0, "a", [], {}, { a: null }, [1, "a"], "2Gi", 1.5];
const NAMES = ["a", "b", "name", "my-field", "if", "kind", "metadata", "x_y", "constructor"];
const PATTERNS = ["^[a-z]*$", "\\pL", "^.{1,3}$", "[0-9]"];
const FORMATS = ["date", "ipv4", "uri", "duration", "date-time", "byte", "hostname"] as const;
/** The deepest nesting of objects, arrays and maps. */
const DEPTH = 3;

/** A schema with a function that makes a value of it. */
export interface Made {
  readonly schema: AnySchema;
  /** Returns a random value, mostly one that the schema accepts. */
  value(): unknown;
}

/** A generator of random schemas and values. */
export class SchemaMaker {
  readonly #random: Random;
  /** The number of arrays above the schema whose items have no earlier value in an update. */
  #arrays = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns a random whole number below a limit. */
  below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }

  /** Reports whether something of a probability happens. */
  chance(probability: number): boolean {
    return this.#random.next() < probability;
  }

  /** Returns one of some values. */
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  /** Returns a random schema; at the deepest nesting, one of a scalar. */
  schema(depth = 0): Made {
    const scalars = [
      () => this.#text(),
      () => this.#number(),
      () => this.#choice(),
      () => this.#special(),
    ];
    const nested = [
      () => this.#object(depth),
      () => this.#array(depth),
      () => this.#map(depth),
      () => this.#union(depth),
    ];
    const made = this.pick(depth < DEPTH ? [...scalars, ...nested] : scalars)();
    return this.chance(0.1) ? this.#nullable(made) : made;
  }

  /** Returns a value of a schema, now and then with another value at one random place of it. */
  valueOf(made: Made): unknown {
    const value = made.value();
    return this.chance(0.4) ? this.#broken(value) : value;
  }

  #nullable({ schema, value }: Made): Made {
    return { schema: s.nullable(schema), value: () => this.chance(0.3) ? null : value() };
  }

  #text(): Made {
    const minLength = this.below(3);
    const options = {
      ...(this.chance(0.3) && { minLength }),
      ...(this.chance(0.3) && { maxLength: minLength + this.below(4) }),
      ...(this.chance(0.2) && { pattern: this.pick(PATTERNS) }),
      ...(this.chance(0.2) && { format: this.pick(FORMATS) }),
    };
    const value = (): unknown => this.pick(TEXTS);
    if (Object.keys(options).length === 0 && this.chance(0.5)) {
      return { schema: s.string({ default: this.pick(TEXTS) }), value };
    }
    return { schema: s.string(options), value };
  }

  #number(): Made {
    const minimum = this.below(4) - 1;
    const bounds = {
      ...(this.chance(0.3) && { minimum, exclusiveMinimum: this.chance(0.5) }),
      ...(this.chance(0.3) && { maximum: minimum + this.below(4) }),
      ...(this.chance(0.1) && { multipleOf: this.pick([1, 2, 0.5]) }),
    };
    const value = (): unknown => this.pick(NUMBERS);
    if (this.chance(0.3)) return { schema: s.number(bounds), value };
    const format = this.pick(["int32", "int64"] as const);
    return { schema: s.integer({ ...bounds, ...(this.chance(0.5) && { format }) }), value };
  }

  #choice(): Made {
    if (this.chance(0.3)) return { schema: s.boolean(), value: () => this.chance(0.5) };
    const values: (string | number)[] = this.chance(0.5) ? ["A", "B", ""] : [0, 1, 3];
    const schema = this.chance(0.3) ? s.enum(values, { default: values[1]! }) : s.enum(values);
    return { schema, value: () => this.pick(values) };
  }

  #special(): Made {
    return this.pick([
      () => ({ schema: s.intOrString(), value: () => this.pick<unknown>([80, "http"]) }),
      () => ({ schema: s.quantity(), value: () => this.pick<unknown>([1, "500m", "2Gi", "2GB"]) }),
      () => ({ schema: s.duration(), value: () => this.pick(["1h", "250ms", "3 days"]) }),
      () => ({ schema: s.dateTime(), value: () => this.pick(["2026-01-31T12:00:00Z", "now"]) }),
      () => ({ schema: s.unknown(), value: () => structuredClone(this.pick(ODD)) }),
      () => ({
        schema: s.embeddedResource(),
        value: () => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: 1 }),
      }),
    ])();
  }

  #fields(depth: number): { readonly fields: Fields; readonly made: Map<string, Made> } {
    const made = new Map<string, Made>();
    const fields: Record<string, AnySchema> = {};
    const chosen = NAMES.filter(() => this.chance(0.3));
    for (const name of chosen.length > 0 ? chosen : [this.pick(NAMES)]) {
      const field = this.schema(depth + 1);
      made.set(name, field);
      const isDefaulted = field.schema.json.default !== undefined;
      const immutable = this.#arrays === 0 && this.chance(0.05);
      fields[name] = immutable
        ? s.optional(s.string({ immutable: true }))
        : !isDefaulted && this.chance(0.6)
        ? s.optional(field.schema)
        : field.schema;
      if (immutable) made.set(name, { schema: fields[name], value: () => this.pick(["a", "b"]) });
    }
    return { fields, made };
  }

  #object(depth: number): Made {
    const { fields, made } = this.#fields(depth);
    const schema = s.object(fields, {
      ...(this.chance(0.1) && { preserveUnknownFields: true }),
      ...(this.chance(0.1) && { maxProperties: 2 }),
    });
    return { schema, value: () => this.#objectOf(made) };
  }

  #objectOf(made: ReadonlyMap<string, Made>): Record<string, unknown> {
    const names = [...made.keys()].filter(() => this.chance(0.85));
    return {
      ...Object.fromEntries(names.map((name) => [name, made.get(name)!.value()])),
      ...(this.chance(0.1) && { other: 1 }),
    };
  }

  #array(depth: number): Made {
    const maxItems = 3 + this.below(3);
    const items = (of: Made): unknown[] => Array.from({ length: this.below(4) }, () => of.value());
    if (this.chance(0.2)) {
      const item = { schema: s.string(), value: () => this.pick(TEXTS) };
      const schema = s.array(item.schema, { listType: "set", maxItems });
      return { schema, value: () => items(item) };
    }
    if (this.chance(0.4)) {
      const { fields, made } = this.#fields(depth);
      const item = s.object({ ...fields, id: s.string({ default: "i" }) });
      made.set("id", { schema: s.string(), value: () => this.pick(["i", "j", "k"]) });
      const schema = s.array(item, { listType: "map", mapKeys: ["id"], maxItems });
      return { schema, value: () => items({ schema: item, value: () => this.#objectOf(made) }) };
    }
    this.#arrays++;
    const item = this.schema(depth + 1);
    this.#arrays--;
    return { schema: s.array(item.schema, { maxItems }), value: () => items(item) };
  }

  #map(depth: number): Made {
    const item = this.schema(depth + 1);
    const value = (): unknown =>
      Object.fromEntries(NAMES.filter(() => this.chance(0.2)).map((name) => [name, item.value()]));
    return { schema: s.map(item.schema, { maxProperties: 4 }), value };
  }

  #union(depth: number): Made {
    const members = new Map(["A", "B"].map((name) => {
      const field = this.schema(depth + 1);
      const schema = field.schema.json.default === undefined ? field.schema : s.string();
      return [name, { ...field, schema }] as const;
    }));
    const fields = Object.fromEntries(
      [...members].map(([name, { schema }]) => [name, { [`of${name}`]: schema }]),
    );
    const schema = s.union("type", { ...fields, None: {} });
    return {
      schema,
      value: () => {
        const name = this.pick(["A", "B", "None"]);
        const type = this.chance(0.9) ? name : "A";
        return { type, ...(name !== "None" && { [`of${name}`]: members.get(name)!.value() }) };
      },
    };
  }

  /** Returns a value with another value, or none, at a random place. */
  #broken(value: unknown): unknown {
    if (typeof value !== "object" || value === null || this.chance(0.3)) {
      return structuredClone(this.pick(ODD));
    }
    const names = Object.keys(value);
    if (names.length === 0) return structuredClone(this.pick(ODD));
    const copy = structuredClone(value) as Record<string, unknown>;
    const name = this.pick(names);
    if (this.chance(0.3) && !Array.isArray(copy)) delete copy[name];
    else copy[name] = this.#broken(copy[name]);
    return copy;
  }
}

/**
 * Reports whether the rules of a schema keep the API server's cost limits, which a random nesting of
 * lists and maps can exceed.
 *
 * @throws {SchemaError} When the API server would reject the schema for another reason.
 */
export async function isAffordable(schema: AnySchema): Promise<boolean> {
  try {
    await checkSchema(s.object({ schema }));
    return true;
  } catch (error) {
    if (/cost total|exceeds budget/.test((error as Error).message)) return false;
    throw error;
  }
}
