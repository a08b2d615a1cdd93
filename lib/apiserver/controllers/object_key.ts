import type { ObjectAddress } from "../machinery/registry.ts";

/** One text for an address, from which {@linkcode addressOf} makes it again. */
export function keyOf({ group, resource, namespace, name }: ObjectAddress): string {
  return `${group}/${resource}/${namespace}/${name}`;
}

/** The address that {@linkcode keyOf} made a key of. */
export function addressOf(key: string): ObjectAddress {
  const [group = "", resource = "", namespace = "", ...name] = key.split("/");
  return { group, resource, namespace, name: name.join("/") };
}
