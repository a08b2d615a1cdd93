import type { InformerScope } from "../../cache/readers/informer_key.ts";
import { parseFieldSelector } from "@xca/apimachinery/internal/meta";
import { type KubeObject, matchesLabels } from "@xca/apimachinery/meta";

/**
 * The verdict on whether an informer's scope selects an object, from the object alone: inside, outside
 * or unknown.
 */
export type Coverage = "inside" | "outside" | "unknown";

/**
 * Judges whether an informer's scope selects an object. Only labels, `metadata.name` and
 * `metadata.namespace` can be compared on the client: the meaning of other selectable fields is
 * known only to the server (`status.successful` of a Job is its `status.succeeded`, and a
 * CustomResourceDefinition declares fields of its own).
 */
export function coverageOf(scope: InformerScope, { metadata }: KubeObject): Coverage {
  const { namespace = "", name = "", labels = {} } = metadata;
  if (scope.namespace !== "" && scope.namespace !== namespace) return "outside";
  if (!matchesLabels(scope.labelSelector, labels)) return "outside";
  const fields: Readonly<Record<string, string>> = {
    "metadata.name": name,
    "metadata.namespace": namespace,
  };
  let coverage: Coverage = "inside";
  for (const { field, equal, value } of parseFieldSelector(scope.fieldSelector)) {
    if (!Object.hasOwn(fields, field)) coverage = "unknown";
    else if ((fields[field] === value) !== equal) return "outside";
  }
  return coverage;
}

/** Returns the fields of a field selector that {@linkcode coverageOf} cannot compare. */
export function unjudgedFields(fieldSelector: string): string[] {
  return parseFieldSelector(fieldSelector).map(({ field }) => field)
    .filter((field) => field !== "metadata.name" && field !== "metadata.namespace");
}
