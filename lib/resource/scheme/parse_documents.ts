import { isMap } from "@xca/apimachinery/internal/values";
import { CORE_SCHEMA, loadAll, YAMLException } from "js-yaml";
import { SchemeError } from "./scheme_error.ts";

const MAX_ALIASES = 1_000;

/** A value that was parsed from a YAML text, with its position for messages. */
export interface ParsedDocument {
  readonly value: unknown;
  /**
   * The position of the value in the text, such as `document 2` or `item 3 of document 1`; counted
   * from 1, and empty documents count.
   */
  readonly position: string;
}

/**
 * Returns the values of the YAML or JSON documents in a text, in their order; empty documents are
 * left out, and a list (a kind that ends with `List`, with `items`) is replaced by its items.
 *
 * @throws {SchemeError} When the text is not YAML.
 */
export function parseDocuments(text: string): ParsedDocument[] {
  let values: unknown[];
  try {
    values = loadAll(text, { schema: CORE_SCHEMA, maxAliases: MAX_ALIASES });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { mark, reason } = error;
    const at = mark ? ` at line ${mark.line + 1}, column ${mark.column + 1}` : "";
    throw new SchemeError(`Cannot decode the text${at}: ${reason}`);
  }
  return values.flatMap((value, index): ParsedDocument[] => {
    const position = `document ${index + 1}`;
    if (value === null || value === undefined) return [];
    if (!isMap(value) || !/List$/.test(String(value.kind)) || !Array.isArray(value.items)) {
      return [{ value, position }];
    }
    return value.items.map((item, at) => ({
      value: item,
      position: `item ${at + 1} of ${position}`,
    }));
  });
}
