import { type CommonOptions, define, keywordsOf, type WithDefault } from "../options.ts";
import type { DefaultedSchema, Schema } from "../schema.ts";
import type { StringFormat } from "../text_formats.ts";

/** The options of a string schema. */
export interface StringOptions extends CommonOptions {
  /** The smallest number of characters of the string. @default {0} */
  readonly minLength?: number;
  /** The largest number of characters of the string. @default no limit */
  readonly maxLength?: number;
  /**
   * A regular expression of which the string must contain a match, in the syntax of RE2: without
   * lookaround and back references. Write `^` and `$` for the whole text.
   *
   * @default none
   */
  readonly pattern?: string;
  /** The string format that the API server validates. @default none */
  readonly format?: StringFormat;
}

/**
 * Creates the schema of a string.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { s } from "@xca/operator/resource";
 *
 * const name = s.string({ pattern: "^[a-z]+$", maxLength: 63, description: "The name of the zone" });
 * assert.equal(name.json.type, "string");
 * ```
 */
export function string(options: StringOptions & WithDefault<string>): DefaultedSchema<string>;
export function string(options?: StringOptions): Schema<string>;
export function string(
  options: StringOptions & Partial<WithDefault<string>> = {},
): Schema<string> {
  return define({ json: { type: "string", ...keywordsOf(options) }, options });
}

/**
 * Creates the schema of a point in time as Kubernetes writes it, in RFC 3339:
 * `2026-01-31T12:00:00Z`. `formatTime` of `@xca/operator` formats a `Date` in this way.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { s } from "@xca/operator/resource";
 *
 * assert.deepEqual(s.dateTime().json, { type: "string", format: "date-time" });
 * ```
 */
export function dateTime(options: CommonOptions & WithDefault<string>): DefaultedSchema<string>;
export function dateTime(options?: CommonOptions): Schema<string>;
export function dateTime(
  options: CommonOptions & Partial<WithDefault<string>> = {},
): Schema<string> {
  return define({ json: { type: "string", format: "date-time" }, options });
}

/**
 * The pattern of durations in Go's syntax; the format `duration` alone would also accept `3 days`.
 */
const DURATION = "^-?(0|([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|ms|s|m|h))+$";

/**
 * Creates the schema of a duration as Kubernetes writes it: `1h30m`, `250ms`. In CEL rules the
 * value is a duration: `self.timeout <= duration("1h")`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { s } from "@xca/operator/resource";
 *
 * assert.equal(s.duration({ default: "30s" }).json.format, "duration");
 * ```
 */
export function duration(options: CommonOptions & WithDefault<string>): DefaultedSchema<string>;
export function duration(options?: CommonOptions): Schema<string>;
export function duration(
  options: CommonOptions & Partial<WithDefault<string>> = {},
): Schema<string> {
  return define({ json: { type: "string", format: "duration", pattern: DURATION }, options });
}
