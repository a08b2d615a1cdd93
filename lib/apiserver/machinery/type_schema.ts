/**
 * The structure of a kind, as far as decoding, strategic merge, apply and pruning need it. Built-in
 * kinds have theirs from the facts dumped from kube-apiserver, custom kinds from their
 * CustomResourceDefinition.
 */
export interface TypeSchema {
  /** The JSON type; `any` if unknown, as in a `RawExtension`. */
  readonly type: "object" | "array" | "string" | "integer" | "number" | "boolean" | "any";
  /**
   * The format: `int32`, `int64`, `double`, `byte`, `date-time`, `micro-time`, `int-or-string`,
   * `quantity`, `duration`, or a format of a custom schema.
   */
  readonly format?: string;
  /** The fields of a struct; absent for other types. */
  readonly fields?: Readonly<Record<string, TypeSchema>> | undefined;
  /** The type of a map's values; absent for other types. */
  readonly values?: TypeSchema | undefined;
  /** The type of a list's items. */
  readonly items?: TypeSchema | undefined;
  /**
   * The merge of lists in server-side apply.
   *
   * @default {"atomic"}
   */
  readonly listType?: "atomic" | "set" | "map";
  /** The fields that identify an item of a list of type `map`. */
  readonly mapKeys?: readonly string[];
  /**
   * The merge of objects in server-side apply.
   *
   * @default {"granular"}
   */
  readonly mapType?: "atomic" | "granular";
  /**
   * The merge in a strategic merge patch: `merge`, `replace`, `retainKeys`, or `merge,retainKeys`.
   */
  readonly patchStrategy?: string;
  /** The field that identifies an item in a strategic merge patch. */
  readonly patchMergeKey?: string;
  /** The required fields of a struct. */
  readonly required?: readonly string[] | undefined;
  /** The default in the schema. */
  readonly default?: unknown;
  /** Whether unknown fields are preserved (custom resources only). */
  readonly preserveUnknown?: boolean;
  /** Whether `null` is a valid value. */
  readonly nullable?: boolean;
}
