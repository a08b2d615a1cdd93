// Mirrors `endpoints/handlers/response.go, transformResponseObject`.
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { ApiObject, JsonObject } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../../machinery/resource.ts";
import { includeObjectOf, toTableInSteps } from "../../output/table.ts";
import { type Content, encodeAnswer } from "../../request/encode.ts";
import type { Call } from "./call.ts";

/**
 * Returns the response with one object in the negotiated form. `text` is the JSON of the object, if
 * the caller knows it, and is sent in place of the object where no other form is requested. A
 * `Status` is sent as it is in each form.
 *
 * @throws {StatusError} 400 for an invalid `includeObject` parameter; 406, or 500 for a custom
 * resource, if the object cannot be shown in this form.
 */
export function presentObject(
  call: Call,
  code: number,
  object: ApiObject,
  text?: string | Uint8Array,
): Response | Promise<Response> {
  const { negotiated, request } = call;
  const { as } = negotiated;
  const accept = request.headers.get("accept-encoding");
  const answer = (content: Content): Response => encodeAnswer(code, content, negotiated, accept);
  if (!as) return answer(text ?? object);
  if (as.kind === "Table") includeObjectOf(call.info.query);
  if (object.kind === "Status" && object.apiVersion === "v1") return answer(object);
  if (as.kind === "Table") {
    const table = call.work.run(tableOf(call, [object], versionOf(object)));
    return table instanceof Promise ? table.then(answer) : answer(table);
  }
  if (as.kind === "PartialObjectMetadata") return answer(partialObject(object, as.apiVersion));
  if (call.resource.customResourceDefinition !== undefined && object.kind === call.resource.kind) {
    throw new StatusError(500, "", "content is not a list");
  }
  throw notThatForm(
    `you requested PartialObjectMetadataList, but the requested object is not a list ` +
      `(*${goType(call.resource, object.kind ?? call.resource.kind)})`,
  );
}

/** Returns the `PartialObjectMetadata` of an object. */
export function partialObject({ metadata }: ApiObject, apiVersion: string): JsonObject {
  return { kind: "PartialObjectMetadata", apiVersion, metadata } as unknown as JsonObject;
}

/**
 * Returns the 406 error about an object or a list that the requested form (PartialObjectMetadata or
 * PartialObjectMetadataList) cannot show.
 */
export function notThatForm(message: string): StatusError {
  return new StatusError(406, "NotAcceptable", message);
}

/** Returns the Go type name of a kind in kube-apiserver's messages, such as `core.Pod`. */
export function goType({ group, customResourceDefinition }: ApiResource, kind: string): string {
  if (kind === "Scale") return customResourceDefinition ? "v1.Scale" : "autoscaling.Scale";
  if (customResourceDefinition) {
    return kind.endsWith("List") ? "unstructured.UnstructuredList" : "unstructured.Unstructured";
  }
  return `${group === "" || group === "events.k8s.io" ? "core" : group.split(".")[0]}.${kind}`;
}

/** Returns the metadata of a Table that shows one object: the object's resourceVersion. */
export function versionOf({ metadata }: ApiObject): JsonObject {
  const { resourceVersion } = metadata;
  return resourceVersion === undefined ? {} : { resourceVersion };
}

/**
 * Returns a Table with objects as rows, which is made in steps; with `headers`, column definitions
 * are included. The object named `defaultName` is marked as the default.
 */
export function tableOf(
  { resource, negotiated, info, registry }: Call,
  objects: readonly ApiObject[],
  metadata: JsonObject,
  headers = true,
  defaultName?: string,
): Generator<void, JsonObject> {
  return toTableInSteps(objects, resource, {
    apiVersion: negotiated.as!.apiVersion,
    includeObject: includeObjectOf(info.query),
    headers,
    defaultName,
    metadata,
    now: registry.clock.now(),
    scales: info.subresource === "scale",
  });
}
