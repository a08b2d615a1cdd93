import type { KindNames } from "../scaffold/kind_names.ts";

/**
 * Returns the text of a project's `api/<version>/<kind>.ts`: the kind, its schema and its
 * definition.
 */
export function kindModule({ kind, group, version, plural }: KindNames): string {
  return `import { defineResource, s, type StoredOf } from "@xca/operator/resource";

/** The resource ${kind}: its schema, its CustomResourceDefinition and the types of its objects. */
export const ${kind} = defineResource({
  group: "${group}",
  version: "${version}",
  kind: "${kind}",
  plural: "${plural}",
  spec: s.object({
    // The fields that users set. Replace this one.
    message: s.string({ default: "hello", maxLength: 1000, description: "The text to publish." }),
  }),
  status: s.object({
    // The state that the controller observes.
    conditions: s.optional(s.conditions()),
  }),
  printerColumns: [
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});

/** An object of the kind as the API server stores it. */
export type ${kind} = StoredOf<typeof ${kind}>;
`;
}
