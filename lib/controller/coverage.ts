import type { InformerScope } from "../cache/readers/informer_key.ts";
import { type KubeObject, matchesLabels } from "@xca/apimachinery/meta";

/** The verdict whether a view holds an object, as far as the object itself shows. */
export type Coverage = "inside" | "outside" | "unknown";

/**
 * Judges by namespace, labels, and the fields `metadata.name` and `metadata.namespace`. What any other
 * field of a selector stands for is the server's knowledge: `status.successful` of a Job is its
 * `status.succeeded`, and a CustomResourceDefinition names its own fields.
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
  for (const { field, operator, value } of fieldTerms(scope.fieldSelector)) {
    if (!Object.hasOwn(fields, field)) coverage = "unknown";
    else if ((fields[field] === value) !== (operator === "=")) return "outside";
  }
  return coverage;
}

/** The fields of a selector that {@linkcode coverageOf} cannot judge. */
export function unjudgedFields(fieldSelector: string): string[] {
  return fieldTerms(fieldSelector).map(({ field }) => field)
    .filter((field) => field !== "metadata.name" && field !== "metadata.namespace");
}

interface FieldTerm {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** The terms of a field selector, as `fields.ParseSelector` of apimachinery splits them. */
function fieldTerms(fieldSelector: string): FieldTerm[] {
  return fieldSelector.split(/(?<!\\),/).filter((term) => term !== "").map((term) => {
    const [, field = term, operator, value = ""] = /^(.*?)(!=|==|=)(.*)$/s.exec(term) ?? [];
    return {
      field: field.trim(),
      operator: operator === "!=" ? "!=" as const : "=" as const,
      value: value.replaceAll(/\\([\\,=])/g, "$1"),
    };
  });
}
