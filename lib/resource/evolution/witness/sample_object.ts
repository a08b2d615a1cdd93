/**
 * Random objects with the fields and types of a schema, and with values near the limits of the
 * schema, as candidates for objects that show a breaking change.
 *
 * @module
 */
import type { Random } from "@xca/apimachinery/base";
import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { ITEMS, VALUES } from "../compare/position.ts";

/** The steps of a field path, such as `spec`, `ports`, `[*]` and `name`. */
export type Steps = readonly string[];

/** Returns the steps of a field path such as `.spec.ports[*].name`. */
export function stepsOf(path: string): Steps {
  const steps = path.matchAll(/\.([\w$-]+|\*)|(\[\*\])|\[("(?:[^"\\]|\\.)*")\]/g);
  return [...steps].map(([, name, items, quoted]) => name ?? items ?? JSON.parse(quoted!));
}

/** Sample texts of the formats that the API server checks, and texts that match common patterns. */
const TEXTS: readonly string[] = [
  "a",
  "",
  "b-1",
  "A",
  "1",
  "10.0.0.1",
  "10.0.0.0/8",
  "2026-01-31",
  "2026-01-31T12:00:00Z",
  "1h",
  "100m",
  "https://example.com/",
  "a.example.com",
  "a@example.com",
  "YQ==",
  "11111111-1111-4111-8111-111111111111",
];

/**
 * A function that returns a random text that matches a pattern, or undefined if the function finds
 * no such text.
 */
export type TextOf = (pattern: string, random: Random) => string | undefined;

/**
 * A generator of random values with the fields and types of a schema. The values are often near the
 * limits of the schema or of another schema, and need not match all keywords.
 */
export class Sampler {
  readonly #random: Random;
  readonly #textOf: TextOf;

  constructor(random: Random, textOf: TextOf = () => undefined) {
    this.#random = random;
    this.#textOf = textOf;
  }

  /**
   * Returns a random value for the schema `old`. Most values contain a field at the path `focus`;
   * some lack it on purpose. The limits of the schema `now` are tried too.
   */
  value(
    old: V1JSONSchemaProps,
    now: V1JSONSchemaProps | undefined = {},
    focus: Steps | undefined = undefined,
  ): unknown {
    const isFocus = focus?.length === 0;
    if (old.nullable && this.#chance(isFocus ? 0.4 : 0.1)) return null;
    const allowed = [...old.enum ?? []];
    if (allowed.length > 0) return structuredClone(this.#pick(allowed));
    switch (this.#typeOf(old)) {
      case "object":
        return this.#object(old, now, focus);
      case "array":
        return this.#list(old, now, focus);
      case "boolean":
        return this.#chance(0.5);
      case "integer":
        return this.#number(old, now, 1);
      case "number":
        return this.#number(old, now, 0.5);
      case "string":
        return this.#text(old, now);
      default:
        return this.#pick<unknown>([1, "a", true, { a: "b" }, ["a"]]);
    }
  }

  #typeOf(schema: V1JSONSchemaProps): string {
    if (schema["x-kubernetes-int-or-string"]) return this.#chance(0.5) ? "integer" : "string";
    return schema.type ?? (schema.properties ? "object" : "any");
  }

  #object(
    old: V1JSONSchemaProps,
    now: V1JSONSchemaProps,
    focus: Steps | undefined,
  ): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    const put = (name: string, field: unknown): void => {
      const descriptor = { value: field, enumerable: true, writable: true, configurable: true };
      Object.defineProperty(value, name, descriptor);
    };
    for (const [name, field] of Object.entries(old.properties ?? {})) {
      const rest = focus?.[0] === name ? focus.slice(1) : undefined;
      const isRequired = old.required?.includes(name) ?? false;
      // The focused field is sometimes left out, for an example of a field that becomes required.
      const isWanted = rest !== undefined && (rest.length > 0 || this.#chance(0.7));
      if (!isRequired && !isWanted && !this.#chance(0.3)) continue;
      put(name, this.value(field, now.properties?.[name], rest));
    }
    const { additionalProperties: values } = old;
    if (typeof values === "object") {
      const rest = focus?.[0] === VALUES ? focus.slice(1) : undefined;
      const nowValues = now.additionalProperties;
      const after = typeof nowValues === "object" ? nowValues : undefined;
      const count = rest !== undefined ? 1 : Math.floor(this.#random.next() * 3);
      for (const name of ["k1", "k2", "k3"].slice(0, Math.max(count, old.minProperties ?? 0))) {
        put(name, this.value(values, after, rest));
      }
    } else if (old["x-kubernetes-preserve-unknown-fields"] || values === true) {
      for (const name of [...Object.keys(now.properties ?? {}), "unknown"]) {
        if (!Object.hasOwn(value, name) && this.#chance(focus ? 0.6 : 0.2)) {
          put(name, this.#pick<unknown>([1, "a", { a: "b" }]));
        }
      }
    }
    if (old["x-kubernetes-embedded-resource"]) {
      Object.assign(value, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } });
    }
    return value;
  }

  #list(old: V1JSONSchemaProps, now: V1JSONSchemaProps, focus: Steps | undefined): unknown[] {
    const items = (old.items ?? {}) as V1JSONSchemaProps;
    const after = now.items as V1JSONSchemaProps | undefined;
    const rest = focus?.[0] === ITEMS ? focus.slice(1) : undefined;
    const most = old.maxItems ?? Infinity;
    const tried = [0, 1, 2, (now.maxItems ?? 0) + 1, (now.minItems ?? 1) - 1, old.maxItems ?? 1];
    const wanted = rest === undefined ? this.#pick(tried) : 1 + Math.floor(this.#random.next() * 2);
    const count = Math.min(Math.max(wanted, old.minItems ?? 0), most, 20);
    const list = Array.from({ length: count }, () => this.value(items, after, rest));
    // Equal items are examples for arrays that become sets or maps.
    if (list.length > 1 && this.#chance(0.3)) list[1] = structuredClone(list[0]);
    return list;
  }

  #number(old: V1JSONSchemaProps, now: V1JSONSchemaProps, step: number): number {
    const limits = [old.minimum, old.maximum, now.minimum, now.maximum, old.multipleOf]
      .filter((limit) => limit !== undefined);
    const around = limits.flatMap((limit) => [limit, limit - step, limit + step]);
    const tried = [0, 1, -1, 7, step, ...around, ...now.enum as number[] ?? []];
    if (now.format === "int32") tried.push(2 ** 31);
    const [least, most] = [old.minimum ?? -Infinity, old.maximum ?? Infinity];
    const fits = tried.filter((each) => typeof each === "number" && each >= least && each <= most);
    return this.#pick(fits.length > 0 ? fits : tried);
  }

  #text(old: V1JSONSchemaProps, now: V1JSONSchemaProps): string {
    const made = old.pattern === undefined ? undefined : this.#textOf(old.pattern, this.#random);
    if (made !== undefined) return made;
    const lengths = [old.minLength, old.maxLength, now.minLength, now.maxLength]
      .filter((length) => length !== undefined)
      .flatMap((length) => [length - 1, length, length + 1])
      .filter((length) => length >= 0 && length <= 1000);
    const padded = lengths.map((length) => "a".repeat(length));
    const known = (now.enum ?? []).filter((each) => typeof each === "string");
    return this.#pick([...TEXTS, ...padded, ...padded, ...known]);
  }

  #chance(probability: number): boolean {
    return this.#random.next() < probability;
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random.next() * values.length)]!;
  }
}
