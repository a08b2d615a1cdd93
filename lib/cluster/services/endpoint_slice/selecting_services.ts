// Mirrors `endpointslice/util/controller_utils.go, GetServicesToUpdate`.
import {
  keyOf,
  labelSelectorOf,
  matchesLabels,
  type ObjectKey,
  Service,
} from "@xca/apimachinery/meta";
import type { MapFunction, MappingContext } from "../../../controller/definition/mapping.ts";

/** Returns the keys of the Services in the namespace of a pod whose selectors match the pod. */
export async function toSelectingServices(
  { labels, namespace }: Parameters<MapFunction>[0],
  { cache }: MappingContext,
): Promise<ObjectKey[]> {
  const services = await cache.shared.list(Service, { namespace });
  return services.filter(({ spec }) =>
    spec?.selector && matchesLabels(labelSelectorOf({ matchLabels: spec.selector }), labels)
  ).map(keyOf);
}
