import { markClass } from "@xca/apimachinery/internal/base";
import type { KubeObject } from "@xca/apimachinery/meta";

/**
 * A loss by a conversion: an object that changed when it was converted to another version and back,
 * or that became invalid or could not be converted, with the first affected field.
 */
export interface ConversionLoss {
  /** The version of the object before the conversion. */
  readonly version: string;
  /** The version that the object was converted to and back from. */
  readonly other: string;
  /**
   * The path of the first field that the conversion changed or made invalid, such as `spec.note`;
   * `the object` if the conversion threw an error.
   */
  readonly field: string;
  /**
   * The change of the field by the conversion, such as `"a" becomes absent`, the reason why the
   * converted object is invalid, or the error.
   */
  readonly reason: string;
  /** A small object that the conversion changes, makes invalid or fails for. */
  readonly object: KubeObject;
  /** The seed of the random objects with which the conversion was checked. */
  readonly seed: number;
}

/**
 * The error that {@linkcode checkConversion} throws for a conversion that loses or changes a field,
 * creates an invalid object, or throws.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ConversionError } from "@xca/operator/resource";
 *
 * const object = { metadata: { name: "a" }, spec: { note: "a" } };
 * const loss = { version: "v1alpha1", other: "v1", field: "spec.note", reason: '"a" becomes absent' };
 * const error = new ConversionError("Disk", { ...loss, object, seed: 1 });
 * assert.match(error.message, /^The conversion of Disk loses spec.note/);
 * ```
 */
export class ConversionError extends Error {
  /** The name of this error class, `ConversionError`. */
  override readonly name = "ConversionError";

  /**
   * Creates an error about a conversion that changes an object, makes it invalid or fails.
   *
   * @param kind The kind of the object.
   * @param loss The affected field, the reason, and the object.
   */
  constructor(
    kind: string,
    /** The first affected field, the reason, and an object that shows the loss. */
    readonly loss: ConversionLoss,
  ) {
    const { version, other, field, reason, object, seed } = loss;
    super(
      `The conversion of ${kind} loses ${field} from ${version} to ${other} and back: ${reason}\n` +
        `of the object ${JSON.stringify(object)}\nrepeat it with seed: ${seed}`,
    );
  }

  static {
    markClass(this, Symbol.for("@xca/operator/ConversionError"));
  }
}
