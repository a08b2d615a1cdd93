import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";

/**
 * A value with a CustomResourceDefinition, such as a resource type that `defineResource` created.
 */
export interface WithCrd {
  /** The CustomResourceDefinition of the resource. */
  readonly crd: V1CustomResourceDefinition;
}

/** The width at which long descriptions in YAML are wrapped, in characters. */
const LINE_WIDTH = 80;

/**
 * Returns the CustomResourceDefinition of a resource as a YAML document, for `kubectl apply` and
 * for files under version control. Equal definitions give equal texts: fields are sorted by name,
 * as in the files that controller-gen writes.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { crdYaml, defineResource, s } from "@xca/operator/resource";
 *
 * const Lock = defineResource({
 *   group: "example.org",
 *   version: "v1",
 *   kind: "Lock",
 *   spec: s.object({ holder: s.string() }),
 * });
 * const yaml = await crdYaml(Lock);
 * assert.match(yaml, /^---\napiVersion: apiextensions.k8s.io\/v1\nkind: CustomResourceDefinition\n/);
 * ```
 */
export async function crdYaml({ crd }: WithCrd): Promise<string> {
  const { dump } = await import("js-yaml");
  return `---\n${dump(crd, { noRefs: true, sortKeys: true, lineWidth: LINE_WIDTH })}`;
}
