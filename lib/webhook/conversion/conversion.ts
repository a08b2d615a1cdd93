import type { KubeObject } from "@xca/apimachinery/meta";

/**
 * The conversion of the objects of one kind between its versions, as a webhook server serves it at
 * `/convert`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import type { Conversion } from "@xca/operator/webhook";
 *
 * const conversion: Conversion = {
 *   group: "example.com",
 *   kind: "Desktop",
 *   versions: ["v1", "v2"],
 *   convert: (object, version) => ({ ...object, apiVersion: `example.com/${version}` }),
 * };
 * const desktop = { apiVersion: "example.com/v1", kind: "Desktop", metadata: { name: "a" } };
 * assert.equal((await conversion.convert(desktop, "v2")).apiVersion, "example.com/v2");
 * ```
 */
export interface Conversion {
  /** The API group of the kind. */
  readonly group: string;
  /** The kind whose objects are converted. */
  readonly kind: string;
  /** The versions that objects can be converted from and to. */
  readonly versions: readonly string[];
  /**
   * Returns an object in another version, one of `versions`. The given object belongs to the function.
   * Of the metadata only labels and annotations of the result count.
   */
  convert(object: KubeObject, version: string): KubeObject | Promise<KubeObject>;
}
