// Mirrors `registry/customresource/validator.go, customResourceValidator`.
import type { CelSchema } from "../../cel/cel_schema.ts";
import type { CustomRules } from "../../cel/custom_rules.ts";
import { type FieldError, invalid } from "../../errors/field_error.ts";
import { FieldPath } from "../../errors/field_path.ts";
import { invalidObject, type StatusError } from "../../errors/status_error.ts";
import type { ApiObject, Json } from "../../values/api_object.ts";
import type { DefinitionSubresources } from "../definition/definition.ts";
import type { SchemaCode } from "../schema_code.ts";
import { checkEmbedded } from "../structural/embedded.ts";
import { type JsonSchema, propertyOf, someSchema } from "../structural/json_schema.ts";
import { checkListTypesInSteps } from "../structural/list_types.ts";
import { checkValueInSteps } from "../validation/check_value.ts";
import { checkerOf } from "../validation/checker.ts";
import { Correlation } from "../validation/correlation.ts";
import { toFieldErrorsInSteps } from "../validation/violation.ts";
import { scaleSpecErrors, scaleStatusErrors } from "./scale_rules.ts";

/** The properties of a version of a custom kind that the validation of its objects needs. */
export interface CheckedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /**
   * The schema that the CustomResourceDefinition has for the version, with pruned defaults;
   * `undefined` if it has none.
   */
  readonly schema: JsonSchema | undefined;
  readonly subresources: DefinitionSubresources;
  /**
   * A generator function that compiles the CEL rules of the schema at the first call and returns
   * them, or `undefined` when the schema has none; yields so that other work may run.
   */
  readonly rules: (code: SchemaCode) => Generator<void, CustomRules | undefined>;
}

const UNCHECKED =
  "some validation rules were not checked because the object was invalid; correct " +
  "the existing errors to complete validation";

/** The types of field errors after which CEL rules are not evaluated. */
const BLOCKING: ReadonlySet<string> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/**
 * Returns the field errors of an update of a custom object's status, and yields so that other work
 * may run. The status alone is checked against the schema, the whole object for repeated list items
 * and by the CEL rules. `warn` receives the errors of CEL rules that unchanged values violate.
 *
 * @throws {StatusError} 422 if the object has another kind or `apiVersion`.
 */
export function* checkCustomStatus(
  code: SchemaCode,
  kind: CheckedKind,
  object: ApiObject,
  old: ApiObject,
  warn: (text: string) => void,
): Generator<void, readonly FieldError[]> {
  const ofOther = typeErrors(kind, object);
  if (ofOther.length > 0) throw otherKind(object, ofOther);
  const { schema, subresources: { scale } } = kind;
  const statusSchema = propertyOf(schema, "status");
  let errors: FieldError[] = [];
  if (object.status !== undefined && statusSchema) {
    const correlation = new Correlation(object.status, old.status, statusSchema);
    const checker = checkerOf(statusSchema);
    const { violations } = yield* checkValueInSteps(code, checker, object.status, "", correlation);
    errors = yield* toFieldErrorsInSteps(FieldPath.of("status"), violations);
  }
  yield;
  errors = errors.concat(
    scaleStatusErrors(object, scale),
    yield* ratchetedListTypes(kind, object, old),
  );
  return errors.concat(yield* ruleErrors(code, kind, object, old, errors, warn));
}

/**
 * Returns the field errors of the `apiVersion` and `kind` of a custom object that differ from those
 * of its resource.
 */
export function typeErrors({ group, version, kind }: CheckedKind, object: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  if (object.kind !== kind) {
    errors.push(invalid(FieldPath.of("kind"), object.kind ?? "", `must be ${kind}`));
  }
  if (object.apiVersion !== `${group}/${version}`) {
    const path = FieldPath.of("apiVersion");
    errors.push(invalid(path, object.apiVersion ?? "", `must be ${group}/${version}`));
  }
  return errors;
}

/**
 * Returns the 422 error about a custom object whose kind or `apiVersion` differs from that of its
 * resource; the error names the object by its own kind.
 */
