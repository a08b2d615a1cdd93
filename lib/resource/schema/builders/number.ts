import { type CommonOptions, define, keywordsOf, type WithDefault } from "../options.ts";
import type { DefaultedSchema, Schema } from "../schema.ts";

/** The options that limit the value of a number. */
export interface NumberBounds extends CommonOptions {
  /** The smallest valid value of the number. @default no limit */
  readonly minimum?: number;
  /** The largest valid value of the number. @default no limit */
  readonly maximum?: number;
  /**
   * Sets whether `minimum` itself is invalid, so that the number must exceed it; without effect if
   * `minimum` is not set.
   *
   * @default {false}
   */
  readonly exclusiveMinimum?: boolean;
  /**
   * Sets whether `maximum` itself is invalid, so that the number must be below it; without effect
   * if `maximum` is not set.
   *
   * @default {false}
   */
  readonly exclusiveMaximum?: boolean;
  /** The number of which the value must be a multiple. @default none */
  readonly multipleOf?: number;
}

/** The options of an integer's schema. */
export interface IntegerOptions extends NumberBounds {
  /**
   * The format of the integer; the API server rejects numbers outside of its range.
   *
   * @default none: the range is that of `int64`
   */
  readonly format?: "int32" | "int64";
}

/** The options of a number's schema. */
export interface NumberOptions extends NumberBounds {
  /**
   * The format of the number; the API server rejects numbers outside of its range.
   *
   * @default none: the range is that of `double`
   */
  readonly format?: "float" | "double";
}

/**
 * Creates the schema of an integer.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { s } from "@xca/operator/resource";
 *
 * const replicas = s.integer({ format: "int32", minimum: 0, default: 1 });
 * assert.equal(replicas.json.default, 1);
 * ```
 */
export function integer(options: IntegerOptions & WithDefault<number>): DefaultedSchema<number>;
export function integer(options?: IntegerOptions): Schema<number>;
export function integer(
  options: IntegerOptions & Partial<WithDefault<number>> = {},
): Schema<number> {
  return define({ json: { type: "integer", ...keywordsOf(options) }, options });
}

/**
 * Creates the schema of a number. Kubernetes advises against fractions in APIs: two clients may
 * write the same number in different digits. A quantity (`s.quantity`) is exact.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { s } from "@xca/operator/resource";
 *
 * const ratio = s.number({ minimum: 0, maximum: 1 });
 * assert.equal(ratio.json.maximum, 1);
 * ```
 */
export function number(options: NumberOptions & WithDefault<number>): DefaultedSchema<number>;
export function number(options?: NumberOptions): Schema<number>;
export function number(options: NumberOptions & Partial<WithDefault<number>> = {}): Schema<number> {
  return define({ json: { type: "number", ...keywordsOf(options) }, options });
}
