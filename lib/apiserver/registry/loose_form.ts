/**
 * The real server stores an applied custom object with the empty maps and lists that its metadata came
 * with, and shows it without. So the next write stores the object anew, though nothing seems to change.
 *
 * @module
 */
import type { ApiObject } from "../machinery/api_object.ts";
import { hasEmptyMaps } from "../machinery/empty_maps.ts";
import type { StoredObject } from "../storage/arena.ts";

const loose: WeakSet<StoredObject> = new WeakSet();

/** Remembers how an object would have been stored. */
export function noteLoose(object: ApiObject, stored: StoredObject): void {
  if (isLoose(object)) loose.add(stored);
}

/** Whether an object that changes nothing would be stored in the form in which it is. */
export function sameForm(object: ApiObject, stored: StoredObject): boolean {
  return isLoose(object) === loose.has(stored);
}

/** Built-in kinds have one form. */
function isLoose(object: ApiObject): boolean {
  const [group] = object.apiVersion!.split("/");
  return group!.includes(".") && !group!.endsWith(".k8s.io") && hasEmptyMaps(object);
}