function otherKind(object: ApiObject, errors: FieldError[]): StatusError {
  const { apiVersion = "", kind, metadata } = object;
  const group = apiVersion.includes("/") ? apiVersion.split("/")[0]! : "";
  return invalidObject({ group, kind: kind ?? "" }, metadata.name ?? "", errors);
}

/**
 * Returns the field errors of a custom object, and yields so that other work may run. `found` are
 * the errors found before, which the result leaves out, but some of which keep the CEL rules from
 * being evaluated; `old` is the stored object, `undefined` on create; `warn` receives the errors of
 * CEL rules that unchanged values violate.
 *
 * @throws {StatusError} 422 if the object has another kind or `apiVersion`.
 */
export function* checkCustomObject(
  code: SchemaCode,
  kind: CheckedKind,
  object: ApiObject,
  old: ApiObject | undefined,
  found: readonly FieldError[],
  warn?: (text: string) => void,
): Generator<void, FieldError[]> {
  const { schema } = kind;
  const ofOther = typeErrors(kind, object);
  const isOther = ofOther.length > 0;
  const ofSchema = isOther ? ofOther : yield* schemaErrors(code, kind, object, old);
  yield;
  const ofEmbedded = checkEmbedded(FieldPath.root, object, schema);
  yield;
  const ofParts = ofSchema.concat(ofEmbedded, yield* ratchetedListTypes(kind, object, old));
  const known = isOther ? ofParts : found.concat(ofParts);
  const errors = ofParts.concat(yield* ruleErrors(code, kind, object, old, known, warn));
  if (isOther) throw otherKind(object, errors);
  return errors;
}

function* schemaErrors(
  code: SchemaCode,
  { schema, subresources: { scale } }: CheckedKind,
  object: ApiObject,
  old: ApiObject | undefined,
): Generator<void, FieldError[]> {
  let errors: FieldError[] = [];
  if (schema) {
    const correlation = old && new Correlation(object, old, schema);
    const checker = checkerOf(schema);
    const { violations } = yield* checkValueInSteps(code, checker, object, "", correlation);
    errors = yield* toFieldErrorsInSteps(FieldPath.root, violations);
  }
  return errors.concat(scaleSpecErrors(object, scale), scaleStatusErrors(object, scale));
}

/**
 * Returns the field errors of repeated items in the sets and maps (list types) of a custom object.
 * An update of an object that had duplicates before is not checked.
 */
function* ratchetedListTypes(
  { schema }: CheckedKind,
  object: ApiObject,
  old: ApiObject | undefined,
): Generator<void, FieldError[]> {
  const errors = yield* checkListTypesInSteps(FieldPath.root, schema, object);
  if (errors.length === 0 || old === undefined) return errors;
  const before = yield* checkListTypesInSteps(FieldPath.root, schema, old);
  return before.length === 0 ? errors : [];
}

function* ruleErrors(
  code: SchemaCode,
  kind: CheckedKind,
  object: ApiObject,
  old: ApiObject | undefined,
  errors: readonly FieldError[],
  warn: (text: string) => void = () => {},
): Generator<void, FieldError[]> {
  const rules = yield* kind.rules(code);
  if (!rules) return [];
  if (errors.some(({ type }) => BLOCKING.has(type))) {
    return [invalid(FieldPath.root, null, UNCHECKED)];
  }
  const isUpdate = old !== undefined;
  const options = { isUpdate, warn };
  return yield* rules.check(object as Json, old as Json | undefined, FieldPath.root, options);
}

/**
 * Returns a generator function that compiles the CEL rules of a schema at its first call, and
 * returns the same rules at later calls. For a schema without rules it returns `undefined`.
 */
export function customRulesOf(schema: JsonSchema | undefined): CheckedKind["rules"] {
  let compiled: { readonly rules: CustomRules | undefined } | undefined;
  return function* (code) {
    if (compiled) return compiled.rules;
    const hasRules = someSchema(
      schema,
      (each) => (each["x-kubernetes-validations"] ?? []).length > 0,
    );
    const rules = hasRules ? yield* code.compileCustomRules(schema as CelSchema) : undefined;
    compiled = { rules };
    return rules;
  };
}
