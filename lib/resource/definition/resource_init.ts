import type { Scope } from "@xca/apimachinery/meta";
import type { Rule } from "../schema/options.ts";
import type { AnySchema, Schema } from "../schema/schema.ts";
import type { InputResource, StoredResource } from "./object_types.ts";
import type { VersionConversion } from "./resource_conversion.ts";

/** A column that `kubectl get` prints for the objects of a resource. */
export interface PrinterColumn {
  /** The title of the printer column. */
  readonly name: string;
  /** The type of the column's values. `date` prints the time since the value. */
  readonly type: "boolean" | "date" | "integer" | "number" | "string";
  /** The JSONPath of the field that the column shows, such as `.spec.replicas`. */
  readonly jsonPath: string;
  /** The description of the printer column. @default none */
  readonly description?: string;
  /**
   * The OpenAPI format of the column's values, such as `int32` or `password`, as a hint for
   * clients.
   *
   * @default none
   */
  readonly format?: string;
  /** The priority of the column: those above 0 are printed with `-o wide` only. @default {0} */
  readonly priority?: number;
}

/** The paths of the fields that the scale subresource reads and writes. */
export interface ScalePathsInit {
  /** The field path of the desired number of replicas. @default {".spec.replicas"} */
  readonly specReplicasPath?: string;
  /** The field path of the observed number of replicas. @default {".status.replicas"} */
  readonly statusReplicasPath?: string;
  /**
   * The path of the field with the label selector of the pods as a text, such as
   * `.status.selector`; a HorizontalPodAutoscaler needs it.
   *
   * @default none
   */
  readonly labelSelectorPath?: string;
}

/** The subresources of a custom resource. */
export interface SubresourcesInit {
  /**
   * Sets whether the status is a subresource: clients write the status separately, by
   * `client.updateStatus`, and changes of the status do not increment `metadata.generation`.
   *
   * @default {true} where the resource has a status
   */
  readonly status?: boolean;
  /**
   * The field paths of the scale subresource, for `kubectl scale` and autoscalers; `true` stands
   * for `.spec.replicas` and `.status.replicas`, without the label selector that a
   * HorizontalPodAutoscaler needs.
   *
   * @default none: the resource has no scale subresource
   */
  readonly scale?: true | ScalePathsInit;
}

/** The constraints of the metadata of a resource's objects. */
export interface MetadataInit {
  /**
   * The schema of the names of the resource's objects, such as `s.string({ maxLength: 20 })`.
   *
   * @default none
   */
  readonly name?: Schema<string>;
  /** The schema of the prefixes (`generateName`) of generated object names. @default none */
  readonly generateName?: Schema<string>;
  /** Sets whether the schema of the resource's objects requires `metadata`. @default {false} */
  readonly required?: boolean;
}

/**
 * The options of a resource version that do not depend on the types of the version's objects, such
 * as the printer columns.
 */
export interface VersionOptions {
  /**
   * The description of the resource's kind, which `kubectl explain` shows.
   *
   * @default a sentence with the kind's name
   */
  readonly description?: string;
  /**
   * The subresources of the resource version.
   *
   * @default the status subresource if the version has a status, and no scale subresource
   */
  readonly subresources?: SubresourcesInit;
  /**
   * The columns that `kubectl get` prints for the resource's objects after their name.
   *
   * @default the age
   */
  readonly printerColumns?: readonly PrinterColumn[];
  /**
   * The paths of the fields that field selectors on the resource can name, such as `.spec.color`;
   * at most eight.
   *
   * @default none
   */
  readonly selectableFields?: readonly string[];
  /** The constraints of the metadata of the version's objects. @default none */
  readonly metadata?: MetadataInit;
  /**
   * CEL rules about whole objects of the resource; `self` has `apiVersion`, `kind`, `spec`,
   * `status`, and in `metadata` only `name` and `generateName`.
   *
   * @default none
   */
  readonly rules?: readonly Rule[];
}

