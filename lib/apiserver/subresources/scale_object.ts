/**
 * Converts objects to their `Scale`: the desired and the actual replica count, in whichever fields
 * the kind has them.
 *
 * Mirrors `registry/customresource/etcd.go, scaleFromCustomResource`.
 *
 * @module
 */
import { type LabelSelectorFields, selectorText } from "@xca/apimachinery/internal/validation";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { ObjectMeta } from "@xca/apimachinery/meta";
import type { ApiResource } from "../machinery/resource.ts";

/** A Scale object of `autoscaling/v1`: the replica count of a workload. */
export interface Scale extends ApiObject {
  spec: { replicas?: number };
  status: { replicas: number; selector?: string };
}

/** Returns the path of the replica count that a Scale of this resource changes, as field names. */
export function replicasPath({ scalePaths }: ApiResource): string[] {
  return split(scalePaths?.specReplicasPath ?? ".spec.replicas");
}

function split(path: string): string[] {
  return path.replace(/^\./, "").split(".");
}

/** Returns the desired replica count of a scalable object; `undefined` if the object has none. */
export function wantedReplicas(resource: ApiResource, object: ApiObject): number | undefined {
  return valueAt(object, replicasPath(resource)) as number | undefined;
}

/**
 * Returns the Scale of an object, with its desired replica count, which is omitted if 0, its actual
 * one, 0 if absent, and its label selector as text, if any.
 */
export function scaleOf(resource: ApiResource, object: ApiObject): Scale {
  const { scalePaths } = resource;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = wantedReplicas(resource, object) ?? 0;
  const current = valueAt(object, split(scalePaths?.statusReplicasPath ?? ".status.replicas"));
  const selector = scalePaths ? customSelector(resource, object) : builtinSelector(object);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: withoutAbsent({ name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: (current as number | undefined) ?? 0, ...(selector && { selector }) },
  };
}

function withoutAbsent(fields: Record<string, string | undefined>): ObjectMeta {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function customSelector({ scalePaths }: ApiResource, object: ApiObject): string {
  const path = scalePaths?.labelSelectorPath;
  return path ? (valueAt(object, split(path)) as string | undefined) ?? "" : "";
}

/**
 * Formats the pod selector of a built-in kind: a map of labels in a ReplicationController, a label
 * selector in others.
 */
function builtinSelector(object: ApiObject): string {
  const selector = valueAt(object, ["spec", "selector"]);
  if (object.kind === "ReplicationController") {
    return selectorText({ matchLabels: selector as Record<string, string> });
  }
  return selectorText(selector as LabelSelectorFields | undefined);
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  let value = object;
  for (const field of path) {
    if (value === null || typeof value !== "object") return undefined;
    value = (value as Record<string, unknown>)[field];
  }
  return value;
}

/**
 * Sets the desired replica count of a scalable object, in place; missing objects on the path of the
 * count are created.
 */
export function setReplicas(resource: ApiResource, object: ApiObject, replicas: number): void {
  const path = replicasPath(resource);
  let place: Record<string, unknown> = object;
  for (const field of path.slice(0, -1)) {
    place = (place[field] ??= {}) as Record<string, unknown>;
  }
  place[path.at(-1)!] = replicas;
}
