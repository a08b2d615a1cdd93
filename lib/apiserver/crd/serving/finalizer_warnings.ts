import { qualifiedNameProblems } from "@xca/apimachinery/internal/validation";
import { goQuote } from "@xca/apimachinery/internal/values";

const STANDARD = ["orphan", "foregroundDeletion", "kubernetes"];
const AVOID = "to avoid accidental conflicts with other finalizer writers";

/**
 * Returns the warnings about finalizers that a write adds and that are not qualified names, or are
 * neither standard nor have a path (`registry/customresource/validator.go,
 * validateKubeFinalizerName`).
 */
export function finalizerWarnings(
  finalizers: readonly string[] = [],
  before: readonly string[] = [],
): string[] {
  const added = [...new Set(finalizers)].filter((each) => !before.includes(each)).sort();
  return added.flatMap((finalizer) => {
    const say = (what: string): string => `metadata.finalizers: ${goQuote(finalizer)}: ${what}`;
    const warnings = qualifiedNameProblems(finalizer).map(say);
    if (finalizer.includes("/") || STANDARD.includes(finalizer)) return warnings;
    const path = finalizer.includes(".") ? " including a path (/)" : "";
    return [...warnings, say(`prefer a domain-qualified finalizer name${path} ${AVOID}`)];
  });
}
