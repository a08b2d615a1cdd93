import type { KubeObject } from "@xca/apimachinery/meta";

/**
 * The conversion of the objects of one kind between its versions, which a webhook server serves at
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
  /** The API group of the converted kind. */
  readonly group: string;
  /** The kind whose objects are converted. */
  readonly kind: string;
  /** The API versions between which objects of the kind can be converted. */
  readonly versions: readonly string[];
  /**
   * Converts an object to another version, one of `versions`, and returns the result. The function
   * may modify the given object. Of the result's metadata only labels and annotations are used;
   * another name, namespace or UID is an error. An error fails the request of the API server, which
   * gets its message.
   */
  convert(object: KubeObject, version: string): KubeObject | Promise<KubeObject>;
}
