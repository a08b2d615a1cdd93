import { apiVersionOf } from "../../machinery/keys.ts";
import type { ApiObject, JsonObject } from "../../machinery/api_object.ts";
import type { ApiResource } from "../../machinery/resource.ts";
import { zeroObject } from "../../managed_fields/zero_object.ts";
import { frameOf, type WatchForm } from "./watch_form.ts";

const INITIAL_END = { "k8s.io/initial-events-end": "true" };

/** Tells how far a watch is; `initialEnd`: all that there was has been told. */
export function bookmarkFrame(
  { resource, transform }: WatchForm,
  revision: number,
  initialEnd: boolean,
): Uint8Array {
  const { kind, apiVersion, metadata, ...empty } = emptyObject(resource);
  const annotations = { ...metadata.annotations, ...(initialEnd && INITIAL_END) };
  const object = {
    kind,
    apiVersion,
    metadata: {
      resourceVersion: String(revision),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    ...empty,
  } as ApiObject;
  return frameOf("BOOKMARK", transform ? transform(object) : object);
}

/** An object of the kind in which nothing is set. */
function emptyObject(resource: ApiResource): ApiObject {
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
 * The real server makes an empty object of its own form: there the number of replicas is always set,
 * and that of a template's generation, which is shown as an annotation.
 */
const OF_THE_SERVER: Readonly<Record<string, { spec?: JsonObject; metadata?: JsonObject }>> = {
  "deployments.apps": NONE_WANTED,
  "replicasets.apps": NONE_WANTED,
  "statefulsets.apps": NONE_WANTED,
  "daemonsets.apps": {
    metadata: { annotations: { "deprecated.daemonset.template.generation": "0" } },
  },
};
