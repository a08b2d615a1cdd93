import { keyOf, type KubeObject, type ObjectKey, type ResourceType } from "@xca/apimachinery/meta";
import { type ApplyPatch, applyPatch, type Patch } from "./patch.ts";
import type { ApplyFields } from "./patch_fields.ts";
import type { ApplyOptions, WriteOptions } from "../calls/options.ts";
import { inNamespace, refuseOther, withOwnType, withType } from "./write_body.ts";

/**
 * A server-side apply as the arguments of {@linkcode Client.patch}: the result of {@linkcode
 * applyCall}.
 */
export interface ApplyCall<T extends KubeObject> {
  /** The key of the object that the apply creates or changes. */
  readonly key: ObjectKey;
  /** The apply patch: the fields, with `apiVersion`, `kind` and the namespace. */
  readonly patch: ApplyPatch<T>;
  /**
   * The options of the server-side apply without `namespace` and `force`, which are in the patch.
   */
  readonly options: WriteOptions;
}

/**
 * Returns the arguments of {@linkcode Client.patch} for a {@linkcode Client.apply}. `fallback` is
 * the namespace where neither the object nor the options name one.
 *
 * @throws {TypeError} When the object has no name, is of another kind or version than the resource,
 * or names another namespace than the options.
 */
export function applyCall<T extends KubeObject>(
  type: ResourceType<T>,
  object: ApplyFields<T>,
  { namespace, force, ...options }: ApplyOptions,
  fallback: string,
): ApplyCall<T> {
  const placed = inNamespace(type, object as T, { given: namespace, fallback });
  const body = withOwnType(type, placed, "apply");
  const key = keyOf(body);
  const { fieldManager } = options;
  return {
    key,
    patch: applyPatch(body, {
      ...(fieldManager !== undefined && { fieldManager }),
      ...(force !== undefined && { force }),
    }),
    options,
  };
}

/**
 * Returns an apply patch with `apiVersion`, `kind` and `metadata.name` where its body lacks them;
 * other patches unchanged.
 *
 * @throws {TypeError} When the body of a patch other than a JSON Patch is of another kind or
 * version than the resource.
 */
export function withIdentity<T extends KubeObject>(
  type: ResourceType<T>,
  name: string | undefined,
  patch: Patch<NoInfer<T>>,
): Patch<NoInfer<T>> {
  if (patch.type === "json") return patch;
  const body: unknown = patch.body;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return patch;
  const given = body as Partial<KubeObject>;
  refuseOther(type, given, "patch");
  if (patch.type !== "apply") return patch;
  const metadata = { ...(name === undefined ? {} : { name }), ...given.metadata };
  return { ...patch, body: withType(type, { ...given, metadata } as T) };
}
