import { type CommonOptions, define, type WithDefault } from "../options.ts";
import type { AnySchema, DefaultedSchema, Input, Schema, Stored } from "../schema.ts";
import { below } from "../schema_error.ts";
import { nodeOf } from "../schema_node.ts";
import { transitionRules } from "../transition_rules.ts";

/** The options of every array's schema: the common options, and limits on the number of items. */
export interface ArrayBounds extends CommonOptions {
  /** The smallest number of items of the array. @default {0} */
  readonly minItems?: number;
  /**
   * The largest number of items of the array; CEL rules about items need such a limit to have a
   * bounded cost.
   *
   * @default no limit
   */
  readonly maxItems?: number;
}

/** The options of an array's schema whose items have no key: the list types `atomic` and `set`. */
export interface PlainArrayOptions extends ArrayBounds {
  /**
   * The way in which server-side apply merges the array: `atomic` as one value, `set` item by item.
   * The items of a set are texts, numbers, booleans or atomic values, and each occurs once.
   *
   * @default {"atomic"}
   */
  readonly listType?: "atomic" | "set";
}

/** The options of a schema for arrays whose items are objects with a key. */
export interface MapArrayOptions<Item> extends ArrayBounds {
  /** The list type `map`: server-side apply merges the items that have equal keys. */
  readonly listType: "map";
  /**
   * The fields of the array's items that together identify an item; each is required or has a
   * default.
   */
  readonly mapKeys: readonly [keyof Item & string, ...(keyof Item & string)[]];
}

/** The options of an array's schema. */
export type ArrayOptions<Item> = PlainArrayOptions | MapArrayOptions<Item>;

/**
 * Creates the schema of an array.
 *
 * @example An array whose items have a key, so that several clients can own items of it
 * ```ts
 * import assert from "node:assert/strict";
 * import { s } from "@xca/operator/resource";
 *
 * const port = s.object({ name: s.string(), port: s.integer() });
 * const ports = s.array(port, { listType: "map", mapKeys: ["name"], maxItems: 16 });
 * assert.deepEqual(ports.json["x-kubernetes-list-map-keys"], ["name"]);
 * ```
 */
export function array<S extends AnySchema>(
  items: S,
  options: ArrayOptions<Stored<S>> & WithDefault<Input<S>[]>,
): DefaultedSchema<Stored<S>[], Input<S>[]>;
export function array<S extends AnySchema>(
  items: S,
  options?: ArrayOptions<Stored<S>>,
): Schema<Stored<S>[], Input<S>[]>;
export function array(
  items: AnySchema,
  options: ArrayOptions<Record<string, unknown>> & Partial<WithDefault<unknown[]>> = {},
): AnySchema {
  const { unchecked, problems } = nodeOf(items);
  const { listType, minItems, maxItems } = options;
  const moving = listType === "map" ? [] : transitionRules(unchecked, "[]");
  return define({
    json: {
      type: "array",
      items: unchecked,
      ...(listType && { "x-kubernetes-list-type": listType }),
      ...(listType === "map" &&
        {
          "x-kubernetes-list-map-keys": structuredClone<readonly string[]>(
            options.mapKeys ?? [],
          ) as string[],
        }),
      ...(minItems !== undefined && { minItems }),
      ...(maxItems !== undefined && { maxItems }),
    },
    options,
    problems: [...problems.map((problem) => below("[]", problem)), ...moving],
  });
}

/** The options of a map's schema. */
export interface MapOptions extends CommonOptions {
  /** The smallest number of entries of the map. @default {0} */
  readonly minProperties?: number;
  /**
   * The largest number of entries of the map; CEL rules about values need such a limit to have a
   * bounded cost.
   *
   * @default no limit
   */
  readonly maxProperties?: number;
  /** Sets whether server-side apply treats the map as one value with one owner. @default {false} */
  readonly atomic?: boolean;
}

/**
 * Creates the schema of a map from strings to values.
 *
 * @example
 * ```ts
 * import { s, type Stored } from "@xca/operator/resource";
 *
 * const labels = s.map(s.string({ maxLength: 63 }), { maxProperties: 10 });
 * const value: Stored<typeof labels> = { app: "web" };
 * ```
 */
export function map<S extends AnySchema>(
  values: S,
  options: MapOptions & WithDefault<Record<string, Input<S>>>,
): DefaultedSchema<Record<string, Stored<S>>, Record<string, Input<S>>>;
export function map<S extends AnySchema>(
  values: S,
  options?: MapOptions,
): Schema<Record<string, Stored<S>>, Record<string, Input<S>>>;
export function map(
  values: AnySchema,
  options: MapOptions & Partial<WithDefault<Record<string, unknown>>> = {},
): AnySchema {
  const { unchecked, problems } = nodeOf(values);
  const { atomic, minProperties, maxProperties } = options;
  return define({
    json: {
      type: "object",
      additionalProperties: unchecked,
      ...(atomic && { "x-kubernetes-map-type": "atomic" }),
      ...(minProperties !== undefined && { minProperties }),
      ...(maxProperties !== undefined && { maxProperties }),
    },
    options,
    problems: problems.map((problem) => below("{}", problem)),
  });
}
