/**
 * Finds objects whose stored form differs from the form that reads show. kube-apiserver stores an
 * applied custom object with the empty maps and lists of its metadata and shows it without them; it
 * stores nil bytes of a Secret or a ConfigMap and shows empty ones; and it stores a Job without
 * labels and shows the labels of its pods. The next write therefore stores such an object again,
 * even if the write changes nothing.
 *
 * @module
 */
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { hasEmptyMaps } from "../../machinery/empty_maps.ts";
import type { ApiResource } from "../../machinery/resource.ts";

/**
 * Reports whether an object would be stored in another form than reads show. Objects that are
 * converted for storage never are: the conversion normalizes them.
 */
export function storesLoose(resource: ApiResource, object: ApiObject): boolean {
  const { customResourceDefinition, version, storageVersion } = resource;
  const asItCame = customResourceDefinition !== undefined && version === storageVersion;
  return asItCame && hasEmptyMaps(object) || hasNilBytes(resource, object);
}

/**
 * Reports whether a Secret or ConfigMap has a `null` value for bytes, which always counts as a
 * change.
 */
export function hasNilBytes({ group, plural }: ApiResource, object: ApiObject): boolean {
  if (group !== "" || plural !== "secrets" && plural !== "configmaps") return false;
  const { data, binaryData } = object as Readonly<Record<string, Record<string, unknown>>>;
  return hasNull(data) || hasNull(binaryData);
}

function hasNull(values: Record<string, unknown> | undefined): boolean {
  for (const key in values) if (values[key] === null) return true;
  return false;
}
