import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../machinery/resource.ts";
import type { StoredObject } from "../storage/arena.ts";
import { apiVersionOf } from "../machinery/keys.ts";

/** Whether the stored text is what this version of the resource shows. */
export function isStoredForm(resource: ApiResource): boolean {
  return resource.version === resource.storageVersion && !resource.strategy.storedAs &&
    !resource.isRevised;
}

/** Whether the stored text of an object is what reads show. */
export function isShownAsStored(resource: ApiResource, stored: StoredObject): boolean {
  return isStoredForm(resource) && !resource.strategy.onRead?.concerns(stored.text());
}

/** Stored objects as reads show them. */
export function shownFromStorage(
  resource: ApiResource,
  stored: readonly StoredObject[],
): readonly ApiObject[] | Promise<readonly ApiObject[]> {
  const objects = fromStorage(resource, stored);
  const { onRead } = resource.strategy;
  // None of the kinds that are read so has another version.
  if (onRead && !(objects instanceof Promise)) objects.forEach(onRead.change);
  return objects;
}

/** What was written, or is about to go, as reads show it. */
export function shownOnRead(
  { strategy: { onRead } }: ApiResource,
  object: ApiObject,
): ApiObject {
  if (!onRead?.concerns(JSON.stringify(object))) return object;
  const shown = structuredClone(object);
  onRead.change(shown);
  return shown;
}

/** Stored objects as this version of the resource shows them; a promise only where a webhook is asked. */
export function fromStorage(
  resource: ApiResource,
  stored: readonly StoredObject[],
): readonly ApiObject[] | Promise<readonly ApiObject[]> {
  const objects = stored.map((each) => each.tree());
  if (isStoredForm(resource)) return objects;
  const { storedAs } = resource.strategy;
  if (storedAs) return objects.map((object) => storedAs.fromStored(object));
  return convert(resource, objects, resource.version);
}

/** An object of this version of the resource as it is stored. */
export async function toStorage(resource: ApiResource, object: ApiObject): Promise<ApiObject> {
  if (isStoredForm(resource)) return object;
  const { storedAs } = resource.strategy;
  if (storedAs) return storedAs.toStored(structuredClone(object));
  if (resource.version === resource.storageVersion) return object;
  const [converted] = await convert(resource, [structuredClone(object)], resource.storageVersion);
  return converted!;
}

/**
 * A written object as this version shows it from now on: what the version that it is stored in
 * cannot hold is lost. Only custom resources lose anything.
 */
export async function shownForm(
  resource: ApiResource,
  object: ApiObject,
  stored: ApiObject,
): Promise<ApiObject> {
  if (stored === object || resource.customResourceDefinition === undefined) return object;
  const [shown] = await convert(resource, [structuredClone(stored)], resource.version);
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
