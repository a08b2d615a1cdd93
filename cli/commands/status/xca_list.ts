import { ApiError, type Client, isBadRequest, isNotFound } from "../../../lib/client/mod.ts";
import type { KubeList } from "@xca/apimachinery/meta";
import type { Xca } from "../../../lib/xca/mod.ts";
import { xcaType } from "../../../lib/xca/xca_type.ts";
import { isForeignAnswer, missingResource, refuseOtherServers } from "../../missing_resource.ts";
import { UsageError } from "../../usage_error.ts";

/**
 * Lists the Xca objects of a namespace, or of all namespaces.
 *
 * @throws {MissingResourceError} When the server does not serve the kind.
 * @throws {UsageError} When the server cannot parse the selector.
 */
export async function listAll(
  client: Client,
  namespace: string | undefined,
  labelSelector: string | undefined,
): Promise<KubeList<Xca>> {
  try {
    return await client.list(xcaType, { namespace, labelSelector });
  } catch (error) {
    if (isNotFound(error)) throw await missingResource(client, xcaType, error);
    if (isForeignAnswer(error)) await refuseOtherServers(client);
    if (labelSelector !== undefined && isBadRequest(error)) {
      throw new UsageError(
        `the selector ${JSON.stringify(labelSelector)} cannot be used: ${error.message}`,
      );
    }
    throw error;
  }
}

/**
 * Reports whether an error is the 404 of a missing object with the given name; false for other
 * errors and for a resource that the server does not serve.
 */
export function isObjectMissing(error: unknown, name: string): error is ApiError {
  return error instanceof ApiError && isNotFound(error) && error.status.details?.name === name;
}

/** Returns kubectl's message for an empty list of objects of a namespace, or of all namespaces. */
export function noneFound(namespace: string | undefined): string {
  return namespace === undefined
    ? "No resources found"
    : `No resources found in ${namespace} namespace.`;
}
