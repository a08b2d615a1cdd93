/**
 * Comparison of the list types, map types, CEL rules and alternatives (`oneOf` and others) of two
 * schemas.
 *
 * @module
 */
import type { V1JSONSchemaProps, V1ValidationRule } from "@xca/apimachinery/kubernetes-types";
import { canonicalJson, jsonEqual } from "@xca/apimachinery/internal/values";
import { found, type Position, refuses } from "./position.ts";
import { dependentRule } from "./sensitive_holders.ts";

/** Compares list types, list keys and map types of two schemas, and reports each difference. */
export function compareTopology(
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  position: Position,
): void {
  compareMapTypes(old, now, position);
  const [before, after] = [listType(old), listType(now)];
  if (before !== after) {
    const change = `the list type changes from ${before} to ${after}`;
    const rule = dependentRule(position, now);
    if (after !== "atomic") {
      refuses(position, "list-type-changed", `${change}: lists with duplicate items are refused`);
    } else if (rule !== undefined) {
      refuses(position, "list-type-changed", `${change}, and ${rule} in another way`);
    } else {
      const reason =
        `${change}: server-side apply replaces the whole list, and duplicates are allowed`;
      found(position, "warning", "list-type-changed", reason);
    }
  } else if (after === "map") compareListKeys(old, now, position);
}

function listType(schema: V1JSONSchemaProps): string {
  return schema["x-kubernetes-list-type"] || "atomic";
}

function compareMapTypes(
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  position: Position,
): void {
  const [before, after] = [old, now].map((each) => each["x-kubernetes-map-type"] || "granular");
  if (before === after) return;
  const reason = `the map type changes from ${before} to ${after}: server-side apply ` +
    (after === "atomic" ? "replaces the whole object" : "merges fields of several owners");
  found(position, "warning", "map-type-changed", reason);
}

function compareListKeys(
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  position: Position,
): void {
  const [before, after] = [old, now].map((each) => each["x-kubernetes-list-map-keys"] ?? []);
  const isSame = before!.length === after!.length && before!.every((key) => after!.includes(key));
  if (isSame) return;
  const reason =
    `the keys of the list change from ${before!.join(", ")} to ${after!.join(", ")}: ` +
    "other items count as duplicates, and server-side apply merges by other keys";
  refuses(position, "list-keys-changed", reason);
}

/** Compares the CEL rules of two schemas, and reports each difference. */
export function compareRules(
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  position: Position,
): void {
  const before = old["x-kubernetes-validations"] ?? [];
  const after = now["x-kubernetes-validations"] ?? [];
  for (const rule of after) {
    const same = before.find((each) => each.rule === rule.rule);
    if (same === undefined) {
      const isTransition = /\boldSelf\b/.test(rule.rule);
      const reason = `the rule ${JSON.stringify(rule.rule)} is new` +
        (isTransition ? ": it may refuse updates" : ": it may refuse objects");
      refuses(position, "rule-added", reason);
    } else compareRule(same, rule, position);
  }
  for (const { rule } of before) {
    if (after.some((each) => each.rule === rule)) continue;
    found(position, "safe", "rule-removed", `the rule ${JSON.stringify(rule)} is gone`);
  }
}

function compareRule(old: V1ValidationRule, now: V1ValidationRule, position: Position): void {
  const name = JSON.stringify(now.rule);
  if (Boolean(old.optionalOldSelf) !== Boolean(now.optionalOldSelf)) {
    if (now.optionalOldSelf) {
      refuses(position, "rule-changed", `the rule ${name} is now checked for new values too`);
    } else {
      found(position, "safe", "rule-changed", `the rule ${name} is checked on updates only`);
    }
  } else if (!jsonEqual(old, now)) {
    found(position, "safe", "rule-message-changed", `the message of the rule ${name} changes`);
  }
}

/**
 * The canonical JSON of the `anyOf` that the API server implies for `x-kubernetes-int-or-string`.
 */
const INT_OR_STRING = canonicalJson([{ type: "integer" }, { type: "string" }]);

/**
 * Returns the clauses of `anyOf` of a schema; none if they are those that
 * `x-kubernetes-int-or-string` implies.
 */
function anyOfOf(schema: V1JSONSchemaProps): V1JSONSchemaProps[] {
  const { anyOf = [] } = schema;
  const isImplied = schema["x-kubernetes-int-or-string"] && canonicalJson(anyOf) === INT_OR_STRING;
  return isImplied ? [] : anyOf;
}

/** Compares `allOf`, `anyOf`, `oneOf` and `not` of two schemas, and reports each difference. */
export function compareAlternatives(
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  position: Position,
): void {
  const compare = (
    name: string,
    before: readonly V1JSONSchemaProps[],
    after: readonly V1JSONSchemaProps[],
    isLooser: (gone: number, more: number) => boolean,
  ): void => {
    const gone = before.filter((each) => !after.some((other) => jsonEqual(each, other))).length;
    const more = after.filter((each) => !before.some((other) => jsonEqual(each, other))).length;
    if (gone + more === 0 && before.length === after.length) return;
    if (after.length === 0 || isLooser(gone, more)) {
      found(position, "safe", "alternatives-changed", `${name} allows more values than before`);
    } else {
      const reason = `${name} changes: values that it allowed may be refused now`;
      refuses(position, "alternatives-changed", reason);
    }
  };
  compare("allOf", old.allOf ?? [], now.allOf ?? [], (_, more) => more === 0);
  compare("anyOf", anyOfOf(old), anyOfOf(now), (gone) => gone === 0 && anyOfOf(old).length > 0);
  compare("oneOf", old.oneOf ?? [], now.oneOf ?? [], () => false);
  compare("not", listOf(old.not), listOf(now.not), () => false);
}

function listOf<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
