import type { ApiObject } from "../machinery/api_object.ts";
import type { ApiResource } from "../machinery/resource.ts";
import type { RegistryCore } from "./registry_core.ts";

/** What a write made. */
export interface Written {
  /** The object in the version that was asked for; of some deletions a `Status`. */
  readonly object: ApiObject;
  /** The same as text, where it is at hand. */
  readonly text: string | undefined;
  readonly created: boolean;
}

/**
 * The text to store now: of `stored`, with the revision that the write will have, which `object`
 * (the same in the version asked for) is told too.
 */
export function storeText(
  registry: RegistryCore,
  _resource: ApiResource,
  object: ApiObject,
  stored: ApiObject,
): string {
  const resourceVersion = String(registry.log.nextRevision);
  object.metadata.resourceVersion = resourceVersion;
  stored.metadata.resourceVersion = resourceVersion;
  return JSON.stringify(stored);
}
