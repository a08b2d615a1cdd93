import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { ITEMS, type Position } from "./position.ts";

/** The keywords whose schemas validate a whole value, including its fields and items. */
const JUNCTORS = ["allOf", "anyOf", "oneOf", "not"] as const;

/**
 * Returns the reason why adding, removing or changing a value at a position may affect the validity
 * of a containing object; `undefined` if it cannot. CEL rules, alternatives (`oneOf` and others),
 * enums, limits on the number of fields and uniqueness of items depend on values below them.
 */
export function dependentHolder(position: Position): string | undefined {
  const rule = dependentRule(position);
  if (rule !== undefined) return rule;
  for (const [index, { schema, path, step }] of position.holders.entries()) {
    const at = path === "" ? "the object" : path;
    const junctor = JUNCTORS.find((name) => schema[name] !== undefined);
    if (junctor !== undefined) return `${junctor} of ${at} depends on it`;
    if (schema.enum !== undefined) return `enum of ${at} depends on it`;
    const isParent = index === position.holders.length - 1;
    const limit = (["maxProperties", "minProperties"] as const)
      .find((name) => schema[name] !== undefined);
    if (isParent && limit !== undefined) return `${limit} of ${at} counts it`;
    if (step === ITEMS && isUnique(schema, position.holders[index + 1]?.step)) {
      return `the items of ${at} must be unique by it`;
    }
  }
  return undefined;
}

/**
 * Reports whether a field of a list's items, or an item itself, determines whether items count as
 * duplicates.
 */
function isUnique(list: V1JSONSchemaProps, field: string | undefined): boolean {
  const type = list["x-kubernetes-list-type"];
  if (type === "set") return true;
  return type === "map" && field !== undefined &&
    (list["x-kubernetes-list-map-keys"] ?? []).includes(field);
}

/**
 * Returns a phrase about the first CEL rule above a position that may read the value at the
 * position; `undefined` without such a rule. The rules of `schema`, the schema at the position, are
 * included.
 */
export function dependentRule(
  { holders, path: own }: Position,
  schema?: V1JSONSchemaProps,
): string | undefined {
  const above = schema === undefined ? holders : [...holders, { schema, path: own, step: "" }];
  for (const { schema: holder, path, step } of above) {
    for (const { rule } of holder["x-kubernetes-validations"] ?? []) {
      if (step !== "" && !mayRead(rule, step)) continue;
      return `the rule ${JSON.stringify(rule)} of ${path === "" ? "the object" : path} may read it`;
    }
  }
  return undefined;
}

/**
 * Reports whether a CEL rule may read a field of `self`. A rule certainly does not read the field
 * if every `self` and `oldSelf` in it is followed by the name of another field.
 */
function mayRead(rule: string, field: string): boolean {
  const uses = [
    ...rule.matchAll(/\b(?:self|oldSelf)\b(\s*\.\s*\??\s*([A-Za-z_]\w*)\b(?!\s*\())?/g),
  ];
  if (uses.length === 0) return false;
  const escaped = escapedName(field);
  return uses.some(([, , name]) => name === undefined || escaped === undefined || name === escaped);
}

/**
 * Returns the name of a field as CEL rules write it; `undefined` for a name that may need escapes.
 */
function escapedName(field: string): string | undefined {
  return /^[A-Za-z][A-Za-z0-9]*$/.test(field) ? field : undefined;
}
