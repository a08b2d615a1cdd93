// Mirrors `endpoints/handlers/rest.go, RequestScope`.
import type { ApiResource } from "../machinery/resource.ts";
import { structType } from "../types/builtin_type.ts";
import { packageOfVersion } from "../types/type_facts.ts";

const made = new WeakMap<ApiResource, Map<string, ApiResource>>();

/**
 * Returns the resource that a patch of a subresource changes: a resource of the subresource's kind
 * if that is another one, such as for `scale`, without defaults and conversion, and otherwise the
 * given resource.
 */
export function patchedResource(resource: ApiResource, subresource: string): ApiResource {
  const row = resource.subresources.find(({ name }) => name === subresource);
  if (row === undefined) return resource;
  const { kind, group = resource.group, version = resource.version } = row;
  const own = kind === resource.kind && group === resource.group && version === resource.version;
  if (own) return resource;
  let bySubresource = made.get(resource);
  if (bySubresource === undefined) made.set(resource, bySubresource = new Map());
  let patched = bySubresource.get(subresource);
  if (patched === undefined) {
    const { customResourceDefinition: _1, convert: _2, coerce: _3, ...rest } = resource;
    patched = {
      ...rest,
      group,
      version,
      kind,
      strategy: {},
      schema: () => structType(`${packageOfVersion(group, version)}.${kind}`),
    };
    bySubresource.set(subresource, patched);
  }
  return patched;
}
