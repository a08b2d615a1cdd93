// Mirrors `registry/customresource/strategy.go, customResourceStrategy`.
import type { CustomRules } from "@xca/apimachinery/internal/cel";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  invalidObject,
  type StatusError,
} from "@xca/apimachinery/internal/errors";
import {
  applyDefaults,
  checkEmbedded,
  checkerOf,
  checkListTypes,
  checkValue,
  coerceInSteps,
  Correlation,
  type DefinitionSubresources,
  dropNulls,
  type JsonSchema,
  propertyOf,
  SCHEMA_CODE,
  type SchemaCode,
  toFieldErrors,
} from "@xca/apimachinery/internal/schema";
import { type ApiObject, goValue, type Json, jsonEqual } from "@xca/apimachinery/internal/values";
import type { Findings, KindStrategy } from "../../machinery/strategy.ts";
import { finalizerWarnings } from "./finalizer_warnings.ts";
import { nestedField } from "./nested_field.ts";
import { scaleSpecErrors, scaleStatusErrors } from "./scale_rules.ts";

/** A version of a custom kind, from which {@linkcode customStrategy} makes its strategy. */
export interface CustomKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** The schema that the CustomResourceDefinition has for the version, with pruned defaults. */
  readonly schema: JsonSchema | undefined;
  readonly subresources: DefinitionSubresources;
  /** The fields that field selectors of the custom resource can name: paths as `.spec.color`. */
  readonly selectableFields: readonly string[];
  /** Compiles the CEL rules of the custom resource's schema at the first call, in steps. */
  readonly rules: (code: SchemaCode) => Generator<void, CustomRules | undefined>;
  /** Whether the CustomResourceDefinition is being deleted, so that no objects can be created. */
  readonly isTerminating: boolean;
}

const UNCHECKED =
  "some validation rules were not checked because the object was invalid; correct " +
  "the existing errors to complete validation";

/** The types of validation errors after which CEL rules are not evaluated. */
const BLOCKING: ReadonlySet<string> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** Returns the strategy (defaults, validation, preparation) of one version of a custom kind. */
export function customStrategy(kind: CustomKind): KindStrategy {
  const hasStatus = kind.subresources.status !== undefined;
  const names = kind.selectableFields.map((path) => path.replace(/^\./, ""));
  return {
    allowUnconditionalUpdate: false,
    ...(hasStatus && {
      resetFields: [["status"]],
      statusResetFields: [["metadata"], ["spec"]],
    }),
    defaults(object): void {
      if (typeErrors(kind, object).length === 0) applyDefaults(object, kind.schema);
    },

    readBack: (object) => readBack(object, kind.schema),

    prepareForCreate(object): void {
      if (kind.isTerminating) {
        const why = "create not allowed while custom resource definition is terminating";
        const { group, plural } = kind;
        throw forbidden({ group, resource: plural }, object.metadata.name ?? "", why);
      }
      if (hasStatus) delete object.status;
      object.metadata.generation = 1;
    },

    validateCreate(object, _context, _state, found): Findings {
      return SCHEMA_CODE.use((code) => checkAll(code, kind, object, undefined, found));
    },

    prepareForUpdate(object, old): void {
      if (hasStatus) {
        if (old.status !== undefined) object.status = structuredClone(old.status);
        else delete object.status;
      }
      if (!jsonEqual(withoutMetadata(object), withoutMetadata(old))) {
        object.metadata.generation = (old.metadata.generation ?? 0) + 1;
      }
    },

    validateUpdate(object, old, context, _state, found): Findings {
      const warn = (text: string): void => context.warn(text);
      return SCHEMA_CODE.use((code) => checkAll(code, kind, object, old, found, warn));
    },

    warnings: (object, old) =>
      finalizerWarnings(object.metadata.finalizers, old?.metadata.finalizers),

    ...(hasStatus && { status: statusSteps(kind) }),

    selectableFieldNames: names,
    selectableFields: (object) =>
      Object.fromEntries(names.map((name) => [name, selectableValue(object, name)])),
  };
}

/**
 * Prunes and defaults a server-side applied object as storage reads it back; returns whether it
 * changed.
 */
function* readBack(
  object: ApiObject,
  schema: JsonSchema | undefined,
): Generator<void, boolean> {
  const hadNulls = dropNulls(object, schema);
  yield;
  const dropped = yield* coerceInSteps(object, schema, { dropsMalformed: true });
  yield;
  const filled = applyDefaults(object, schema);
  return hadNulls || dropped.length > 0 || filled;
}

