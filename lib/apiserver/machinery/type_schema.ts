/**
 * The structure of a kind: what decoding, strategic merge, apply and pruning need to know, and no
 * prose. Built-in kinds have theirs from the facts dumped from kube-apiserver, custom ones from their
 * CustomResourceDefinition.
 */
export interface TypeSchema {
  /** The JSON type; `any` where nothing is known, as in a `RawExtension`. */
  readonly type: "object" | "array" | "string" | "integer" | "number" | "boolean" | "any";
  /**
   * What the type leaves open: `int32`, `int64`, `double`, `byte`, `date-time`, `micro-time`,
   * `int-or-string`, `quantity`, `duration`, or a format of a custom schema.
   */
  readonly format?: string;
  /** The fields of a struct. Absent: not a struct. */
  readonly fields?: Readonly<Record<string, TypeSchema>> | undefined;
  /** The values of a map. Absent: not a map. */
  readonly values?: TypeSchema | undefined;
  /** The items of a list. */
  readonly items?: TypeSchema | undefined;
  /** How apply merges a list. @default {"atomic"} */
  readonly listType?: "atomic" | "set" | "map";
  /** The fields that identify an item of a list of type `map`. */
  readonly mapKeys?: readonly string[];
  /** How apply merges an object. @default {"granular"} */
  readonly mapType?: "atomic" | "granular";
  /** How a strategic merge patch merges: `merge`, `replace`, `retainKeys`, or `merge,retainKeys`. */
  readonly patchStrategy?: string;
  /** The field that identifies an item in a strategic merge patch. */
  readonly patchMergeKey?: string;
  /** The required fields of a struct. */
  readonly required?: readonly string[] | undefined;
  /** The default that the schema itself gives. */
  readonly default?: unknown;
  /** Fields that are not named are kept (custom resources only). */
  readonly preserveUnknown?: boolean;
  /** `null` is a value. */
  readonly nullable?: boolean;
}
