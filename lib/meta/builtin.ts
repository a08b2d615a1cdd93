import type { UnstructuredObject } from "./object.ts";
import { type ResourceType, resourceType } from "./resource_type.ts";

/** `pods`, version `v1`. */
export const Pod: ResourceType<UnstructuredObject> = core("Pod", "pods");
/** `configmaps`, version `v1`. */
export const ConfigMap: ResourceType<UnstructuredObject> = core("ConfigMap", "configmaps");
/** `secrets`, version `v1`. */
export const Secret: ResourceType<UnstructuredObject> = core("Secret", "secrets");
/** `services`, version `v1`. */
export const Service: ResourceType<UnstructuredObject> = core("Service", "services");
/** `namespaces`, version `v1`, cluster-scoped. */
export const Namespace: ResourceType<UnstructuredObject> = resourceType({
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
});
/** `nodes`, version `v1`, cluster-scoped. */
export const Node: ResourceType<UnstructuredObject> = resourceType({
  group: "",
  version: "v1",
  kind: "Node",
  plural: "nodes",
  scope: "Cluster",
});
/** `deployments`, version `apps/v1`. */
export const Deployment: ResourceType<UnstructuredObject> = resourceType({
  group: "apps",
  version: "v1",
  kind: "Deployment",
  plural: "deployments",
});
/** `statefulsets`, version `apps/v1`. */
export const StatefulSet: ResourceType<UnstructuredObject> = resourceType({
  group: "apps",
  version: "v1",
  kind: "StatefulSet",
  plural: "statefulsets",
});
/** `customresourcedefinitions`, version `apiextensions.k8s.io/v1`, cluster-scoped. */
export const CustomResourceDefinition: ResourceType<UnstructuredObject> = resourceType({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
});

function core(kind: string, plural: string): ResourceType<UnstructuredObject> {
  return resourceType({ group: "", version: "v1", kind, plural });
}
