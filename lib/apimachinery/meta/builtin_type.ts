import type { KubeObject } from "./object.ts";
import { type ResourceType, resourceType, type Scope } from "./resource_type.ts";

/**
 * The TypeScript type of the ids of resources whose objects are of type `T`: `${string}.v1.apps`
 * when the `apiVersion` of `T` is `apps/v1`.
 */
export type IdOf<T extends KubeObject> = NonNullable<T["apiVersion"]> extends
  `${infer Group}/${infer Version}` ? `${string}.${Version}.${Group}`
  : `${string}.${NonNullable<T["apiVersion"]>}`;

/**
 * Creates the {@linkcode ResourceType} of a namespaced resource from its {@linkcode
 * ResourceType.id} and kind.
 */
export function namespaced<T extends KubeObject>(
  id: IdOf<T>,
  kind: NonNullable<T["kind"]>,
): ResourceType<T> {
  return builtinType(id, kind, "Namespaced");
}

/**
 * Creates the {@linkcode ResourceType} of a cluster-scoped resource from its {@linkcode
 * ResourceType.id} and kind.
 */
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
