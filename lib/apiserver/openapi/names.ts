// Mirrors `endpoints/openapi/openapi.go, GetOperationIDAndTags`.
import type { ApiResource } from "../machinery/resource.ts";
import { packageOfVersion, structFact } from "../types/type_facts.ts";

/**
 * Returns the name of the OpenAPI definition of a resource's kind; that of its list ends with
 * `List`.
 */
export function definitionName(resource: ApiResource): string {
  const { group, version, kind, customResourceDefinition } = resource;
  if (customResourceDefinition === undefined) return kindName(group, version, kind);
  return `${group.split(".").reverse().join(".")}.${version}.${kind}`;
}

/**
 * Returns the name of the OpenAPI definition of a built-in kind: that of its group version or, if
 * that has no such type, of `meta/v1`.
 */
export function kindName(group: string, version: string, kind: string): string {
  const own = `${packageOfVersion(group, version)}.${kind}`;
  return structFact(own) ? own : `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`;
}

/**
 * Returns the name of a group in OpenAPI operation ids, such as `Apps` or `RbacAuthorization`;
 * `Core` for the core group.
 */
export function groupTitle(group: string): string {
  if (group === "") return "Core";
  return group.replace(/\.k8s\.io$/, "").split(/[.-]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}

/** Returns the OpenAPI tag of a group version, such as `apps_v1` or `core_v1`. */
export function tagOf(group: string, version: string): string {
  const title = groupTitle(group);
  return `${title.slice(0, 1).toLowerCase()}${title.slice(1)}_${version}`;
}
