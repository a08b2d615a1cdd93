import type { ObjectAddress } from "../machinery/registry.ts";

/** Encodes the address of an object as text, which {@linkcode addressOf} decodes. */
export function keyOf({ group, resource, namespace, name }: ObjectAddress): string {
  return `${group}/${resource}/${namespace}/${name}`;
}

/** Decodes the address of an object that {@linkcode keyOf} encoded. */
export function addressOf(key: string): ObjectAddress {
  const [group = "", resource = "", namespace = "", ...name] = key.split("/");
  return { group, resource, namespace, name: name.join("/") };
}
