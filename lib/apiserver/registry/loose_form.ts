/**
 * The real server stores an applied custom object with the empty maps and lists that its metadata came
 * with, and shows it without. So the next write stores the object anew, though nothing seems to change.
 *
 * @module
 */
import type { ApiObject } from "../machinery/api_object.ts";
import { hasEmptyMaps } from "../machinery/empty_maps.ts";
import type { ApiResource } from "../machinery/resource.ts";
import type { StoredObject } from "../storage/arena.ts";

const loose: WeakSet<StoredObject> = new WeakSet();

/** Remembers how an object would have been stored. A conversion tidies it up. */
export function noteLoose(
  { customResourceDefinition, version, storageVersion }: ApiResource,
  object: ApiObject,
  stored: StoredObject,
): void {
  const asItCame = customResourceDefinition !== undefined && version === storageVersion;
  if (asItCame && hasEmptyMaps(object)) loose.add(stored);
}

/** Whether it would have been stored otherwise than it is shown. */
export function isLoose(stored: StoredObject): boolean {
  return loose.has(stored);
}
