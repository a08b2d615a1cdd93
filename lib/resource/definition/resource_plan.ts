import { withoutUndefined } from "@xca/apimachinery/internal/base";
import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import type { Scope } from "@xca/apimachinery/meta";
import type { AnySchema } from "../schema/schema.ts";
import { SchemaError } from "../schema/schema_error.ts";
import type { VersionConversion } from "./resource_conversion.ts";
import type { ResourceNamesInit, VersionOptions } from "./resource_init.ts";
import { rootSchema } from "./root_schema.ts";

/** A version in the argument of `defineResource`, without the types of its objects. */
export interface AnyVersionInit extends VersionOptions {
  readonly spec?: AnySchema;
  readonly status?: AnySchema;
  readonly served?: boolean;
  readonly deprecated?: boolean | string;
  // deno-lint-ignore no-explicit-any -- each version has types of its own.
  readonly convert?: VersionConversion<any, any>;
}

/** The argument of `defineResource` in either of its forms, without the types of objects. */
export interface AnyResourceInit extends ResourceNamesInit, VersionOptions {
  readonly version?: string;
  readonly spec?: AnySchema;
  readonly status?: AnySchema;
  readonly storedVersion?: string;
  readonly versions?: Readonly<Record<string, AnyVersionInit>>;
}

/** A defined version of a resource, with defaults filled in. */
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

/** A defined resource, with defaults filled in. */
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
 * Returns the plan of a resource: its names and versions with defaults filled in, and the schemas
 * of its objects.
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
 * Returns the names and options of a resource's versions; the options that all versions share are
 * copied into each.
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
