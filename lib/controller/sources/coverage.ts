import { type Coverage, fieldCoverage } from "../../cache/readers/field_coverage.ts";
import type { InformerScope } from "../../cache/readers/informer_key.ts";
import { parseFieldSelector } from "@xca/apimachinery/internal/meta";
import { type KubeObject, matchesLabels } from "@xca/apimachinery/meta";

/**
 * Judges whether an informer's scope selects an object: by its labels, and as {@linkcode
 * fieldCoverage} does.
 */
export function coverageOf(scope: InformerScope, { metadata }: KubeObject): Coverage {
  const { namespace = "", name = "", labels = {} } = metadata;
  if (!matchesLabels(scope.labelSelector, labels)) return "outside";
  return fieldCoverage(scope, { namespace, name });
}

/** Returns the fields of a field selector that {@linkcode coverageOf} cannot compare. */
export function unjudgedFields(fieldSelector: string): string[] {
  return parseFieldSelector(fieldSelector).map(({ field }) => field)
    .filter((field) => field !== "metadata.name" && field !== "metadata.namespace");
}
