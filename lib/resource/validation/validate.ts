import type { V1CustomResourceDefinition } from "@xca/apimachinery/kubernetes-types";
import type { KubeObject, UnstructuredObject } from "@xca/apimachinery/meta";
import type { ObjectProblem } from "./object_problem.ts";
import type { ObjectValidator } from "./object_validator.ts";
import type { VersionWithCrd } from "./version_with_crd.ts";

/**
 * An object with any fields, which need not match the type of its resource: validation reports the
 * differences.
 */
export type AnyObject = KubeObject | UnstructuredObject;

/** Options of {@linkcode validate}, which validates an object by the schema of its resource. */
export interface ValidateOptions {
  /**
   * The object before an update: transition rules are checked, and invalid values that did not
   * change are accepted.
   *
   * @default none: the object is created
   */
  readonly old?: AnyObject;
}

/** The result of {@linkcode prune}, which removes the fields of an object that its schema lacks. */
export interface Pruned<T extends KubeObject> {
  /** A copy of the pruned object without the fields that the schema lacks. */
  readonly object: T;
  /** The paths of the fields that pruning dropped, such as `spec.colour`. */
  readonly dropped: readonly string[];
}

/**
 * Promises of the validators of resource versions, by CustomResourceDefinition and the name of the
 * version. A validator is created at its first use, and again after a failure.
 */
const validators = new WeakMap<V1CustomResourceDefinition, Map<string, Promise<ObjectValidator>>>();

/**
 * Validates an object as the API server validates it: after pruning and defaulting, by the schema,
 * the list types, the CEL rules, and the rules for metadata. Returns the reasons why the API server
 * refuses the object; empty for a valid one. The object is not changed; an absent `apiVersion` or
 * `kind` defaults to that of the resource. The status is validated too, which the API server
 * ignores when an object with a status subresource is created.
 *
 * The code of the validation, which includes CEL, is loaded by the first call.
 *
 * @throws {TypeError} When the definition has no schema of the version, or the object is not a JSON
 * object.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { defineResource, s, validate } from "@xca/operator/resource";
 *
 * const Lock = defineResource({
 *   group: "example.org",
 *   version: "v1",
 *   kind: "Lock",
 *   spec: s.object({ holder: s.string(), seconds: s.integer({ minimum: 1, default: 30 }) }),
 * });
 * assert.deepEqual(await validate(Lock, { metadata: { name: "a" }, spec: { holder: "me" } }), []);
 * const wrong = { metadata: { name: "a" }, spec: { seconds: 0 } };
 * assert.deepEqual(await validate(Lock, wrong), [
 *   {
 *     field: "spec.seconds",
 *     message: "Invalid value: 0: spec.seconds in body should be greater than or equal to 1",
 *   },
 *   { field: "spec.holder", message: "Required value" },
 * ]);
 * ```
 */
export async function validate(
  type: VersionWithCrd,
  object: AnyObject,
  { old }: ValidateOptions = {},
): Promise<readonly ObjectProblem[]> {
  const validator = await validatorOf(type, "validate");
  return called("validate", type, object, () => validator.validate(object, old));
}

/**
 * Returns a copy of an object with the defaults of its absent fields, as the API server fills them
 * in. An absent `apiVersion` or `kind` becomes that of the resource, absent `metadata` becomes
 * empty, and fields that are null although the schema does not allow it are dropped or get their
 * default. Fields that the schema lacks are kept.
 *
 * @throws {TypeError} When the definition has no schema of the version, or the object is not a JSON
 * object.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { applyDefaults, defineResource, s } from "@xca/operator/resource";
 *
 * const Lock = defineResource({
 *   group: "example.org",
 *   version: "v1",
 *   kind: "Lock",
 *   spec: s.object({ seconds: s.integer({ default: 30 }) }),
 * });
 * const lock = await applyDefaults(Lock, { metadata: { name: "a" }, spec: {} });
 * assert.equal(lock.spec.seconds, 30);
 * ```
 */
