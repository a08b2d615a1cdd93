/** A JSON value cannot be what the field's type wants; the message is the real server's. */
export class TypeMismatch extends Error {
  override readonly name = "TypeMismatch";

  constructor(
    /** What was there: `string`, `number 1.5`. */
    readonly value: string,
    /** What was wanted: `int32`, `v1.ObjectMeta`. */
    readonly goType: string,
    /** The struct whose field it is. */
    readonly struct: string = "",
    /** The path of fields from the root; list positions and map keys do not count. */
    readonly field: string = "",
  ) {
    super(
      struct !== "" || field !== ""
        ? `json: cannot unmarshal ${value} into Go struct field ${struct}.${field} of type ${goType}`
        : `json: cannot unmarshal ${value} into Go value of type ${goType}`,
    );
  }
}
