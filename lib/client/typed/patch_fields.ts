import type { KubeObject } from "@xca/apimachinery/meta";

/**
 * The type `T` with fields that are optional, may be `undefined`, and are read-only, and with
 * read-only lists, at any depth; `any` stays `any`. Fields that are `undefined` are not sent.
 */
export type PartialFields<T> = 0 extends 1 & T ? T
  : T extends readonly (infer Item)[] ? readonly PartialFields<Item>[]
  : T extends object ? { readonly [Field in keyof T]?: PartialFields<T[Field]> | undefined }
  : T;

/**
 * The body of a server-side apply: the name of the object, and the fields that the field manager
 * will own.
 */
export type ApplyFields<T extends KubeObject> =
  | (T & { readonly metadata: { readonly name: string } })
  | (PartialFields<T> & {
    /**
     * The metadata of the applied object: its name, and the namespace where it is not that of the
     * client.
     */
    readonly metadata: PartialFields<T["metadata"]> & { readonly name: string };
  });

/**
 * The fields of a JSON Merge Patch of `T`: `null` removes a field, and a list is replaced as a
 * whole.
 */
export type MergeFields<T> = 0 extends 1 & T ? T
  : T extends readonly (infer Item)[] ? readonly Item[]
  : T extends object ? { readonly [Field in keyof T]?: MergeFields<T[Field]> | null | undefined }
  : T;

/**
 * The fields of a strategic merge patch of `T`: `null` removes a field, and the items of a list
 * with a merge key are merged by the key. Directives begin with `$`, such as `$patch` and
 * `$retainKeys`.
 */
export type StrategicFields<T> = 0 extends 1 & T ? T
  : T extends readonly (infer Item)[] ? readonly StrategicFields<Item>[]
  : T extends object ?
      & { readonly [Field in keyof T]?: StrategicFields<T[Field]> | null | undefined }
      & { readonly [Directive in `$${string}`]?: unknown }
  : T;
