/** The graph of Kubernetes' types. */
import type { StructFact } from "../../lib/apiserver/types/fact_shapes.ts";

/** The facts of types by their names in OpenAPI, as `io.k8s.api.apps.v1.Deployment`. */
export type Structs = ReadonlyMap<string, StructFact>;

/** Adds a type and all that it is made of to `found`. */
export function reachable(
  structs: Structs,
  root: string,
  found: Set<string> = new Set(),
): Set<string> {
  const struct = structs.get(root);
  if (struct === undefined) throw new Error(`there are no facts of ${root}`);
  if (found.has(root)) return found;
  found.add(root);
  for (const [, type] of struct.fields ?? []) {
    const id = referenceOf(root, type);
    if (id !== undefined) reachable(structs, id, found);
  }
  return found;
}

/** The struct that a field's type names, in full; `owner` is the struct that has the field. */
export function referenceOf(owner: string, type: string): string | undefined {
  const [, id] = /#([\w.-]+)/.exec(type) ?? [];
  return id?.startsWith(".") ? owner.slice(0, owner.lastIndexOf(".")) + id : id;
}
