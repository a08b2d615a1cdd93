import { type CommonOptions, define, type WithDefault } from "../options.ts";
import type { DefaultedSchema, Schema } from "../schema.ts";
import type { SchemaProblem } from "../schema_error.ts";

/** A value that an enum may list. */
export type EnumValue = string | number | boolean;

/** The results of `typeof` for the values that an enum may list. */
const VALUE_TYPES: readonly string[] = ["string", "number", "boolean"];

/**
 * Creates the schema of a boolean.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { s } from "@xca/operator/resource";
 *
 * assert.deepEqual(s.boolean({ default: false }).json, { type: "boolean", default: false });
 * ```
 */
export function boolean(options: CommonOptions & WithDefault<boolean>): DefaultedSchema<boolean>;
export function boolean(options?: CommonOptions): Schema<boolean>;
export function boolean(
  options: CommonOptions & Partial<WithDefault<boolean>> = {},
): Schema<boolean> {
  return define({ json: { type: "boolean" }, options });
}

/**
 * Creates the schema of a value that is one of a list of values: all texts, all numbers or all
 * booleans. The TypeScript type is the union of the values.
 *
 * @example
 * ```ts
 * import { s, type Stored } from "@xca/operator/resource";
 *
 * const strategy = s.enum(["Recreate", "RollingUpdate"], { default: "RollingUpdate" });
 * const value: Stored<typeof strategy> = "Recreate";
 * ```
 */
function oneOfValues<const V extends EnumValue>(
  values: readonly V[],
  options: CommonOptions & WithDefault<NoInfer<V>>,
): DefaultedSchema<V>;
function oneOfValues<const V extends EnumValue>(
  values: readonly V[],
  options?: CommonOptions,
): Schema<V>;
function oneOfValues<const V extends EnumValue>(
  values: readonly V[],
  options: CommonOptions & Partial<WithDefault<V>> = {},
): Schema<V> {
  if (!Array.isArray(values)) {
    const message = 'an enum must list its values, such as s.enum(["A", "B"])';
    return define({ json: {}, options: {}, problems: [{ path: "", message }] });
  }
  const types = new Set(values.map((value) => typeof value));
  const problems: SchemaProblem[] = types.size === 1 ? [] : [{
    path: "",
    message: types.size === 0
      ? "an enum must list at least one value"
      : `the values of an enum must have one type, and these have ${[...types].join(" and ")}`,
  }];
  const other = [...types].find((type) => !VALUE_TYPES.includes(type));
  if (other !== undefined) {
    const message = `a value of an enum must be a text, number or boolean, is ${other}`;
    return define({ json: {}, options: {}, problems: [{ path: "", message }] });
  }
  const [type = "string"] = types;
  const isInteger = values.every((value) => Number.isInteger(value));
  const json = { type: isInteger ? "integer" : type, enum: [...values] };
  return define({ json, options, problems });
}

/**
 * Creates the schema of a constant value, for instance in a discriminated union.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { s } from "@xca/operator/resource";
 *
 * assert.deepEqual(s.literal("v1").json, { type: "string", enum: ["v1"] });
 * ```
 */
export function literal<const V extends EnumValue>(value: V, options?: CommonOptions): Schema<V> {
  return oneOfValues([value], options);
}

export { oneOfValues as enum };
