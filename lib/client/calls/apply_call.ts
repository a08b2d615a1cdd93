import type { KubeObject } from "../../meta/object.ts";
import { keyOf, type ObjectKey } from "../../meta/object_key.ts";
import type { ResourceType } from "../../meta/resource_type.ts";
import { type ApplyPatch, applyPatch } from "../patch.ts";
import type { ApplyFields } from "../patch_fields.ts";
import type { ApplyOptions, WriteOptions } from "./options.ts";
import { inNamespace, withType } from "./write_body.ts";

/** A server-side apply as a call of {@linkcode Client.patch}. */
export interface ApplyCall<T extends KubeObject> {
  /** Of which object. */
  readonly key: ObjectKey;
  /** The fields, with `apiVersion`, `kind` and the namespace. */
  readonly patch: ApplyPatch<T>;
  /** How. */
  readonly options: WriteOptions;
}

/**
 * Makes the call of {@linkcode Client.apply}.
 *
 * @throws {TypeError} When the object has no name, or names another namespace than it is to be in.
 */
export function applyCall<T extends KubeObject>(
  type: ResourceType<T>,
  object: ApplyFields<T>,
  { namespace, force, ...options }: ApplyOptions,
  fallback: string,
): ApplyCall<T> {
  const placed = inNamespace(type, object as T, { given: namespace, fallback });
  const body = withType(type, placed);
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
