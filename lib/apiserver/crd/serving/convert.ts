// Mirrors `apiserver/conversion/converter.go, crConverter` and
// `apiserver/conversion/nop_converter.go, nopConverter`.
import { StatusError } from "@xca/apimachinery/internal/errors";
import {
  applyDefaults,
  coerceObject,
  type JsonSchema,
  ShapeError,
} from "@xca/apimachinery/internal/schema";
import type { ApiObject } from "@xca/apimachinery/internal/values";

/**
 * A function that converts custom objects to an `apiVersion`, `group/version`; it returns the
 * results in the order of the objects, and objects that are in this version unchanged. Other
 * objects may be changed in place.
 */
export type Conversion = (
  objects: readonly ApiObject[],
  apiVersion: string,
) => readonly ApiObject[] | Promise<readonly ApiObject[]>;

/** A custom kind with the schemas and the function by which its objects are converted. */
export interface ConvertedKind {
  readonly group: string;
  readonly kind: string;
  /** The schemas of all versions of the custom kind, served or not, by the name of the version. */
  readonly schemas: ReadonlyMap<string, JsonSchema | undefined>;
  readonly conversion: Conversion;
}

/**
 * Converts custom objects in place by changing `apiVersion` only (the conversion strategy `None`),
 * and returns the given list.
 */
export function convertByName(
  objects: readonly ApiObject[],
  apiVersion: string,
): readonly ApiObject[] {
  for (const object of objects) object.apiVersion = apiVersion;
  return objects;
}

/**
 * Returns the 500 error without a reason that kube-apiserver sends when the conversion of custom
 * objects fails.
 */
export function conversionFailure(message: string): StatusError {
  return new StatusError(500, "", message);
}

/**
 * Converts custom objects to `version` (without the group) when they are written to or read from
 * storage: normalizes them by the schema of their own version, with its defaults, converts them,
 * and normalizes the results by the schema of `version`. Changes the given objects. Throws, or
 * rejects with, a StatusError 500 if the conversion fails.
 */
export function convertStored(
  kind: ConvertedKind,
  objects: readonly ApiObject[],
  version: string,
): readonly ApiObject[] | Promise<readonly ApiObject[]> {
  for (const object of objects) {
    const schema = kind.schemas.get(versionOf(object));
    coerceObject(object, schema, { dropsMalformed: true });
    if (!object.metadata.generation) object.metadata.generation = 1;
    applyDefaults(object, schema);
  }
  const finish = (converted: readonly ApiObject[]): readonly ApiObject[] => {
    const schema = kind.schemas.get(version);
    for (const object of converted) coerceConverted(object, schema);
    return converted;
  };
  const converted = kind.conversion(objects, `${kind.group}/${version}`);
  return converted instanceof Promise ? converted.then(finish) : finish(converted);
}

function coerceConverted(object: ApiObject, schema: JsonSchema | undefined): void {
  try {
    coerceObject(object, schema);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw conversionFailure(error.message);
  }
}

/** Returns the version in an object's `apiVersion`, without the group; empty if it is absent. */
export function versionOf({ apiVersion }: { readonly apiVersion?: string | null }): string {
  return apiVersion?.slice(apiVersion.lastIndexOf("/") + 1) ?? "";
}
