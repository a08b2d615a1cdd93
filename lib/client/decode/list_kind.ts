import type { ResourceType } from "@xca/apimachinery/meta";

/** The apiVersion and kind of a list as its body states them; either may be missing. */
export interface ListKind {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
}

/**
 * Reports whether a list may be a list of a resource, by its apiVersion and kind. An empty list of
 * another kind does not mean that the resource has no objects.
 *
 * A list without a kind is accepted, since proxies and test servers omit it, and so are the kinds
 * `List` and `PartialObjectMetadataList`. The list kind of a resource may differ from `<kind>List`,
 * except in groups without a dot, such as `apps`, which are built-in.
 */
export function isListOf(
  type: Pick<ResourceType, "group" | "apiVersion" | "kind">,
  { apiVersion, kind }: ListKind,
): boolean {
  if (!kind || kind === "List") return true;
  if (typeof kind !== "string" || !kind.endsWith("List")) return false;
  if (kind === "PartialObjectMetadataList" && apiVersion === "meta.k8s.io/v1") return true;
  if (apiVersion && apiVersion !== type.apiVersion) return false;
  const isBuiltIn = !type.group.includes(".");
  return !isBuiltIn || !type.kind || kind === `${type.kind}List`;
}
