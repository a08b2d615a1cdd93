/**
 * The schema of a kind's objects or of a value in them, with the facts that decoding, strategic
 * merge, apply and pruning need. The schema comes from facts that were dumped from kube-apiserver,
 * or, for custom kinds, from the CustomResourceDefinition.
 */
export interface TypeSchema {
  /** The JSON type of the schema's values; `any` if unknown, as in a `RawExtension`. */
  readonly type: "object" | "array" | "string" | "integer" | "number" | "boolean" | "any";
  /**
   * The format of the values: `int32`, `int64`, `double`, `byte`, `date-time`, `micro-time`,
   * `int-or-string`, `quantity`, `duration`, or a format of a custom schema. Absent for values
   * without format.
   */
  readonly format?: string;
  /** The schemas of a struct's fields; absent for other types. */
  readonly fields?: Readonly<Record<string, TypeSchema>> | undefined;
  /** The schema of a map's values; absent for other types. */
  readonly values?: TypeSchema | undefined;
  /** The schema of a list's items; absent for other types. */
  readonly items?: TypeSchema | undefined;
  /**
   * The way in which server-side apply merges a list.
   *
   * @default {"atomic"}; if `patchStrategy` merges the list, {"map"} by `patchMergeKey`, or {"set"}
   * without such a key
   */
  readonly listType?: "atomic" | "set" | "map";
  /** The names of the fields that identify an item of a list of type `map`. */
  readonly mapKeys?: readonly string[];
  /**
   * The way in which server-side apply merges an object.
   *
   * @default {"granular"}
   */
  readonly mapType?: "atomic" | "granular";
  /**
   * The way in which a strategic merge patch merges the field: `merge`, `replace`, `retainKeys`, or
   * `merge,retainKeys`.
   */
  readonly patchStrategy?: string;
  /** The name of the field that identifies a list's item in a strategic merge patch. */
  readonly patchMergeKey?: string;
  /** The names of the required fields of a struct. */
  readonly required?: readonly string[] | undefined;
  /** The default value that the schema of the type declares. */
  readonly default?: unknown;
  /** Reports whether unknown fields of an object are preserved (custom resources only). */
  readonly preserveUnknown?: boolean;
  /** Reports whether `null` is a valid value of the type. */
  readonly nullable?: boolean;
}
