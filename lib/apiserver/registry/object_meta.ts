import { badRequest } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { formatTime, type ObjectMeta } from "@xca/apimachinery/meta";
import type { RequestContext } from "../machinery/request_context.ts";

/** The longest prefix of a generated name: more is cut off. */
const MAX_PREFIX = 58;

/** Erases what only the server says. */
export function wipeSystemFields(meta: ObjectMeta): void {
  delete meta.creationTimestamp;
  delete meta.uid;
  delete meta.deletionTimestamp;
  delete meta.deletionGracePeriodSeconds;
  delete (meta as { selfLink?: string }).selfLink;
}

/** Says what only the server says, and makes a name where one is to be made. */
export function fillSystemFields(meta: ObjectMeta, context: RequestContext): void {
  meta.creationTimestamp = formatTime(context.now);
  meta.uid = context.uid();
  if (meta.generateName && !meta.name) {
    meta.name = meta.generateName.slice(0, MAX_PREFIX) + context.nameSuffix();
  }
}

/**
 * Puts the request's namespace into the object where it has none.
 * @throws {StatusError} 400 when the object says another one.
 */
export function matchNamespace(object: ApiObject, context: RequestContext): void {
  const { metadata } = object;
  const expected = context.resource.namespaced ? context.namespace : "";
  if ((metadata.namespace ?? "") === expected) return;
  if (!metadata.namespace) metadata.namespace = expected;
  else if (expected === "") delete metadata.namespace;
  else {
    throw badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
}
