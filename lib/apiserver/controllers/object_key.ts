import type { ObjectAddress } from "../machinery/registry.ts";

/** Encodes the address of an object as a text, its key, which {@linkcode addressOf} decodes. */
export function keyOf({ group, resource, namespace, name }: ObjectAddress): string {
  return `${group}/${resource}/${namespace}/${name}`;
}

/** Decodes an object's address from the key that {@linkcode keyOf} encoded. */
export function addressOf(key: string): ObjectAddress {
  const [group = "", resource = "", namespace = "", ...name] = key.split("/");
  return { group, resource, namespace, name: name.join("/") };
}
