import type { ApiObject, JsonObject } from "@xca/apimachinery/internal/values";
import { apiVersionOf } from "../../machinery/keys.ts";
import type { ApiResource } from "../../machinery/resource.ts";
import { zeroObject } from "../../managed_fields/zero_object.ts";

/**
 * Returns an object of a resource's kind in which only the fields that are always present are set.
 */
export function emptyObject(resource: ApiResource): ApiObject {
  const { kind, customResourceDefinition, group, plural } = resource;
  const schema = customResourceDefinition === undefined ? resource.schema() : undefined;
  const zero = schema ? zeroObject(schema) : {};
  const shown = { kind, apiVersion: apiVersionOf(resource), ...zero } as JsonObject;
  const { spec, metadata } = OF_THE_SERVER[`${plural}.${group}`] ?? {};
  return {
    ...shown,
    metadata: { ...metadata },
    ...(spec && { spec: { ...spec, ...shown.spec as JsonObject } }),
  } as ApiObject;
}

const NONE_WANTED = { spec: { replicas: 0 } };

/**
 * The fields that are set in an empty object because kube-apiserver builds it in its internal
 * version, where replica counts and the template generation are not pointers.
 */
const OF_THE_SERVER: Readonly<Record<string, { spec?: JsonObject; metadata?: JsonObject }>> = {
  "deployments.apps": NONE_WANTED,
  "replicasets.apps": NONE_WANTED,
  "statefulsets.apps": NONE_WANTED,
  "daemonsets.apps": {
    metadata: { annotations: { "deprecated.daemonset.template.generation": "0" } },
  },
};
