import type { KubeObject, ObjectMeta } from "@xca/apimachinery/meta";

/**
 * Returns a shallow copy of an object to write, with the UID and the resourceVersion, where
 * defined, of the object that was read, so that the server refuses to write another object of the
 * name, or a newer version.
 */
export function ofVersion<T extends KubeObject>(
  wanted: T,
  { uid, resourceVersion }: Pick<ObjectMeta, "uid" | "resourceVersion">,
): T {
  const version = {
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  return { ...wanted, metadata: { ...wanted.metadata, ...version } };
}
