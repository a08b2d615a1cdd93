import { type Document, isObject, type Keywords } from "./document.ts";

/**
 * The form that the value of a JSON Schema keyword must have: a test, and a description for
 * messages.
 */
type Form = readonly [isMet: (value: unknown) => boolean, description: string];

const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];
const isType = (value: unknown): boolean => TYPES.includes(value as string);
const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === "string");
const isFilledList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

const NUMBER: Form = [(value) => typeof value === "number", "a number"];
const LIMIT: Form = [
  (value) => typeof value === "number" || typeof value === "boolean",
  "a number, or a boolean beside the bound",
];
const TEXT: Form = [(value) => typeof value === "string", "a text"];
const FLAG: Form = [(value) => typeof value === "boolean", "true or false"];
const CLAUSES: Form = [isFilledList, "a list of schemas with at least one"];

/** The forms that the values of JSON Schema keywords must have, by keyword. */
const FORMS: Readonly<Record<string, Form>> = {
  type: [
    (value) => isType(value) || isFilledList(value) && (value as unknown[]).every(isType),
    `of ${TYPES.join(", ")}, or a list of these`,
  ],
  enum: [isFilledList, "a list with at least one value"],
  required: [isTextList, "a list of names of fields"],
  properties: [isObject, "an object of schemas"],
  description: TEXT,
  format: TEXT,
  pattern: TEXT,
  nullable: FLAG,
  uniqueItems: FLAG,
  deprecated: FLAG,
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: LIMIT,
  exclusiveMaximum: LIMIT,
  multipleOf: NUMBER,
  minLength: NUMBER,
  maxLength: NUMBER,
  minItems: NUMBER,
  maxItems: NUMBER,
  minProperties: NUMBER,
  maxProperties: NUMBER,
  allOf: CLAUSES,
  anyOf: CLAUSES,
  oneOf: CLAUSES,
};

/**
 * Returns a schema without the keywords whose values have a wrong form; records a problem for each.
 */
export function wellFormed(document: Document, schema: Keywords, path: string): Keywords {
  const wrong = Object.keys(FORMS).filter((keyword) => {
    const value = schema[keyword];
    if (value === undefined || FORMS[keyword]![0](value)) return false;
    document.refuse(path, `${keyword} must be ${FORMS[keyword]![1]}, is ${shown(value)}`);
    return true;
  });
  if (wrong.length === 0) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !wrong.includes(name)));
}

/** Returns a short description of the value of a JSON Schema keyword for an error message. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "empty" : "a list of other values";
  return typeof value === "object" && value !== null
    ? "an object"
    : JSON.stringify(value) ?? typeof value;
}
