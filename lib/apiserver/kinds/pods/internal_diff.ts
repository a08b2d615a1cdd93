import { goJson } from "@xca/apimachinery/internal/values";
import { internalForm } from "./internal_form.ts";
import { unifiedDiff } from "./unified_diff.ts";

/** What differs between two values of a struct, as the real server shows it: by their inner names. */
export function internalDiff(type: string, before: unknown, after: unknown): string {
  const text = (value: unknown): string => goJson(internalForm(type, value), 1);
  return unifiedDiff(text(before), text(after));
}
