import { withoutUndefined } from "@xca/apimachinery/internal/base";
import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import type { Scope } from "@xca/apimachinery/meta";
import type { AnySchema } from "../schema/schema.ts";
import { SchemaError } from "../schema/schema_error.ts";
import type { VersionConversion } from "./resource_conversion.ts";
import type { ResourceNamesInit, VersionOptions } from "./resource_init.ts";
import { rootSchema } from "./root_schema.ts";

/**
 * The definition of one version in the argument of `defineResource`, in a type without the
 * TypeScript types of objects.
 */
export interface AnyVersionInit extends VersionOptions {
  readonly spec?: AnySchema;
  readonly status?: AnySchema;
  readonly served?: boolean;
  readonly deprecated?: boolean | string;
  // deno-lint-ignore no-explicit-any -- each version has types of its own.
  readonly convert?: VersionConversion<any, any>;
}

/**
 * The argument of `defineResource` in either of its forms, in a type without the TypeScript types
 * of objects.
 */
export interface AnyResourceInit extends ResourceNamesInit, VersionOptions {
  readonly version?: string;
  readonly spec?: AnySchema;
  readonly status?: AnySchema;
  readonly storedVersion?: string;
  readonly versions?: Readonly<Record<string, AnyVersionInit>>;
}

/**
 * The definition of one version of a custom resource with its schema and with the defaults of
 * `served` and `deprecated`, from which a version of the CustomResourceDefinition is built.
 */
export interface VersionPlan extends AnyVersionInit {
  readonly name: string;
  readonly isStored: boolean;
  readonly served: boolean;
  readonly deprecated: boolean | string;
  /** The schema of the version's whole objects; undefined when it has problems. */
  readonly schema: V1JSONSchemaProps | undefined;
  /** The problems of the schema of the version's objects. */
  readonly schemaFaults: readonly string[];
}

/**
 * The definition of a custom resource with the defaults of its names and its scope, from which the
 * CustomResourceDefinition is built. The definition is not checked yet.
 */
export interface ResourcePlan {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: Scope;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly versions: readonly VersionPlan[];
  /**
   * The version in which the resource's objects are stored; undefined where the definition names
   * none.
   */
  readonly storedVersion: string | undefined;
}

/**
 * Returns the definition of a custom resource with defaults filled in, and with the schemas of its
 * objects. Faults of schemas are recorded, not thrown.
 */
export function planOf(init: AnyResourceInit): ResourcePlan {
  const { group, kind, scope = "Namespaced", listKind = `${kind}List` } = init;
  const lower = String(kind).toLowerCase();
  const { singular = lower, plural = pluralOf(lower) } = init;
  const { shortNames = [], categories = [], labels = {}, annotations = {} } = init;
  const storedVersion = init.versions === undefined ? init.version : init.storedVersion;
  return {
    group,
    kind,
    scope,
    plural,
    singular,
    listKind,
    shortNames,
    categories,
    labels,
    annotations,
    storedVersion,
    versions: versionsOf(init).map(([name, version]) =>
      versionPlan(kind, { ...version, name, isStored: name === storedVersion })
    ),
  };
}

/**
 * Returns a pair of name and options for each version of a resource. Options of the resource that
 * apply to all versions are copied into each version that does not set them.
 */
function versionsOf(init: AnyResourceInit): [name: string, version: AnyVersionInit][] {
  const { description, subresources, printerColumns, selectableFields, metadata, rules } = init;
  const shared = withoutUndefined({
    ...{ description, subresources, printerColumns, selectableFields, metadata, rules },
  });
  const { versions, spec, status, version = "" } = init;
  return Object.entries(versions ?? { [version]: { spec, status } })
    .map(([name, own]) => [name, { ...shared, ...withoutUndefined<AnyVersionInit>(own ?? {}) }]);
}

function versionPlan(
  kind: string,
  version: AnyVersionInit & Pick<VersionPlan, "name" | "isStored">,
): VersionPlan {
  const complete = { served: true, deprecated: false, ...version };
  try {
    return { ...complete, schema: rootSchema(kind, version), schemaFaults: [] };
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const schemaFaults = error.problems.map(({ path, message }) =>
      path === "" ? message : `${path}: ${message}`
    );
    return { ...complete, schema: undefined, schemaFaults };
  }
}

/**
 * Returns the English plural of a word in lower case: `policy` and `policies`, `box` and `boxes`.
 */
function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
