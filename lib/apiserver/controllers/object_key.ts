import type { ObjectAddress } from "../machinery/registry.ts";

/**
 * Returns the key of an object, `group/resource/namespace/name`, in which the group and the
 * namespace may be empty; {@linkcode addressOf} decodes the object's address from the key.
 */
export function keyOf({ group, resource, namespace, name }: ObjectAddress): string {
  return `${group}/${resource}/${namespace}/${name}`;
}

/** Decodes an object's address from the key that {@linkcode keyOf} encoded. */
export function addressOf(key: string): ObjectAddress {
  const [group = "", resource = "", namespace = "", ...name] = key.split("/");
  return { group, resource, namespace, name: name.join("/") };
}
