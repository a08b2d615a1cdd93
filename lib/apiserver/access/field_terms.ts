// Mirrors `authorization/authorizer/interfaces.go, AttributesRecord.GetFieldSelector`.
import { type FieldTerm, parseFieldSelector } from "@xca/apimachinery/internal/meta";

/**
 * Returns the terms of a field selector that authorization considers: none if the selector is
 * invalid.
 */
export function fieldTermsOf(selector: string): readonly FieldTerm[] {
  try {
    return parseFieldSelector(selector);
  } catch {
    return [];
  }
}
