import type { KubeObject } from "./object.ts";
import { type ResourceType, resourceType, type Scope } from "./resource_type.ts";

/** The ids that a resource may have whose objects are of type `T`: they end in its group and version. */
export type IdOf<T extends KubeObject> = NonNullable<T["apiVersion"]> extends
  `${infer Group}/${infer Version}` ? `${string}.${Version}.${Group}`
  : `${string}.${NonNullable<T["apiVersion"]>}`;

/** A resource with namespaces, by its {@linkcode ResourceType.id} and the kind of its objects. */
export function namespaced<T extends KubeObject>(
  id: IdOf<T>,
  kind: NonNullable<T["kind"]>,
): ResourceType<T> {
  return builtinType(id, kind, "Namespaced");
}

/** A resource without namespaces, by its {@linkcode ResourceType.id} and the kind of its objects. */
export function clusterScoped<T extends KubeObject>(
  id: IdOf<T>,
  kind: NonNullable<T["kind"]>,
): ResourceType<T> {
  return builtinType(id, kind, "Cluster");
}

function builtinType<T extends KubeObject>(
  id: string,
  kind: string,
  scope: Scope,
): ResourceType<T> {
  const [, plural = "", version = "", group = ""] = /^([^.]+)\.([^.]+)\.?(.*)$/.exec(id) ?? [];
  return resourceType<KubeObject>({ group, version, kind, plural, scope }) as ResourceType<T>;
}
