import type { ApiObject, JsonObject } from "@xca/apimachinery/internal/values";
import type { TypeSchema } from "./type_schema.ts";

/** A verb of discovery. */
export type Verb =
  | "create"
  | "delete"
  | "deletecollection"
  | "get"
  | "list"
  | "patch"
  | "update"
  | "watch";

/** A path below an object of a resource, as `status` or `scale`. */
export interface Subresource {
  readonly name: string;
  /** The kind that it reads and writes; group and version where they are not the resource's own. */
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

/** Paths as `.spec.replicas` into a custom resource. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** One of a CustomResourceDefinition's `additionalPrinterColumns`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

/**
 * What a request context says of the resource that it is about: all of its row but what is
 * particular to the kind, which is made of contexts itself.
 */
export interface ResourceRow {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural, as paths have it. */
  readonly plural: string;
  readonly singular: string;
  /** The kind of lists of it. @default kind + "List" */
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly Verb[];
  /** Those that discovery shows, where they are others. */
  readonly shownVerbs?: readonly Verb[];
  readonly subresources: readonly Subresource[];
  /** The version in which objects of this resource are stored. */
  readonly storageVersion: string;
  /** Identifies the storage version in discovery. */
  readonly storageVersionHash?: string;
  /** The structure of its objects; `undefined` when nothing is known of it. Loaded at first use. */
  readonly schema: () => TypeSchema | undefined;
  /** A resource of a CustomResourceDefinition, by the definition's name. */
  readonly customResourceDefinition?: string;
  /**
   * Converts objects of this resource, each from the version it says, to another version; all at
   * once, since a webhook is called once for a list. Absent: only `apiVersion` changes. A promise
   * only where a webhook is asked. @throws {StatusError}
   */
  readonly convert?: (
    objects: readonly ApiObject[],
    toVersion: string,
  ) => readonly ApiObject[] | Promise<readonly ApiObject[]>;
  /**
   * Custom resources: brings a decoded object of this version to its structure (metadata, pruning,
   * nulls), in place, before `defaults`; called for bodies and for the results of patches.
   * @returns the paths of the fields that were dropped, sorted, as strict decoding names them.
   * @throws {StatusError} 400 when the metadata is not of its type.
   */
  readonly coerce?: (object: ApiObject) => readonly string[];
  /**
   * Stored objects pass `convert` even where their version is the one that they are stored in: the
   * schema has changed since some of them were written.
   */
  readonly isRevised?: boolean;
  /** A webhook of a user converts objects of this resource. */
  readonly convertsByWebhook?: boolean;
  /** Every version that the definition of a custom resource names, served or not, as `apiVersion`. */
  readonly definedVersions?: ReadonlySet<string>;
  /** Where the `scale` subresource of a custom resource has its numbers. */
  readonly scalePaths?: ScalePaths;
  /**
   * Where each version of a custom resource has its wanted replicas, by `apiVersion`; `undefined` for
   * one without a scale.
   */
  readonly replicasPaths?: ReadonlyMap<string, string | undefined>;
  /** How a custom resource prints, beside its name. Absent: by name and age. */
  readonly printerColumns?: readonly PrinterColumn[];
  /** The JSON schema of a custom resource, as OpenAPI shows it. */
  readonly openApiSchema?: JsonObject;
  /** By which fields a custom resource can be selected, as JSON paths. */
  readonly selectableFieldPaths?: readonly string[];
  /** Said in a `Warning` header to those who use a deprecated version. */
  readonly deprecationWarning?: string;
}
