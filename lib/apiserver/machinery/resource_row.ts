// Mirrors `endpoints/handlers/rest.go, RequestScope`.
import type { ScalePaths } from "@xca/apimachinery/internal/schema";
import type { Verb } from "@xca/apimachinery/internal/access";
import type { ApiObject, JsonObject } from "@xca/apimachinery/internal/values";
import type { TypeSchema } from "./type_schema.ts";

/** A subresource of an API resource, such as `status` or `scale`. */
export interface Subresource {
  readonly name: string;
  /**
   * The kind that the subresource reads and writes, with group and version if they differ from the
   * resource's.
   */
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

/**
 * A printer column of a custom resource: an element of a CustomResourceDefinition's
 * `additionalPrinterColumns`.
 */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

/**
 * The description of an API resource in one version, without its strategy. The interface is
 * separate from `ApiResource`, so that strategies can refer to it without circular types.
 */
export interface ResourceRow {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural name of the resource, as in paths. */
  readonly plural: string;
  readonly singular: string;
  /**
   * The kind of the resource's lists: the kind of the objects with the suffix `List`, unless a
   * CustomResourceDefinition names another.
   */
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly Verb[];
  /** The verbs of the resource that discovery shows, if they differ from the served ones. */
  readonly shownVerbs?: readonly Verb[];
  readonly subresources: readonly Subresource[];
  /** The API version, such as `v1`, in which the resource's objects are stored. */
  readonly storageVersion: string;
  /** The hash of the resource's storage version, as discovery shows it. */
  readonly storageVersionHash?: string;
  /**
   * Returns the schema of the resource's objects, loaded at the first use; `undefined` if there is
   * none.
   */
  readonly schema: () => TypeSchema | undefined;
  /**
   * The name of the CustomResourceDefinition that defines a custom resource; absent for a built-in
   * resource.
   */
  readonly customResourceDefinition?: string;
  /**
   * Converts objects of the resource, each from its own version, to `toVersion`, a version such as
   * `v1`; all at once, since a webhook is called once for a list. May change the given objects.
   * Absent if only `apiVersion` changes. Returns a promise only if a webhook is called.
   *
   * @throws {StatusError} 500 if the conversion fails.
   */
  readonly convert?: (
    objects: readonly ApiObject[],
    toVersion: string,
  ) => readonly ApiObject[] | Promise<readonly ApiObject[]>;
  /**
   * Prunes and normalizes a decoded custom object (metadata, unknown fields, nulls), in place and
   * before `defaults`. Called for request bodies and for the results of patches.
   * Runs in steps, between which other requests may run.
   * @returns The paths of the dropped fields, sorted, as strict decoding reports them.
   * @throws {StatusError} 400 if the metadata do not match their type.
   */
  readonly coerce?: (object: ApiObject) => Generator<void, readonly string[]>;
  /**
   * Reports whether stored objects pass through `convert` even in their storage version, because
   * some of them may have been stored in another version, or before the schema changed.
   */
  readonly isRevised?: boolean;
  /** Reports whether a webhook converts the resource's objects between versions. */
  readonly convertsByWebhook?: boolean;
  /**
   * The API versions of a custom resource's definition, served or not, each in the form of
   * `apiVersion`.
   */
  readonly definedVersions?: ReadonlySet<string>;
  /**
   * The field paths of the `scale` subresource of a custom resource; absent for a resource without
   * this subresource and for built-in kinds.
   */
  readonly scalePaths?: ScalePaths;
  /**
   * The field path of the desired replicas in each version of a custom resource, by `apiVersion`;
   * `undefined` for a version without the scale subresource.
   */
  readonly replicasPaths?: ReadonlyMap<string, string | undefined>;
  /** The table columns of a custom resource beside its name. Absent for the default, its age. */
  readonly printerColumns?: readonly PrinterColumn[];
  /**
   * The `openAPIV3Schema` of a custom resource's version, as its CustomResourceDefinition contains
   * it; the published OpenAPI definition is made from it. Absent if the version has no schema.
   */
  readonly openApiSchema?: JsonObject;
  /** The selectable fields of a custom resource, as JSON paths such as `.spec.color`. */
  readonly selectableFieldPaths?: readonly string[];
  /** The text of the `Warning` header for requests of a deprecated version of the resource. */
  readonly deprecationWarning?: string;
}
