/**
 * The shape of the facts in `facts/`, which `deno task facts:dump` takes from kube-apiserver.
 *
 * Facts are texts in modules, parsed on first use. A module works the same from a registry, a
 * bundle and disk, unlike a data file. Importing all of it as text costs about two milliseconds,
 * while JSON modules are parsed at import. A text is available synchronously, as the registry
 * requires for schemas. Each package of types has a text of its own, so that a server that only
 * sees ConfigMaps parses two.
 *
 * @module
 */

/** The facts about one field of a built-in Go struct. */
export type FieldFact = readonly [
  name: string,
  /**
   * The type expression of the field: `*T` pointer, `[]T` list, `{K}T` map, `#id` struct (`#.Name`
   * in the same package), a basic type, or `name=T` for a named type.
   */
  type: string,
  /**
   * The flags of a Go struct's field: `o` left out when empty, `z` left out when zero, `r`
   * required.
   */
  flags: string,
  more?: FieldMore,
];

/** The further facts about a struct's field, which few fields have. */
export interface FieldMore {
  readonly default?: unknown;
  readonly listType?: "atomic" | "set" | "map";
  readonly mapKeys?: readonly string[];
  readonly mapType?: "atomic" | "granular";
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  /** Reports whether OpenAPI refers to the type of the Go struct's field without `allOf`. */
  readonly bare?: true;
  /** The name of the embedded Go struct that contains the field, such as `TypeMeta`. */
  readonly embedded?: string;
}

/** The facts about one built-in Go struct. */
export interface StructFact {
  /**
   * The name of the Go struct in error messages.
   *
   * @default {the package's last segment and the struct's name, such as `v1.Pod`}
   */
  readonly go?: string;
  /** Reports whether the Go struct decodes and encodes itself. */
  readonly custom?: true;
  readonly fields?: readonly FieldFact[];
  /** The members of the Go struct's OpenAPI definition in addition to its fields. */
  readonly openapi?: Readonly<Record<string, unknown>>;
  /** The group, version and kind of each Kubernetes kind whose type is the Go struct. */
  readonly kinds?: readonly (readonly [group: string, version: string, kind: string])[];
}

/** The facts about the Go structs of one package, by name. */
export type PackageFacts = Readonly<Record<string, StructFact>>;

/** A resource of a built-in group version ({@linkcode VersionFact}). */
export interface ResourceFact {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
  readonly subresources?: readonly SubresourceFact[];
}

/** A subresource of a built-in resource ({@linkcode ResourceFact}). */
export interface SubresourceFact {
  readonly name: string;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

/** A built-in group version with its resources, in the order of discovery. */
export interface VersionFact {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ResourceFact[];
}

/** The facts about all built-in resources: the content of `facts/resources.ts`. */
export interface ResourceFacts {
  /** The Kubernetes release that the facts were taken from, such as `v1.37.2`. */
  readonly release: string;
  readonly versions: readonly VersionFact[];
}

/**
 * A column of the table that kube-apiserver prints of a resource. An absent format is empty, an
 * absent priority 0.
 */
export type ColumnFact = readonly [name: string, type: string, format?: string, priority?: number];
