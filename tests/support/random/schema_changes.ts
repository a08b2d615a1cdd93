/**
 * Random CustomResourceDefinitions and random changes to them, for tests of their evolution.
 */
import type { Random } from "@xca/apimachinery/base";
import { runAll } from "@xca/apimachinery/internal/base";
import {
  type CustomResourceDefinition,
  definitionErrors,
  SCHEMA_CODE,
} from "@xca/apimachinery/internal/schema";
import type {
  V1CustomResourceDefinition,
  V1JSONSchemaProps,
} from "@xca/apimachinery/kubernetes-types";

const code = await SCHEMA_CODE.get();
const NAMES = ["a", "b", "c"];

/** A random schema in which each part can be changed: the keyword and its values. */
type Mutable = Record<string, unknown>;

/** A generator of random structural schemas and of random changes to them. */
export class SchemaMaker {
  constructor(readonly random: Random) {}

  chance(probability: number): boolean {
    return this.random.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.random.next() * values.length)]!;
  }

  schema(depth = 0): Mutable {
    const type = depth > 2 ? this.pick(["string", "integer"]) : this.pick([
      "string",
      "integer",
      "number",
      "boolean",
      "object",
      "object",
      "array",
      "map",
      "any",
    ]);
    const schema = this.#ofType(type, depth);
    for (let count = 0; count < 2; count++) if (this.chance(0.5)) this.#keyword(schema);
    return schema;
  }

  #ofType(type: string, depth: number): Mutable {
    if (type === "any") {
      return this.chance(0.5)
        ? { "x-kubernetes-int-or-string": true }
        : { "x-kubernetes-preserve-unknown-fields": true };
    }
    if (type === "map") return { type: "object", additionalProperties: this.schema(depth + 1) };
    if (type === "array") return { type, items: this.schema(depth + 1) };
    if (type !== "object") return { type };
    const names = NAMES.filter(() => this.chance(0.6));
    return {
      type,
      properties: Object.fromEntries(names.map((name) => [name, this.schema(depth + 1)])),
    };
  }

  /** Sets or removes a keyword that fits the type of a schema. */
  #keyword(schema: Mutable): void {
    const set = (name: string, values: readonly unknown[]): void => {
      if (this.chance(0.3)) delete schema[name];
      else schema[name] = this.pick(values);
    };
    const small = [0, 1, 2, 3];
    const common: Record<string, readonly unknown[]> = { nullable: [true] };
    const texts: Record<string, readonly unknown[]> = {
      maxLength: [1, 2, 3, 20],
      minLength: small,
      pattern: ["^a", "^[a-z0-9.-]*$", "1$"],
      format: ["date", "ipv4", "byte", "unheard-of", "password"],
      enum: [["a"], ["a", "b-1"], ["A", "a", ""]],
      default: ["a", "b-1"],
      "x-kubernetes-validations": [
        [{ rule: "self != 'a'" }],
        [{ rule: "size(self) < 4" }],
        [{ rule: "self == 'a'", message: "x" }],
      ],
    };
    const numbers: Record<string, readonly unknown[]> = {
      maximum: [1, 5, 10],
      minimum: [-1, 0, 1],
      exclusiveMaximum: [true],
      exclusiveMinimum: [true],
      multipleOf: [1, 2, 4],
      enum: [[0, 1], [0, 1, 7], [7]],
      default: [0, 1, 7],
      format: schema.type === "number" ? ["float", "double"] : ["int32", "int64"],
    };
    const lists: Record<string, readonly unknown[]> = {
      maxItems: [1, 2, 3],
      minItems: small,
      "x-kubernetes-list-type": ["set", "atomic", "map"],
      "x-kubernetes-list-map-keys": [["a"], ["a", "b"]],
    };
    const objects: Record<string, readonly unknown[]> = {
      required: [["a"], ["b"], ["a", "b"]],
      maxProperties: [1, 2, 3],
      minProperties: small,
      "x-kubernetes-preserve-unknown-fields": [true],
      "x-kubernetes-map-type": ["atomic", "granular"],
      default: [{}],
      anyOf: [[{ required: ["a"] }, { required: ["b"] }], [{ required: ["a"] }]],
      oneOf: [[{ required: ["a"] }, { required: ["b"] }]],
      not: [{ required: ["c"] }],
      "x-kubernetes-validations": [
        [{ rule: "!has(self.a) || has(self.b)" }],
        [{ rule: "!has(self.c)" }],
        [{ rule: "!has(self.a) || self.a == self.a" }],
      ],
    };
    const own = schema["x-kubernetes-int-or-string"]
      ? { maximum: [5], pattern: ["^a"], default: ["a", 1] }
      : { string: texts, integer: numbers, number: numbers, array: lists, object: objects }[
        String(schema.type)
      ] ?? {};
    const all: Record<string, readonly unknown[]> = { ...common, ...own };
    const name = this.pick(Object.keys(all));
    set(name, all[name]!);
  }

  /** Changes a random schema below a schema, in place. */
  change(schema: Mutable, depth = 0): void {
    const { properties, additionalProperties, items } = schema as Record<string, Mutable>;
    const children: Mutable[] = [
      ...Object.values(properties ?? {}) as Mutable[],
      ...typeof additionalProperties === "object" ? [additionalProperties] : [],
      ...items === undefined ? [] : [items],
    ];
    if (children.length > 0 && this.chance(depth === 0 ? 0.9 : 0.6)) {
      return this.change(this.pick(children), depth + 1);
    }
    if (properties !== undefined && this.chance(0.3)) {
      const name = this.pick(NAMES);
      if (Object.hasOwn(properties, name) && this.chance(0.5)) delete properties[name];
      else properties[name] = this.schema(depth + 1);
    } else if (this.chance(0.15)) {
      const other = this.schema(depth + 1);
      for (const name of Object.keys(schema)) delete schema[name];
      Object.assign(schema, other);
    } else if (schema.type === "integer" && this.chance(0.2)) schema.type = "number";
    else this.#keyword(schema);
  }
}

