import { runAll } from "@xca/apimachinery/internal/base";
import { type FieldError, FieldPath, invalid } from "@xca/apimachinery/internal/errors";
import {
  applyDefaults,
  checkCustomObject,
  type CheckedKind,
  checkEmbeddedMetadata,
  coerceObject,
  customRulesOf,
  dropNulls,
  hasEmbedded,
  type JsonSchema,
  pruneDefaults,
  type SchemaCode,
  type SettledTest,
  settledTest,
  ShapeError,
  someSchema,
  surelyValid,
} from "@xca/apimachinery/internal/schema";
import { subdomainNameProblems } from "@xca/apimachinery/internal/validation";
import { type ApiObject, cloneJson, type Json } from "@xca/apimachinery/internal/values";
import type { KubeObject } from "@xca/apimachinery/meta";
import type { ObjectProblem } from "./object_problem.ts";
import type { VersionWithCrd } from "./validate.ts";

/** The fields of metadata that are texts without rules of their own. */
const PLAIN_METADATA = new Set(["uid", "resourceVersion", "creationTimestamp"]);
/** Names that are valid for objects and for namespaces. */
const PLAIN_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * The checks of the objects of one version of a custom resource, with the code of the API server.
 * The CEL rules of the schema are compiled once.
 */
export class ObjectValidator {
  readonly #code: SchemaCode;
  readonly #kind: CheckedKind;
  readonly #schema: JsonSchema;
  readonly #isSurelyValid: (value: unknown) => boolean;
  readonly #isSettled: SettledTest;
  /** Whether valid objects are checked further: by rules, scale paths or embedded resources. */
  readonly #hasMore: boolean;

  constructor(code: SchemaCode, { crd, version }: VersionWithCrd) {
    const { spec } = crd;
    const found = spec.versions.find(({ name }) => name === version);
    const root = found?.schema?.openAPIV3Schema;
    if (root === undefined) {
      throw new TypeError(
        `Cannot validate objects of ${crd.metadata?.name}: it has no schema of version ${version}`,
      );
    }
    const schema = pruneDefaults(root as JsonSchema);
    const { group, names: { kind } } = spec;
    const subresources = (found!.subresources ?? {}) as CheckedKind["subresources"];
    this.#code = code;
    this.#schema = schema;
    this.#kind = { group, version, kind, schema, subresources, rules: customRulesOf(schema) };
    this.#isSurelyValid = surelyValid(code, schema);
    this.#isSettled = settledTest(schema);
    this.#hasMore = subresources.scale !== undefined || hasEmbedded(schema) ||
      someSchema(schema, (each) => (each["x-kubernetes-validations"] ?? []).length > 0);
  }

  /** Returns the reasons why an API server refuses an object, or its update; empty for none. */
  validate(object: KubeObject, old?: KubeObject): readonly ObjectProblem[] {
    if (!this.#hasMore && this.#isPlain(object)) return [];
    const stored = this.#named(object);
    try {
      this.#settle(stored);
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      return [{ field: "<nil>", message: error.message }];
    }
    const found = metadataErrors(stored);
    const before = old && this.#named(old);
    const check = checkCustomObject(this.#code, this.#kind, stored, before, found);
    return [...found, ...runAll(check)].map(({ field, body }) => ({ field, message: body }));
  }

  /** Returns a copy of an object with the defaults of absent fields. */
  applyDefaults(object: KubeObject): KubeObject {
    const copy = this.#named(object);
    dropNulls(copy, this.#schema);
    applyDefaults(copy, this.#schema);
    return copy as unknown as KubeObject;
  }

  /** Returns a copy of an object without the fields that its schema lacks, and their paths. */
  prune(object: KubeObject): { object: KubeObject; dropped: readonly string[] } {
    const copy = this.#named(object);
    const dropped = coerceObject(copy, this.#schema);
    return { object: copy as unknown as KubeObject, dropped };
  }

  /** Reports whether an object is surely valid, without a copy of it. */
  #isPlain(object: KubeObject): boolean {
    const { group, version, kind } = this.#kind;
    const { apiVersion = `${group}/${version}`, kind: given = kind, metadata } = object;
    return apiVersion === `${group}/${version}` && given === kind && isPlainMetadata(metadata) &&
      this.#isSurelyValid(object) && this.#isSettled(object);
  }

  /** Returns a copy of an object with the names of its type. */
  #named(object: KubeObject): ApiObject {
    const { group, version, kind } = this.#kind;
    const copy = cloneJson(object) as unknown as ApiObject;
    copy.apiVersion ??= `${group}/${version}`;
    copy.kind ??= kind;
    copy.metadata ??= {};
    return copy;
  }

  #settle(object: ApiObject): void {
    coerceObject(object, this.#schema);
    dropNulls(object, this.#schema);
    applyDefaults(object as Json, this.#schema);
  }
}

/** Reports whether metadata surely is valid: it has names without labels and the like. */
function isPlainMetadata(metadata: unknown): boolean {
  if (typeof metadata !== "object" || metadata === null) return false;
  for (const [name, value] of Object.entries(metadata)) {
    if (name === "name" || name === "namespace") {
      if (typeof value !== "string" || !PLAIN_NAME.test(value)) return false;
    } else if (name === "generation") {
      if (!Number.isInteger(value) || value < 0) return false;
    } else if (!PLAIN_METADATA.has(name) || typeof value !== "string") return false;
  }
  return true;
}

/** Returns the errors of an object's own metadata. */
function metadataErrors({ metadata }: ApiObject): FieldError[] {
  const path = FieldPath.of("metadata");
  const { name = "", generateName = "" } = metadata as { name?: string; generateName?: string };
  const names = [
    ...generateName === "" ? [] : subdomainNameProblems(generateName, true)
      .map((why) => invalid(path.child("generateName"), generateName, why)),
    ...name === "" ? [] : subdomainNameProblems(name, false)
      .map((why) => invalid(path.child("name"), name, why)),
  ];
  return [...names, ...checkEmbeddedMetadata(path, metadata)];
}
