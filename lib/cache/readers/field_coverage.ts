import { parseFieldSelector } from "@xca/apimachinery/internal/meta";
import type { InformerScope } from "./informer_key.ts";

/**
 * The result of comparing the namespace and name of an object with the scope of an informer: the
 * object is inside the scope, or outside, or `unknown` if namespace and name do not decide it.
 */
export type Coverage = "inside" | "outside" | "unknown";

/**
 * Returns whether an object of the given namespace (empty if cluster-scoped) and, if given, name is
 * inside the namespace and the field selector of an informer; its label selector is not compared.
 * Only `metadata.name` and `metadata.namespace` can be compared on the client: the meaning of other
 * selectable fields is known only to the server (`status.successful` of a Job is its
 * `status.succeeded`, and a CustomResourceDefinition declares fields of its own).
 */
export function fieldCoverage(
  { namespace: watched, fieldSelector }: Pick<InformerScope, "namespace" | "fieldSelector">,
  { namespace, name }: { readonly namespace: string; readonly name?: string | undefined },
): Coverage {
  if (watched !== "" && watched !== namespace) return "outside";
  if (fieldSelector === "") return "inside";
  let coverage: Coverage = "inside";
  for (const { field, equal, value } of parsed(fieldSelector)) {
    const known = field === "metadata.namespace"
      ? namespace
      : field === "metadata.name"
      ? name
      : undefined;
    if (known === undefined) coverage = "unknown";
    else if ((known === value) !== equal) return "outside";
  }
  return coverage;
}

/**
 * The number of field selectors that are kept parsed per process. A full cache is emptied before
 * the next selector is added; this should be rare, since the informers of a process normally use
 * fewer selectors.
 */
const MOST_PARSED = 100;
const parsedSelectors = new Map<string, ReturnType<typeof parseFieldSelector>>();

/**
 * Returns the requirements of a field selector, parsed unless they are kept: parsing the selector
 * at each read of a cache would cost more than the read.
 */
function parsed(fieldSelector: string): ReturnType<typeof parseFieldSelector> {
  const known = parsedSelectors.get(fieldSelector);
  if (known) return known;
  if (parsedSelectors.size >= MOST_PARSED) parsedSelectors.clear();
  const requirements = parseFieldSelector(fieldSelector);
  parsedSelectors.set(fieldSelector, requirements);
  return requirements;
}