/** Returns a definition whose objects have the field `spec` with a schema. */
export function definitionOf(spec: unknown): V1CustomResourceDefinition {
  const openAPIV3Schema = { type: "object", properties: { spec } } as V1JSONSchemaProps;
  return {
    metadata: { name: "desks.example.com" },
    spec: {
      group: "example.com",
      names: { kind: "Desk", plural: "desks", singular: "desk", listKind: "DeskList" },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
      conversion: { strategy: "None" },
    },
    status: {
      conditions: [],
      acceptedNames: { kind: "Desk", plural: "desks" },
      storedVersions: ["v1"],
    },
  };
}

function isAccepted(definition: V1CustomResourceDefinition): boolean {
  return runAll(definitionErrors(code, definition as unknown as CustomResourceDefinition))
    .length === 0;
}

/** Returns the schema of the objects of {@linkcode definitionOf}. */
export function schemaIn(definition: V1CustomResourceDefinition): V1JSONSchemaProps {
  return definition.spec.versions[0]!.schema!.openAPIV3Schema!;
}

/** Yields a number of random definitions, each with a changed one; an API server accepts both. */
export function* changedDefinitions(
  maker: SchemaMaker,
  rounds: number,
): Generator<[V1CustomResourceDefinition, V1CustomResourceDefinition]> {
  for (let count = 0; count < rounds;) {
    const spec = maker.schema();
    const changed = structuredClone(spec);
    for (let times = 0; times < 1 + maker.random.next() * 2; times++) maker.change(changed);
    const [old, now] = [definitionOf(spec), definitionOf(changed)];
    if (!isAccepted(old) || !isAccepted(now)) continue;
    count++;
    yield [old, now];
  }
}
