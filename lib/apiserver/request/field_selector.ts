import { badRequest } from "@xca/apimachinery/internal/errors";
import { goQuote } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "../machinery/resource.ts";

/** One requirement on one field. */
export interface FieldTerm {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** A parsed field selector. */
export interface FieldSelector {
  /** The required `metadata.name`, if one object alone can match. */
  readonly name: string | undefined;
  /** The required `metadata.namespace`. */
  readonly namespace: string | undefined;
  readonly terms: readonly FieldTerm[];
}

/**
 * Parses the `fieldSelector` of a request; `undefined` if it selects everything
 * (`fields.ParseSelector`).
 * @throws {StatusError} 400 with kube-apiserver's message.
 */
export function parseFieldSelector(text: string): FieldSelector | undefined {
  const terms: FieldTerm[] = [];
  for (const part of splitTerms(text).sort()) {
    if (part === "") continue;
    const found = /^(.*?)(!=|==|=)(.*)$/s.exec(part);
    if (!found) throw badRequest(`invalid selector: '${text}'; can't understand '${part}'`);
    terms.push({ field: found[1]!, equal: found[2] !== "!=", value: unescapeValue(found[3]!) });
  }
  if (terms.length === 0) return undefined;
  const exact = (field: string): string | undefined =>
    terms.find((term) => term.equal && term.field === field)?.value;
  return { name: exact("metadata.name"), namespace: exact("metadata.namespace"), terms };
}

/** Checks that the resource supports the selector's fields. @throws {StatusError} 400 */
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

/** Splits a selector at commas that are not escaped. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === ",") {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...terms, text.slice(start)];
}

function unescapeValue(text: string): string {
  let value = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === "\\") {
      const next = text[++at] ?? "";
      if (!["\\", ",", "="].includes(next)) {
        throw badRequest(`invalid field selector: invalid escape sequence: \\${next}`);
      }
      value += next;
    } else if (character === "," || character === "=") {
      const code = character.charCodeAt(0);
      throw badRequest(`invalid field selector: unescaped character in value: ${code}`);
    } else value += character;
  }
  return value;
}
