import { StatusError } from "@xca/apimachinery/internal/errors";
import {
  applyDefaults,
  coerceObject,
  type JsonSchema,
  ShapeError,
} from "@xca/apimachinery/internal/schema";
import type { ApiObject } from "@xca/apimachinery/internal/values";

/** Brings objects to a version; those that are in it already are given back as they are. */
export type Conversion = (
  objects: readonly ApiObject[],
  apiVersion: string,
) => readonly ApiObject[] | Promise<readonly ApiObject[]>;

/** The versions of a kind, as conversion needs them. */
export interface ConvertedKind {
  readonly group: string;
  readonly kind: string;
  /** The schemas of all versions, served or not, by version. */
  readonly schemas: ReadonlyMap<string, JsonSchema | undefined>;
  readonly conversion: Conversion;
}

/** Only says another version. */
export function convertByName(
  objects: readonly ApiObject[],
  apiVersion: string,
): readonly ApiObject[] {
  for (const object of objects) object.apiVersion = apiVersion;
  return objects;
}

/** 500 without a reason: what the real server answers when it cannot convert. */
export function conversionFailure(message: string): StatusError {
  return new StatusError(500, "", message);
}

/**
 * Converts objects as they go into storage and come out of it: brought to the structure of their own
 * version with its defaults, converted, and brought to the structure of the other version.
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

/** The version that an object says. */
export function versionOf({ apiVersion }: { readonly apiVersion?: string | null }): string {
  return apiVersion?.slice(apiVersion.lastIndexOf("/") + 1) ?? "";
}