function selectableValue(object: ApiObject, path: string): string {
  try {
    const value = nestedField(object, path);
    return value === undefined || value === null ? "" : goValue(value);
  } catch {
    return "";
  }
}

function withoutMetadata({ metadata: _, ...rest }: ApiObject): Record<string, unknown> {
  return rest;
}

function statusSteps(kind: CustomKind): NonNullable<KindStrategy["status"]> {
  return {
    prepareForUpdate(object, old): void {
      const { status, metadata: { managedFields } } = object;
      for (const field of Object.keys(object)) delete object[field];
      Object.assign(object, structuredClone(old));
      if (managedFields) object.metadata.managedFields = managedFields;
      else delete object.metadata.managedFields;
      if (status === undefined) delete object.status;
      else object.status = status;
    },

    validateUpdate(object, old, context): Findings {
      const warn = (text: string): void => context.warn(text);
      return SCHEMA_CODE.use((code) => statusErrors(code, kind, object, old, warn));
    },
  };
}

function* statusErrors(
  code: SchemaCode,
  kind: CustomKind,
  object: ApiObject,
  old: ApiObject,
  warn: (text: string) => void,
): Generator<void, readonly FieldError[]> {
  const ofOther = typeErrors(kind, object);
  if (ofOther.length > 0) throw otherKind(object, ofOther);
  const { schema, subresources: { scale } } = kind;
  const statusSchema = propertyOf(schema, "status");
  const errors: FieldError[] = [];
  if (object.status !== undefined && statusSchema) {
    const correlation = new Correlation(object.status, old.status, statusSchema);
    const result = checkValue(code, checkerOf(statusSchema), object.status, "", correlation);
    errors.push(...toFieldErrors(FieldPath.of("status"), result.violations));
  }
  yield;
  errors.push(...scaleStatusErrors(object, scale));
  errors.push(...ratchetedListTypes(kind, object, old));
  yield;
  return [...errors, ...yield* ruleErrors(code, kind, object, old, errors, warn)];
}

/** Validates `apiVersion` and `kind` of a custom object. */
function typeErrors({ group, version, kind }: CustomKind, object: ApiObject): FieldError[] {
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
 * Returns the 422 error about a custom object of another kind than its resource has, which it names
 * by that kind.
 */
function otherKind(object: ApiObject, errors: FieldError[]): StatusError {
  const { apiVersion = "", kind, metadata } = object;
  const group = apiVersion.includes("/") ? apiVersion.split("/")[0]! : "";
  return invalidObject({ group, kind: kind ?? "" }, metadata.name ?? "", errors);
}

/**
 * Validates a custom object, in steps. `found` are the errors found before; `warn` receives the
 * errors of CEL rules for unchanged parts.
 *
 * @throws {StatusError} 422 if the object is of another kind.
 */
function* checkAll(
  code: SchemaCode,
  kind: CustomKind,
  object: ApiObject,
  old: ApiObject | undefined,
  found: readonly FieldError[],
  warn?: (text: string) => void,
): Generator<void, FieldError[]> {
  const { schema } = kind;
  const ofOther = typeErrors(kind, object);
  const isOther = ofOther.length > 0;
  const errors = isOther ? ofOther : schemaErrors(code, kind, object, old);
  yield;
  errors.push(...checkEmbedded(FieldPath.root, object, schema));
  yield;
  errors.push(...ratchetedListTypes(kind, object, old));
  yield;
  const known = isOther ? errors : [...found, ...errors];
  errors.push(...yield* ruleErrors(code, kind, object, old, known, warn));
  if (isOther) throw otherKind(object, errors);
  return errors;
}

function schemaErrors(
  code: SchemaCode,
  { schema, subresources: { scale } }: CustomKind,
  object: ApiObject,
  old: ApiObject | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  if (schema) {
    const correlation = old && new Correlation(object, old, schema);
    const { violations } = checkValue(code, checkerOf(schema), object, "", correlation);
    errors.push(...toFieldErrors(FieldPath.root, violations));
  }
  errors.push(...scaleSpecErrors(object, scale), ...scaleStatusErrors(object, scale));
  return errors;
}

/**
 * Validates the uniqueness of items in the sets and maps (list types) of a custom object. An update
 * may keep duplicates that the old object had.
 */
function ratchetedListTypes(
  { schema }: CustomKind,
  object: ApiObject,
  old: ApiObject | undefined,
): FieldError[] {
  const errors = checkListTypes(FieldPath.root, schema, object);
  if (errors.length === 0 || old === undefined) return errors;
  return checkListTypes(FieldPath.root, schema, old).length === 0 ? errors : [];
}

function* ruleErrors(
  code: SchemaCode,
  kind: CustomKind,
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
