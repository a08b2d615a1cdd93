import { goJson } from "@xca/apimachinery/internal/values";
import { internalForm } from "./common/internal_form.ts";
import { unifiedDiff } from "./common/unified_diff.ts";

/**
 * Returns the unified difference of two values of the struct type `type`, as JSON with the field
 * names of kube-apiserver's internal types, as its error messages print it
 * (`core/validation/validation.go`, `ValidatePodUpdate`).
 */
export function internalDiff(type: string, before: unknown, after: unknown): string {
  const text = (value: unknown): string => goJson(internalForm(type, value), 1);
  return unifiedDiff(text(before), text(after));
}
