// Mirrors `runtime/serializer/versioning/versioning.go, codec.Decode`.
import { StatusError } from "@xca/apimachinery/internal/errors";
import { type ApiObject, cloneJson } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../../machinery/resource.ts";
import type { StoredObject } from "../../storage/arena.ts";
import { apiVersionOf } from "../../machinery/keys.ts";
import { UndecodableError } from "./corrupt_object.ts";

/**
 * Reports whether all stored objects of a resource are in the API version of the given resource
 * row, so that reads need no conversion.
 */
export function isStoredForm(resource: ApiResource): boolean {
  return resource.version === resource.storageVersion && !resource.strategy.storedAs &&
    !resource.isRevised;
}

/** Reports whether read responses of a resource show a stored object unchanged. */
export function isShownAsStored(resource: ApiResource, stored: StoredObject): boolean {
  return isStoredForm(resource) && !resource.strategy.onRead?.concerns(stored.text());
}

/**
 * Converts stored objects of a resource to their form in read responses. Returns a promise only if
 * a conversion webhook must be called.
 *
 * @throws {UndecodableError} If the conversion fails; a promise rejects with this error.
 */
export function shownFromStorage(
  resource: ApiResource,
  stored: readonly StoredObject[],
): readonly ApiObject[] | Promise<readonly ApiObject[]> {
  const objects = fromStorage(resource, stored);
  const { onRead } = resource.strategy;
  // No kind with an `onRead` form has another version, so that the conversion is never
  // asynchronous.
  if (onRead && !(objects instanceof Promise)) objects.forEach(onRead.change);
  return objects;
}

/**
 * Converts the object in the response to a write to the form in which read responses show it.
 * Returns the object itself if it is shown unchanged, otherwise a changed copy.
 */
export function shownOnRead(
  { strategy: { onRead } }: ApiResource,
  object: ApiObject,
): ApiObject {
  if (!onRead?.concerns(JSON.stringify(object))) return object;
  const shown = cloneJson(object);
  onRead.change(shown);
  return shown;
}

/**
 * Converts stored objects to the API version of the given resource row. Returns a promise only if a
 * conversion webhook must be called.
 *
 * @throws {UndecodableError} If the conversion fails; a promise rejects with the error.
 */
export function fromStorage(
  resource: ApiResource,
  stored: readonly StoredObject[],
): readonly ApiObject[] | Promise<readonly ApiObject[]> {
  const objects = stored.map((each) => each.tree());
  if (isStoredForm(resource)) return objects;
  const { storedAs } = resource.strategy;
  if (storedAs) return objects.map((object) => storedAs.fromStored(object));
  const failed = (error: unknown): never => {
    throw error instanceof StatusError && stored[0]
      ? new UndecodableError(stored[0], error)
      : error;
  };
  try {
    const converted = convert(resource, objects, resource.version);
    return converted instanceof Promise ? converted.catch(failed) : converted;
  } catch (error) {
    return failed(error);
  }
}

/**
 * Converts an object from the API version of the given resource row to the storage version. Returns
 * the object itself if it needs no conversion, otherwise a converted copy.
 *
 * @throws {StatusError} 500 if the conversion fails.
 */
export async function toStorage(resource: ApiResource, object: ApiObject): Promise<ApiObject> {
  if (isStoredForm(resource)) return object;
  const { storedAs } = resource.strategy;
  if (storedAs) return storedAs.toStored(cloneJson(object));
  if (resource.version === resource.storageVersion) return object;
  const [converted] = await convert(resource, [cloneJson(object)], resource.storageVersion);
  return converted!;
}

/**
 * Converts the stored form of a written object back to the API version of the request, so that the
 * response lacks the fields that the storage version does not have. An object of a built-in kind
 * loses nothing, and is returned unchanged.
 *
 * @throws {StatusError} 500 if the conversion fails.
 */
export async function shownForm(
  resource: ApiResource,
  object: ApiObject,
  stored: ApiObject,
): Promise<ApiObject> {
  if (stored === object || resource.customResourceDefinition === undefined) return object;
  const [shown] = await convert(resource, [cloneJson(stored)], resource.version);
  return shown!;
}

function convert(
  resource: ApiResource,
  objects: readonly ApiObject[],
  version: string,
): readonly ApiObject[] | Promise<readonly ApiObject[]> {
  if (resource.convert) return resource.convert(objects, version);
  const apiVersion = apiVersionOf({ group: resource.group, version });
  for (const object of objects) object.apiVersion = apiVersion;
  return objects;
}
