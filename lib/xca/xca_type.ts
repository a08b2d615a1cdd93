import { type ResourceType, resourceType } from "@xca/apimachinery/meta";
import type { Xca } from "./xca.ts";

/**
 * The resource type `xcas` without its schema, for commands that read Xca objects: the schema and
 * its code take 5 ms of the start of a process.
 */
export const xcaType: ResourceType<Xca> = resourceType<Xca>({
  group: "apps.xca.k8s.kb.cx",
  version: "v1beta1",
  kind: "Xca",
  plural: "xcas",
});
