import type { ObjectAddress } from "../machinery/registry.ts";

/** Encodes an address as text, for {@linkcode addressOf}. */
export function keyOf({ group, resource, namespace, name }: ObjectAddress): string {
  return `${group}/${resource}/${namespace}/${name}`;
}

/** Decodes an address that {@linkcode keyOf} encoded. */
export function addressOf(key: string): ObjectAddress {
  const [group = "", resource = "", namespace = "", ...name] = key.split("/");
  return { group, resource, namespace, name: name.join("/") };
}