/** The names, scope, labels and annotations of a resource, the same for all of its versions. */
export interface ResourceNamesInit {
  /** The API group of the resource, a DNS name such as `apps.example.com`. */
  readonly group: string;
  /** The kind of the resource's objects in PascalCase, such as `Widget`. */
  readonly kind: string;
  /** The plural name of the resource in URLs. @default the plural of the kind, in lower case */
  readonly plural?: string;
  /** The singular name of the resource. @default the kind in lower case */
  readonly singular?: string;
  /** The kind of lists of the resource's objects. @default the kind followed by `List` */
  readonly listKind?: string;
  /** The short names of the resource for kubectl. @default none */
  readonly shortNames?: readonly string[];
  /** The categories of the resource, such as `all` in `kubectl get all`. @default none */
  readonly categories?: readonly string[];
  /** The scope of the resource: whether its objects are in namespaces. @default {"Namespaced"} */
  readonly scope?: Scope;
  /** The labels of the resource's CustomResourceDefinition. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * The annotations of the CustomResourceDefinition. The groups `k8s.io`, `kubernetes.io` and their
   * subdomains need `api-approved.kubernetes.io`.
   *
   * @default none
   */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The argument of {@linkcode defineResource} for a resource with one version. */
export interface ResourceInit<Spec, Status> extends ResourceNamesInit, VersionOptions {
  /** The API version of the resource, such as `v1`. */
  readonly version: string;
  /**
   * The schema of the `spec` of the resource's objects; each object must have a `spec` unless the
   * schema is of `s.optional` or has a default.
   */
  readonly spec?: Spec & AnySchema;
  /** The schema of the `status` of the resource's objects. @default the objects have no status */
  readonly status?: Status & AnySchema;
}

/**
 * The definition of one version in the argument of {@linkcode defineResource} for a resource with
 * several versions.
 */
export interface VersionInit<Spec, Status, Hub extends InputResource<unknown, unknown>>
  extends VersionOptions {
  /**
   * The schema of the `spec` of the version's objects; each object must have a `spec` unless the
   * schema is of `s.optional` or has a default.
   */
  readonly spec?: Spec & AnySchema;
  /** The schema of the `status` of the version's objects. @default the objects have no status */
  readonly status?: Status & AnySchema;
  /** Sets whether the API server serves the version of the resource. @default {true} */
  readonly served?: boolean;
  /**
   * The mark of a deprecated version: the API server then warns clients that use the version. A
   * string is the text of the warning.
   *
   * @default {false}
   */
  readonly deprecated?: boolean | string;
  /**
   * The functions that convert objects to the stored version and back. The stored version has none.
   * The other versions either all have them, or, if each has the same fields with the same types as
   * the stored version, none.
   */
  readonly convert?: VersionConversion<StoredResource<Spec, Status>, Hub>;
}

/**
 * The argument of {@linkcode defineResource} for a resource with several versions. An option of
 * versions that is given at this level, such as `printerColumns`, applies to each version that does
 * not give the same option.
 *
 * @typeParam Specs The schemas of `spec` by version.
 * @typeParam Statuses The schemas of `status` by version.
 * @typeParam Hub The name of the stored version.
 */
export interface VersionedResourceInit<Specs, Statuses, Hub extends string>
  extends ResourceNamesInit, VersionOptions {
  /** The storage version of the resource: one of `versions`. */
  readonly storedVersion: Hub;
  /** The versions of the resource by name. */
  readonly versions:
    & {
      readonly [V in keyof Specs]: VersionInit<
        Specs[V],
        StatusIn<Statuses, V>,
        StoredResource<SpecIn<Specs, Hub>, StatusIn<Statuses, Hub>>
      >;
    }
    & { readonly [V in keyof Statuses]: { readonly status?: Statuses[V] & AnySchema } };
}

/** The type of the schema of a version's `spec`; `undefined` for a version without one. */
export type SpecIn<Specs, V> = V extends keyof Specs ? Specs[V] : undefined;

/** The type of the schema of a version's `status`; `undefined` for a version without one. */
export type StatusIn<Statuses, V> = V extends keyof Statuses ? Statuses[V] : undefined;
