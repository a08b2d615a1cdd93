/**
 * A custom resource on its own: an Instance of a cloud, whose four fields are required. The schema
 * gives the TypeScript type of its objects and its CustomResourceDefinition, which this program
 * prints as YAML.
 *
 * ```sh
 * deno run examples/09_instance.ts > instance.yaml
 * ```
 *
 * @module
 */
import type { KubeObject } from "@xca/operator";
import { crdYaml, type DefinedResource, defineResource, s } from "@xca/operator/resource";

/** An Instance object, the custom resource of this example. */
export interface Instance extends KubeObject {
  spec: { regionID: string; zoneID: string; vpcID: string; subnetID: string };
}

/** The resource of Instance objects. */
export const Instance: DefinedResource<Instance> = defineResource({
  group: "compute.example.com",
  version: "v1alpha1",
  kind: "Instance",
  metadata: { required: true },
  spec: s.object({
    regionID: s.string({ description: "The region in which the instance runs." }),
    zoneID: s.string({ description: "The zone of the region in which the instance runs." }),
    vpcID: s.string({ description: "The private network of the instance." }),
    subnetID: s.string({ description: "The subnet of the private network, in the same zone." }),
  }, { description: "The place and the network of the instance." }),
});

if (import.meta.main) {
  await Deno.stdout.write(new TextEncoder().encode(await crdYaml(Instance)));
}
