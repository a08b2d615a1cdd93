import type { CustomRules } from "@xca/apimachinery/internal/cel";
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
  typeErrors,
} from "@xca/apimachinery/internal/schema";
import { subdomainNameProblems } from "@xca/apimachinery/internal/validation";
import { type ApiObject, cloneJson, type Json } from "@xca/apimachinery/internal/values";
import type { KubeObject } from "@xca/apimachinery/meta";
import type { ObjectProblem } from "./object_problem.ts";
import type { VersionWithCrd } from "./version_with_crd.ts";

const NONE: readonly ObjectProblem[] = Object.freeze([]);
/**
 * A regular expression for names of objects and namespaces that are certainly valid: DNS labels of
 * at most 63 characters.
 */
const PLAIN_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * A validator of the objects of one version of a custom resource, with the code of the API server.
 * The CEL rules of the schema are compiled once.
 */
export class ObjectValidator {
  readonly #code: SchemaCode;
  readonly #apiVersion: string;
  readonly #kind: CheckedKind;
  readonly #schema: JsonSchema;
  readonly #isSurelyValid: (value: unknown) => boolean;
  readonly #isSettled: SettledTest;
  /**
   * Reports whether objects of the version can be invalid in scale paths or embedded resources,
   * which {@linkcode ObjectValidator.#isPlain} does not check.
   */
  readonly #hasMore: boolean;
  readonly #rules: CustomRules | undefined;

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
    const rules = customRulesOf(schema);
    this.#code = code;
    this.#apiVersion = `${group}/${version}`;
    this.#schema = schema;
    this.#kind = { group, version, kind, schema, subresources, rules };
    this.#rules = runAll(rules(code));
    this.#isSurelyValid = surelyValid(code, schema);
    // Unknown fields, which are pruned, matter to minProperties and CEL rules only.
    const ignoresUnknown = this.#rules === undefined &&
      !someSchema(schema, ({ minProperties }) => minProperties !== undefined);
    this.#isSettled = settledTest(schema, { ignoresUnknown });
    this.#hasMore = subresources.scale !== undefined || hasEmbedded(schema);
  }

  /**
   * Returns the reasons why an API server refuses to create an object, or to update `old` to it;
   * empty for a valid object. The object is not changed.
   */
  validate(object: KubeObject, old?: KubeObject): readonly ObjectProblem[] {
    if (!this.#hasMore && this.#isPlain(object)) {
      if (this.#rules === undefined) return NONE;
      if (old === undefined && isNamed(object)) {
        const options = { isUpdate: false };
        const check = this.#rules.check(
          object as unknown as Json,
          undefined,
          FieldPath.root,
          options,
        );
        return runAll(check).map(problemOf);
      }
    }
    const stored = this.#named(object);
    try {
      this.#settle(stored);
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      return [{ field: "<nil>", message: error.message }];
    }
    const ofOther = typeErrors(this.#kind, stored);
    if (ofOther.length > 0) return ofOther.map(problemOf);
    const found = metadataErrors(stored);
    const before = old && this.#named(old);
    const check = checkCustomObject(this.#code, this.#kind, stored, before, found);
    return [...found, ...runAll(check)].map(problemOf);
  }

  /**
   * Returns a copy of an object as the API server stores it, pruned and with defaults; undefined
   * when its metadata, or an embedded resource's type or metadata, has a field of a wrong type.
   */
  complete(object: KubeObject): KubeObject | undefined {
    const copy = this.#named(object);
    try {
      this.#settle(copy);
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      return undefined;
    }
    return copy as unknown as KubeObject;
  }

  /**
   * Returns a copy of an object with the schema's defaults for absent fields, and without fields
   * that are null although the schema does not allow it. An absent `apiVersion`, `kind` or
   * `metadata` is filled in.
   */
  applyDefaults(object: KubeObject): KubeObject {
    const copy = this.#named(object);
    dropNulls(copy, this.#schema);
    applyDefaults(copy, this.#schema);
    return copy as unknown as KubeObject;
  }

  /**
   * Returns a copy of an object without the fields that its schema lacks, and the paths of these
   * fields.
   *
   * @throws {ShapeError} When the metadata of the object, or the type or metadata of an embedded
   * resource, has a field of a wrong type.
   */
  prune(object: KubeObject): { object: KubeObject; dropped: readonly string[] } {
    const copy = this.#named(object);
    const dropped = coerceObject(copy, this.#schema);
    return { object: copy as unknown as KubeObject, dropped };
  }

  /**
   * Reports whether an object is certainly valid by its schema, apart from the CEL rules, and needs
   * neither pruning nor defaults before these; determined without copying the object. False leaves
   * the decision to the full check.
   */
  #isPlain(object: KubeObject): boolean {
    const { apiVersion, kind, metadata } = object;
    return (apiVersion === undefined || apiVersion === this.#apiVersion) &&
      (kind === undefined || kind === this.#kind.kind) && isPlainMetadata(metadata) &&
      this.#isSurelyValid(object) && this.#isSettled(object);
  }

  /**
   * Returns a copy of an object in which an absent `apiVersion`, `kind` or `metadata` is filled in.
   */
  #named(object: KubeObject): ApiObject {
    const copy = cloneJson(object) as unknown as ApiObject;
    copy.apiVersion ??= this.#apiVersion;
    copy.kind ??= this.#kind.kind;
    copy.metadata ??= {};
    return copy;
  }

  #settle(object: ApiObject): void {
    coerceObject(object, this.#schema);
    dropNulls(object, this.#schema);
    applyDefaults(object as Json, this.#schema);
  }
}

/** Reports whether an object has an `apiVersion` and a `kind`. */
function isNamed({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion !== undefined && kind !== undefined;
}

function problemOf({ field, body }: FieldError): ObjectProblem {
  return { field, message: body };
}

/**
 * Reports whether an object's metadata is certainly valid, such as metadata with a plain name and
 * without labels. False leaves the decision to the full check.
 */
function isPlainMetadata(metadata: unknown): boolean {
  if (typeof metadata !== "object" || metadata === null) return false;
  for (const name in metadata) {
    const value = (metadata as Record<string, unknown>)[name];
    switch (name) {
      case "name":
      case "namespace":
        if (typeof value !== "string" || !PLAIN_NAME.test(value)) return false;
        break;
      case "generation":
        if (!Number.isInteger(value) || value as number < 0) return false;
        break;
      case "uid":
      case "resourceVersion":
        if (typeof value !== "string") return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

/** Returns the errors of an object's top-level metadata. */
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
