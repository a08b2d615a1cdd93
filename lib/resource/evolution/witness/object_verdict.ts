import type { V1JSONSchemaProps } from "@xca/apimachinery/kubernetes-types";
import type { CelSchema } from "@xca/apimachinery/internal/cel";
import { runAll } from "@xca/apimachinery/internal/base";
import { type FieldError, FieldPath } from "@xca/apimachinery/internal/errors";
import {
  applyDefaults,
  checkEmbedded,
  checkerOf,
  checkListTypes,
  checkValue,
  coerceObject,
  dropNulls,
  type JsonSchema,
  type SchemaCode,
  ShapeError,
  toFieldErrors,
} from "@xca/apimachinery/internal/schema";
import type { Json } from "@xca/apimachinery/internal/values";

/** A custom object with all its fields. */
export type CustomObject = Readonly<Record<string, unknown>>;

/** The result of creating an object, as an API server with a given schema computes it. */
export interface ObjectVerdict {
  /**
   * The created object in its stored form: pruned, and with defaults. If a field has a wrong shape,
   * the object as far as it was pruned, without defaults.
   */
  readonly stored: CustomObject;
  /**
   * The paths of the created object's fields that the API server drops; empty if a field has a
   * wrong shape.
   */
  readonly dropped: readonly string[];
  /** The reasons why the API server refuses the object; empty for a valid one. */
  readonly errors: readonly string[];
}

/**
 * A validator of custom objects with the schema of one version: it computes what an API server
 * stores and refuses. The schema's CEL rules are compiled once.
 */
export class ObjectJudge {
  readonly #code: SchemaCode;
  readonly #schema: JsonSchema;
  readonly #rules: ReturnType<typeof compiled>;

  constructor(code: SchemaCode, schema: V1JSONSchemaProps) {
    this.#code = code;
    this.#schema = schema as JsonSchema;
    this.#rules = compiled(code, this.#schema);
  }

  /** Returns the result of creating an object with the schema; the given object is not changed. */
  judge(object: CustomObject): ObjectVerdict {
    const stored = structuredClone(object) as Record<string, unknown>;
    let dropped: string[];
    try {
      dropped = coerceObject(stored, this.#schema);
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      return { stored, dropped: [], errors: [error.message] };
    }
    dropNulls(stored, this.#schema);
    applyDefaults(stored, this.#schema);
    const { violations } = checkValue(this.#code, checkerOf(this.#schema), stored);
    const errors: FieldError[] = [
      ...toFieldErrors(FieldPath.root, violations),
      ...checkEmbedded(FieldPath.root, stored, this.#schema),
      ...checkListTypes(FieldPath.root, this.#schema, stored),
    ];
    // The API server, too, does not evaluate rules on objects of a wrong shape.
    if (errors.length === 0 && this.#rules !== undefined) {
      const options = { isUpdate: false };
      const check = this.#rules.check(stored as Json, undefined, FieldPath.root, options);
      errors.push(...runAll(check));
    }
    return { stored, dropped, errors: errors.map(({ field, body }) => `${field}: ${body}`) };
  }
}

function compiled(code: SchemaCode, schema: JsonSchema) {
  return runAll(code.compileCustomRules(schema as CelSchema));
}
