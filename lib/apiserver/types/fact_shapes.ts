/**
 * The shape of the facts in `facts/`, which `deno task facts:dump` takes from kube-apiserver.
 *
 * Facts are texts in modules, parsed on first use. A module works the same from a registry, a bundle and
 * disk, unlike a data file. Importing all of it as text costs about two milliseconds, while JSON modules
 * are parsed at import. A text is available synchronously, which the registry needs of a schema. Each
 * package of types has a text of its own, so that a server that only sees ConfigMaps parses two.
 *
 * @module
 */

/** One field of a struct. */
export type FieldFact = readonly [
  name: string,
  /**
   * The type: `*T` pointer, `[]T` list, `{K}T` map, `#id` struct (`#.Name` in the same package), a
   * basic type, or `name=T` for a named type.
   */
  type: string,
  /** The flags: `o` left out when empty, `z` left out when zero, `r` required. */
  flags: string,
  more?: FieldMore,
];

/** Further facts of a field, which few fields have. */
export interface FieldMore {
  readonly default?: unknown;
  readonly listType?: "atomic" | "set" | "map";
  readonly mapKeys?: readonly string[];
  readonly mapType?: "atomic" | "granular";
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  /** Whether OpenAPI refers to the type without `allOf`. */
  readonly bare?: true;
  /** The embedded struct that the field comes from, as `TypeMeta`. */
  readonly embedded?: string;
}

/** One struct. */
export interface StructFact {
  /**
   * The name in error messages. @default {the package's last segment and the struct's name, as
   * `v1.Pod`}
   */
  readonly go?: string;
  /** Whether the struct decodes and encodes itself. */
  readonly custom?: true;
  readonly fields?: readonly FieldFact[];
  /** The members of its OpenAPI definition beside the fields. */
  readonly openapi?: Readonly<Record<string, unknown>>;
  /** Group, version and kind, for the type of a kind. */
  readonly kinds?: readonly (readonly [group: string, version: string, kind: string])[];
}

/** The structs of one package, by name. */
export type PackageFacts = Readonly<Record<string, StructFact>>;

/** One resource of a {@linkcode VersionFact}. */
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

/** One subresource of a {@linkcode ResourceFact}. */
export interface SubresourceFact {
  readonly name: string;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

/** One group version, in the order of discovery. */
export interface VersionFact {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ResourceFact[];
}

/** The content of `facts/resources.ts`. */
export interface ResourceFacts {
  /** The Kubernetes release of the facts, as `v1.37.2`. */
  readonly release: string;
  readonly versions: readonly VersionFact[];
}

/** One column of a table. */
export type ColumnFact = readonly [name: string, type: string, format?: string, priority?: number];
