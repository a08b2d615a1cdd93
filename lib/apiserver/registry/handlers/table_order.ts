// Mirrors `printers/internalversion/printers.go, printFlowSchemaList`.
import type { ApiResource } from "../../machinery/resource.ts";
import type { StoredObject } from "../../storage/arena.ts";

/**
 * Returns objects in the order of their table rows: the order of the list, except for FlowSchemas,
 * which are sorted by matching precedence, the lowest number first, then by name.
 *
 * @see k8s.io/kubernetes/pkg/printers/internalversion, printFlowSchemaList
 */
export function tableOrder(
  { group, plural }: ApiResource,
  items: readonly StoredObject[],
): readonly StoredObject[] {
  if (group !== "flowcontrol.apiserver.k8s.io" || plural !== "flowschemas") return items;
  const ranked = items.map((item) => ({ item, precedence: precedenceOf(item) }));
  ranked.sort((a, b) => a.precedence - b.precedence || (a.item.key < b.item.key ? -1 : 1));
  return ranked.map(({ item }) => item);
}

function precedenceOf(item: StoredObject): number {
  const { spec } = item.tree() as unknown as { readonly spec: { matchingPrecedence?: number } };
  return spec.matchingPrecedence ?? 0;
}
