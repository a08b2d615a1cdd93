/**
 * Comparison of the fields of two object schemas: added, removed, required, with defaults.
 *
 * @module
 */
import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import { FieldSchemas } from "./field_schemas.ts";
import { below, found, joined, type Position, refuses, VALUES } from "./position.ts";
import { dependentHolder } from "./sensitive_holders.ts";

/**
 * A function that compares the old and the new schema of a field or of the values of a map, and
 * reports each difference.
 */
type Compare = (old: V1JSONSchemaProps, now: V1JSONSchemaProps, position: Position) => void;

/**
 * Compares the fields of two object schemas, and reports each difference; `compare` compares the
 * schemas of a field that both have.
 */
export function compareFields(
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  position: Position,
  compare: Compare,
): void {
  const isEmbedded = (schema: V1JSONSchemaProps): boolean =>
    schema["x-kubernetes-embedded-resource"] === true;
  // A value that becomes an embedded resource is reported by compareEmbedded; here, its apiVersion,
  // kind and metadata are compared like those of a resource.
  const isResource = position.path === "" || isEmbedded(now);
  const before = new FieldSchemas(old, isResource || isEmbedded(old));
  const after = new FieldSchemas(now, isResource);
  for (const name of [...new Set([...before.names, ...after.names])].sort()) {
    compareField(name, before, after, below(position, now, name), compare);
  }
  compareRest(old, now, before, after, position, compare);
  compareRequired(old, now, after, position);
}

function compareField(
  name: string,
  before: FieldSchemas,
  after: FieldSchemas,
  position: Position,
  compare: Compare,
): void {
  const [old, now] = [before.of(name), after.of(name)];
  if (old === undefined && now === undefined) return;
  if (old === undefined) return compareAdded(now!, position);
  if (now === undefined) {
    const reason = "the field is removed: the API server drops it from stored and new objects";
    return found(position, "breaking", "field-removed", reason);
  }
  if (before.declares(name) && !after.declares(name)) {
    found(position, "warning", "field-undeclared", "the schema no longer describes the field");
  } else if (!before.declares(name) && after.declares(name)) {
    found(position, "safe", "field-declared", "the schema describes the field now");
  }
  compareDefaults(old, now, position);
  compare(old, now, position);
}

/**
 * Compares two object schemas in the fields that they do not name (the values of maps, and unknown
 * fields), and reports each difference.
 */
function compareRest(
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  before: FieldSchemas,
  after: FieldSchemas,
  position: Position,
  compare: Compare,
): void {
  const [kept, keeps] = [before.rest, after.rest];
  const isMap = [old, now].some(({ additionalProperties }) => additionalProperties !== undefined);
  if (kept !== undefined && keeps === undefined) {
    const reason = "unknown fields are no longer kept: the API server drops them from stored and " +
      "new objects";
    const at = isMap ? below(position, now, VALUES) : position;
    found(at, "breaking", "unknown-fields-dropped", reason);
  } else if (kept === undefined && keeps !== undefined) {
    found(position, "safe", "unknown-fields-kept", "fields that were dropped are kept now");
  } else if (kept !== undefined && keeps !== undefined && isMap) {
    compare(kept, keeps, below(position, now, VALUES));
  }
}

function compareAdded(now: V1JSONSchemaProps, position: Position): void {
  const dependent = now.default === undefined
    ? undefined
    : dependentHolder(position) ?? uncheckedDefault(now, position);
  if (dependent !== undefined) {
    const reason = `the field is new, with a default that existing objects get, and ${dependent}`;
    return refuses(position, "field-added", reason);
  }
  const reason = now.default === undefined
    ? "the field is new"
    : `the field is new, with the default ${JSON.stringify(now.default)}`;
  found(position, "safe", "field-added", reason);
}

function compareDefaults(
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  position: Position,
): void {
  const [before, after] = [old.default ?? undefined, now.default ?? undefined];
  if (jsonEqual(before, after)) return;
  const [rule, change] = before === undefined
    ? ["default-added", `the default is ${JSON.stringify(after)}, and was not set before`]
    : after === undefined
    ? ["default-removed", `the default ${JSON.stringify(before)} is gone`]
    : [
      "default-changed",
      `the default changes from ${JSON.stringify(before)} to ${JSON.stringify(after)}`,
    ];
  const { schema, step } = position.holders.at(-1)!;
  if (after === undefined && schema.required?.includes(step)) {
    const reason = `${change}, and the field is required: objects without it are refused`;
    return refuses(position, rule, reason);
  }
  const dependent = dependentHolder(position) ?? uncheckedDefault(now, position);
  if (dependent !== undefined) return refuses(position, rule, `${change}, and ${dependent}`);
  found(position, "warning", rule, `${change}: objects without the field mean something else`);
}

/** The schema keywords that do not restrict valid values beyond their type. */
const HARMLESS: readonly string[] = ["type", "default", "description", "title", "nullable"];

/**
 * Returns the reason why a default may be invalid; `undefined` for a default that is certainly
 * valid, and for no default. The API server checks the defaults of a definition, but not those
 * within the values of maps.
 *
 * Mirrors `schema/defaulting/validation.go, ValidateDefaults`.
 */
function uncheckedDefault(schema: V1JSONSchemaProps, { holders }: Position): string | undefined {
  if (schema.default === undefined || !holders.some(({ step }) => step === VALUES)) {
    return undefined;
  }
  const type = Number.isInteger(schema.default) ? "integer" : typeof schema.default;
  const isPlain = type === schema.type && type !== "object" &&
    Object.keys(schema).every((keyword) => HARMLESS.includes(keyword));
  return isPlain ? undefined : "the API server does not check defaults within the values of maps";
}

function compareRequired(
  old: V1JSONSchemaProps,
  now: V1JSONSchemaProps,
  after: FieldSchemas,
  position: Position,
): void {
  const [before, required] = [old.required ?? [], now.required ?? []];
  for (const name of required.filter((each) => !before.includes(each))) {
    const path = joined(position.path, name);
    const isFilled = after.declares(name) && (after.of(name)?.default ?? undefined) !== undefined;
    const report = (change: Parameters<Position["report"]>[0]): void =>
      position.report({ ...change, path });
    if (isFilled) {
      const reason = "the field is required now, and its default fills it in";
      found({ ...position, report }, "safe", "required-added", reason);
    } else {
      const reason = "the field is required now: objects without it are refused";
      refuses({ ...position, report }, "required-added", reason);
    }
  }
  for (const name of before.filter((each) => !required.includes(each))) {
    const reason = "the field is no longer required";
    position.report({
      level: "safe",
      rule: "required-removed",
      path: joined(position.path, name),
      reason,
    });
  }
}
