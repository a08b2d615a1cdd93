import type { ObjectKey, ResourceType } from "@xca/apimachinery/meta";
import { parseKey } from "@xca/apimachinery/meta";
import { causesOf, isInstance } from "@xca/apimachinery/internal/base";
import { ApiError, hasStatusCause } from "../../client/errors/api_error.ts";

/**
 * Reports whether a reconcile run failed because the server refused a write in the namespace of the
 * reconciled object, or in the reconciled Namespace, since that namespace is being deleted. No
 * retry resolves this failure, and the object is deleted too. A refusal in another namespace is an
 * ordinary failure, since that namespace may be created again.
 *
 * Never throws, although user code may throw an object that throws when it is read.
 */
export function isOwnNamespaceTerminating(
  error: unknown,
  type: ResourceType,
  key: ObjectKey,
): boolean {
  const own = namespaceOf(type, key);
  return own !== undefined && causesOf(error).some((cause) => {
    try {
      return isInstance(cause, ApiError) && hasStatusCause(cause, "NamespaceTerminating") &&
        namespaceIn(cause.path) === own;
    } catch {
      return false;
    }
  });
}

function namespaceOf({ group, plural }: ResourceType, key: ObjectKey): string | undefined {
  const { namespace, name } = parseKey(key);
  return group === "" && plural === "namespaces" ? name : namespace;
}

/**
 * Returns the namespace in the path of a request to a namespaced resource or a subresource of a
 * Namespace; `undefined` when the path has none.
 */
function namespaceIn(path: string): string | undefined {
  return /\/namespaces\/([^/]+)\//.exec(path)?.[1];
}
