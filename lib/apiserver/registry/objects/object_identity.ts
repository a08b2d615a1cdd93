import { badRequest } from "@xca/apimachinery/internal/errors";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { VerbContext } from "./verb_context.ts";

/**
 * Checks that the object of a PUT or a PATCH has the namespace and the name of the path
 * (`endpoints/handlers/rest.go, checkName`). Sets the namespace if the object has none.
 * @throws {StatusError} 400
 */
export function matchIdentity(object: ApiObject, context: VerbContext): void {
  matchNamespace(object, context);
  const { metadata } = object;
  const { name } = context;
  if (!metadata.name) {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (metadata.name !== name) {
    throw badRequest(
      `the name of the object (${metadata.name}) does not match the name on the URL (${name})`,
    );
  }
}

/**
 * Sets the request's namespace in an object that has none, and deletes the namespace of a
 * cluster-scoped object (`registry/rest/meta.go, EnsureObjectNamespaceMatchesRequestNamespace`).
 * @throws {StatusError} 400 if the object has another namespace.
 */
export function matchNamespace({ metadata }: ApiObject, context: VerbContext): void {
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
