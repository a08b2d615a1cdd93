import type { UnstructuredObject } from "./object.ts";
import { type ResourceType, resourceType } from "./resource_type.ts";

type Builtin = ResourceType<UnstructuredObject>;

/** `pods`, version `v1`. */
export const Pod: Builtin = core("Pod", "pods");
/** `configmaps`, version `v1`. */
export const ConfigMap: Builtin = core("ConfigMap", "configmaps");
/** `secrets`, version `v1`. */
export const Secret: Builtin = core("Secret", "secrets");
/** `services`, version `v1`. */
export const Service: Builtin = core("Service", "services");
/** `namespaces`, version `v1`, cluster-scoped. */
export const Namespace: Builtin = resourceType({
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
});
/** `nodes`, version `v1`, cluster-scoped. */
export const Node: Builtin = resourceType({
  group: "",
  version: "v1",
  kind: "Node",
  plural: "nodes",
  scope: "Cluster",
});
/** `deployments`, version `apps/v1`. */
export const Deployment: Builtin = resourceType({
  group: "apps",
  version: "v1",
  kind: "Deployment",
  plural: "deployments",
});
/** `statefulsets`, version `apps/v1`. */
export const StatefulSet: Builtin = resourceType({
  group: "apps",
  version: "v1",
  kind: "StatefulSet",
  plural: "statefulsets",
});
/** `customresourcedefinitions`, version `apiextensions.k8s.io/v1`, cluster-scoped. */
export const CustomResourceDefinition: Builtin = resourceType({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
});

function core(kind: string, plural: string): Builtin {
  return resourceType({ group: "", version: "v1", kind, plural });
}
