import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import type { Report } from "../change.ts";
import { compareAlternatives, compareRules, compareTopology } from "./extensions.ts";
import { compareFields } from "./fields.ts";
import { compareValues } from "./values.ts";
import { below, found, ITEMS, type Position, refuses } from "./position.ts";
import { dependentHolder, dependentRule } from "./sensitive_holders.ts";

/**
 * Compares two schemas of objects and reports each difference: those of one version in two
 * definitions, or of two versions in one definition.
 *
 * The schemas are structural, as an API server accepts them. A difference that cannot be judged is
 * reported as breaking.
 */
export function compareSchemas(
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  report: Report,
): void {
  compare(old, now, { path: "", holders: [], report });
}

function compare(old: V1JSONSchemaProps, now: V1JSONSchemaProps, position: Position): void {
  if (jsonEqual(old, now)) return;
  compareDescriptions(old, now, position);
  compareNullable(old, now, position);
  if (!compareTypes(old, now, position)) return;
  compareValues(old, now, position);
  compareTopology(old, now, position);
  compareRules(old, now, position);
  compareAlternatives(old, now, position);
  compareEmbedded(old, now, position);
  compareFields(old, now, position, compare);
  const [items, itemsNow] = [old, now].map((each) => each.items as V1JSONSchemaProps | undefined);
  if (items !== undefined || itemsNow !== undefined) {
    compare(items ?? {}, itemsNow ?? {}, below(position, now, ITEMS));
  }
}

function compareDescriptions(
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  position: Position,
): void {
  const fields = ["description", "title", "example", "externalDocs"] as const;
  const changed = fields.filter((name) => !jsonEqual(old[name], now[name]));
  if (changed.length === 0) return;
  found(position, "safe", "description-changed", `${changed.join(" and ")} changes`);
}

function compareNullable(
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  position: Position,
): void {
  if (Boolean(old.nullable) === Boolean(now.nullable)) return;
  if (old.nullable) {
    const reason = "null is no longer allowed: the API server drops it, or refuses the object";
    return refuses(position, "nullable-removed", reason);
  }
  const dependent = dependentHolder(position) ?? dependentRule(position, now);
  const isRefused = now.enum !== undefined && !(now.enum as unknown[]).includes(null);
  if (dependent !== undefined) {
    refuses(position, "nullable-added", `null is kept now, and ${dependent}`);
  } else if (isRefused) {
    const reason =
      "null is kept now, and the enum does not list it: objects with null, which was " +
      "dropped, are refused";
    refuses(position, "nullable-added", reason);
  } else {
    found(position, "warning", "nullable-added", "null is allowed now: clients may meet it");
  }
}

/** Returns the type of a schema's values: a JSON type, `int-or-string`, or `any`. */
function typeOf(schema: V1JSONSchemaProps): string {
  return schema["x-kubernetes-int-or-string"] ? "int-or-string" : schema.type || "any";
}

const WIDER: Readonly<Record<string, readonly string[]>> = {
  integer: ["number", "int-or-string", "any"],
  string: ["int-or-string", "any"],
};

/**
 * Compares the types of two schemas and reports a difference; returns whether the other keywords of
 * the schemas can be compared, which is so unless values of the old type are refused.
 */
function compareTypes(
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  position: Position,
): boolean {
  const [before, after] = [typeOf(old), typeOf(now)];
  if (before === after) return true;
  const change = `the type changes from ${before} to ${after}`;
  if (!(WIDER[before] ?? ["any"]).includes(after)) {
    refuses(position, "type-changed", change);
    return false;
  }
  const rule = dependentRule(position, now);
  if (rule !== undefined) {
    refuses(position, "type-widened", `${change}, and ${rule} in another way`);
  } else {
    const reason = `${change}: clients may meet values of other types`;
    found(position, "warning", "type-widened", reason);
  }
  return true;
}

function compareEmbedded(
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  position: Position,
): void {
  const [before, after] = [old, now].map((each) => each["x-kubernetes-embedded-resource"] === true);
  if (before === after) return;
  if (after) {
    const reason = "the value must be a resource with apiVersion, kind and metadata now";
    return refuses(position, "embedded-resource-added", reason);
  }
  const reason = "the value no longer has to be a resource";
  found(position, "safe", "embedded-resource-removed", reason);
}
