// Mirrors `registry/customresource/strategy.go, customResourceStrategy`.
import { forbidden } from "@xca/apimachinery/internal/errors";
import {
  applyDefaults,
  checkCustomObject,
  checkCustomStatus,
  type CheckedKind,
  coerceInSteps,
  dropNulls,
  type JsonSchema,
  nestedField,
  SCHEMA_CODE,
  typeErrors,
} from "@xca/apimachinery/internal/schema";
import { type ApiObject, cloneJson, goValue, jsonEqual } from "@xca/apimachinery/internal/values";
import type { Findings, KindStrategy } from "../../machinery/strategy.ts";
import { finalizerWarnings } from "./finalizer_warnings.ts";

/** A version of a custom kind, from which {@linkcode customStrategy} makes its strategy. */
export interface CustomKind extends CheckedKind {
  readonly plural: string;
  readonly namespaced: boolean;
  /**
   * The fields that field selectors of the custom resource can name: paths such as `.spec.color`.
   */
  readonly selectableFields: readonly string[];
  /**
   * Reports whether the CustomResourceDefinition is being deleted, so that no objects can be
   * created.
   */
  readonly isTerminating: boolean;
}

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
      return SCHEMA_CODE.use((code) => checkCustomObject(code, kind, object, undefined, found));
    },

    prepareForUpdate(object, old): void {
      if (hasStatus) {
        if (old.status !== undefined) object.status = cloneJson(old.status);
        else delete object.status;
      }
      if (!jsonEqual(withoutMetadata(object), withoutMetadata(old))) {
        object.metadata.generation = (old.metadata.generation ?? 0) + 1;
      }
    },

    validateUpdate(object, old, context, _state, found): Findings {
      const warn = (text: string): void => context.warn(text);
      return SCHEMA_CODE.use((code) => checkCustomObject(code, kind, object, old, found, warn));
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
 * Prunes and defaults a custom object that is about to be stored, in place and in steps, to the
 * form in which reads show it; returns whether the object changed.
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
      Object.assign(object, cloneJson(old));
      if (managedFields) object.metadata.managedFields = managedFields;
      else delete object.metadata.managedFields;
      if (status === undefined) delete object.status;
      else object.status = status;
    },

    validateUpdate(object, old, context): Findings {
      const warn = (text: string): void => context.warn(text);
      return SCHEMA_CODE.use((code) => checkCustomStatus(code, kind, object, old, warn));
    },
  };
}
