import { type Coverage, fieldCoverage } from "../../cache/readers/field_coverage.ts";
import type { InformerScope } from "../../cache/readers/informer_key.ts";
import { parseFieldSelector } from "@xca/apimachinery/internal/meta";
import { formatLabelSelector, type KubeObject, matchesLabels } from "@xca/apimachinery/meta";

/**
 * Returns whether an informer's scope selects an object, by its labels, namespace and name:
 * `inside`, `outside`, or `unknown` when that depends on other fields of the field selector.
 */
export function coverageOf(scope: InformerScope, { metadata }: KubeObject): Coverage {
  const { namespace = "", name = "", labels = {} } = metadata;
  if (!matchesLabels(scope.labelSelector, labels)) return "outside";
  return fieldCoverage(scope, { namespace, name });
}

/**
 * Returns the scopes of informers as a text when all of them leave an object out, so that no
 * informer ever caches the object; `undefined` when a scope includes the object or may include it,
 * or when there are no scopes.
 */
export function scopesWithout(
  scopes: readonly InformerScope[],
  object: KubeObject,
): string | undefined {
  const isOutside = scopes.every((scope) => coverageOf(scope, object) === "outside");
  return isOutside && scopes.length > 0 ? scopes.map(scopeText).join(", and ") : undefined;
}

function scopeText({ namespace, labelSelector, fieldSelector }: InformerScope): string {
  const labels = formatLabelSelector(labelSelector);
  return [
    namespace && `namespace ${namespace}`,
    labels && `labelSelector ${JSON.stringify(labels)}`,
    fieldSelector && `fieldSelector ${JSON.stringify(fieldSelector)}`,
  ].filter((part) => part !== "").join(" with ");
}

/**
 * Returns the fields of a field selector that {@linkcode coverageOf} cannot compare: all except
 * `metadata.name` and `metadata.namespace`.
 */
export function unjudgedFields(fieldSelector: string): string[] {
  return parseFieldSelector(fieldSelector).map(({ field }) => field)
    .filter((field) => field !== "metadata.name" && field !== "metadata.namespace");
}
