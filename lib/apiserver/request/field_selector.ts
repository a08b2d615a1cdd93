// Mirrors `fields/selector.go, ParseSelector`.
import { badRequest } from "@xca/apimachinery/internal/errors";
import {
  type FieldTerm,
  parseFieldSelector as parseTermsOf,
} from "@xca/apimachinery/internal/meta";
import { goQuote } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../machinery/resource.ts";

export type { FieldTerm } from "@xca/apimachinery/internal/meta";

/** A field selector of a list, watch or deletion, parsed by {@linkcode parseFieldSelector}. */
export interface FieldSelector {
  /**
   * The value that the field selector requires of `metadata.name`; `undefined` if it requires none.
   */
  readonly name: string | undefined;
  /**
   * The value that the field selector requires of `metadata.namespace`; `undefined` if it requires
   * none.
   */
  readonly namespace: string | undefined;
  readonly terms: readonly FieldTerm[];
}

/**
 * Parses the `fieldSelector` of a request; `undefined` if it selects everything
 * (`fields.ParseSelector`).
 * @throws {StatusError} 400 with kube-apiserver's message.
 */
export function parseFieldSelector(text: string): FieldSelector | undefined {
  const terms = parseTerms(text);
  if (terms.length === 0) return undefined;
  const exact = (field: string): string | undefined =>
    terms.find((term) => term.equal && term.field === field)?.value;
  return { name: exact("metadata.name"), namespace: exact("metadata.namespace"), terms };
}

function parseTerms(text: string): readonly FieldTerm[] {
  try {
    return parseTermsOf(text);
  } catch (error) {
    throw badRequest((error as TypeError).message);
  }
}

/**
 * Throws an error unless a resource supports all fields of a field selector.
 *
 * @throws {StatusError} 400
 */
export function checkFields(selector: FieldSelector, resource: ApiResource): void {
  const { selectableFieldNames } = resource.strategy;
  for (const { field } of selector.terms) {
    if (field === "metadata.name" || field === "metadata.namespace") continue;
    if (selectableFieldNames?.includes(field)) continue;
    throw badRequest(
      selectableFieldNames || resource.customResourceDefinition
        ? `field label not supported: ${field}`
        : `${goQuote(field)} is not a known field selector: ` +
          'only "metadata.name", "metadata.namespace"',
    );
  }
}
