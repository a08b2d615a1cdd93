import { formatGroupResource } from "@xca/apimachinery/internal/values";
import type { ResourceType } from "@xca/apimachinery/meta";

/**
 * Returns the resource of a type without its version, such as `deployments.apps`: the versions of a
 * resource are views of the same objects, with the same keys and resourceVersions.
 */
export function groupResourceOf({ group, plural }: ResourceType): string {
  return formatGroupResource({ group, resource: plural });
}