export async function applyDefaults<T extends KubeObject, I extends KubeObject>(
  type: VersionWithCrd<T, I>,
  object: NoInfer<I>,
): Promise<T> {
  const validator = await validatorOf(type, "apply the defaults of");
  return called("apply the defaults of", type, object, () => validator.applyDefaults(object) as T);
}

/**
 * Returns a copy of an object without the fields that its schema lacks, which the API server does
 * not store, and the paths of these fields. Fields with the value `null` that are not nullable and
 * have no default are dropped too, without their paths. Defaults are not filled in, but an absent
 * `apiVersion` or `kind` becomes that of the resource, and absent `metadata` becomes empty.
 *
 * @throws {TypeError} When the definition has no schema of the version, or the object is not a JSON
 * object.
 * @throws {Error} When the object's metadata, or the type or metadata of an embedded resource, has
 * a field of a wrong type.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { defineResource, prune, s } from "@xca/operator/resource";
 *
 * const Lock = defineResource({
 *   group: "example.org",
 *   version: "v1",
 *   kind: "Lock",
 *   spec: s.object({ holder: s.string() }),
 * });
 * const lock = { metadata: { name: "a" }, spec: { holder: "me", holderr: "you" } };
 * assert.deepEqual((await prune(Lock, lock)).dropped, ["spec.holderr"]);
 * ```
 */
export async function prune<T extends KubeObject>(
  type: VersionWithCrd<T>,
  object: AnyObject,
): Promise<Pruned<T>> {
  const validator = await validatorOf(type, "prune");
  return called("prune", type, object, () => validator.prune(object) as Pruned<T>);
}

/**
 * Calls a function of a validator with an object, and returns its result.
 *
 * @throws {TypeError} When the object is not a JSON object, contains itself or is nested too deep;
 * the message names the resource.
 */
function called<R>(verb: string, type: VersionWithCrd, object: unknown, call: () => R): R {
  const failure = (): string => `Cannot ${verb} an object of ${type.crd.metadata.name}`;
  if (typeof object !== "object" || object === null || Array.isArray(object)) {
    const is = Array.isArray(object) ? "an array" : object === null ? "null" : typeof object;
    throw new TypeError(`${failure()}: it must be an object with metadata, is ${is}`);
  }
  try {
    return call();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const why = "it contains itself, or is nested deeper than an API server accepts";
    throw new TypeError(`${failure()}: ${why}`, { cause: error });
  }
}

/**
 * Returns the validator of a version of a resource; the first call creates it, and so does the next
 * call after a failure. Rejects with a TypeError when the CustomResourceDefinition has no schema of
 * the version.
 *
 * @throws {TypeError} When the resource has no CustomResourceDefinition, at once; `verb` is the
 * action in the message.
 */
export function validatorOf(type: VersionWithCrd, verb = "validate"): Promise<ObjectValidator> {
  const { crd, version } = type ?? {};
  if (typeof crd !== "object" || crd === null) {
    throw new TypeError(
      `Cannot ${verb} an object of a resource without a definition: give what defineResource ` +
        "returns, or one of its versions",
    );
  }
  const ofCrd = validators.get(crd) ?? new Map<string, Promise<ObjectValidator>>();
  validators.set(crd, ofCrd);
  const known = ofCrd.get(version);
  if (known) return known;
  const made = load({ crd, version });
  ofCrd.set(version, made);
  // The next call tries a failed load again.
  made.catch(() => {
    if (ofCrd.get(version) === made) ofCrd.delete(version);
  });
  return made;
}

async function load(type: VersionWithCrd): Promise<ObjectValidator> {
  const { SCHEMA_CODE } = await import("@xca/apimachinery/internal/schema");
  const [code, { ObjectValidator }] = await Promise.all([
    SCHEMA_CODE.get(),
    import("./object_validator.ts"),
  ]);
  return new ObjectValidator(code, type);
}
