/**
 * The real server stores an applied custom object with the empty maps and lists that its metadata came
 * with, and shows it without; it stores nil bytes of a Secret or a ConfigMap, and shows empty ones; and it
 * stores a Job without labels, and shows those of its pods. So the next write stores the object anew,
 * though nothing seems to change.
 *
 * @module
 */
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { hasEmptyMaps } from "../machinery/empty_maps.ts";
import type { ApiResource } from "../machinery/resource.ts";
import type { StoredObject } from "../storage/arena.ts";

const loose: WeakSet<StoredObject> = new WeakSet();

/** Whether an object would be stored otherwise than it is shown. A conversion tidies it up. */
export function storesLoose(resource: ApiResource, object: ApiObject): boolean {
  const { customResourceDefinition, version, storageVersion } = resource;
  const asItCame = customResourceDefinition !== undefined && version === storageVersion;
  return asItCame && hasEmptyMaps(object) || hasNilBytes(resource, object);
}

/** Remembers that an object would have been stored otherwise than it is shown. */
export function noteLoose(stored: StoredObject): void {
  loose.add(stored);
}

/** Whether nil bytes are about to be stored; they are always something new. */
export function hasNilBytes({ group, plural }: ApiResource, object: ApiObject): boolean {
  if (group !== "" || plural !== "secrets" && plural !== "configmaps") return false;
  const { data, binaryData } = object as Readonly<Record<string, Record<string, unknown>>>;
  return Object.values({ ...data, ...binaryData }).includes(null);
}

/** Whether it would have been stored otherwise than it is shown. */
export function isLoose(stored: StoredObject): boolean {
  return loose.has(stored);
}
