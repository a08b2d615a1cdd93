// Mirrors `internal/golang/encoding/json/decode.go, UnmarshalTypeError`.

/**
 * The error for a JSON value whose type or range does not match that of its field. Its message is
 * the message of Go's JSON decoder.
 */
export class TypeMismatch extends Error {
  override readonly name = "TypeMismatch";

  constructor(
    /**
     * The JSON kind of the value that does not match the Go type, such as `string` or `number 1.5`.
     */
    readonly value: string,
    /**
     * The Go type of the field whose JSON value does not match, such as `int32` or `v1.ObjectMeta`.
     */
    readonly goType: string,
    /**
     * The name of the Go struct, without its package, with the field whose JSON value does not
     * match; empty for a value outside of structs.
     */
    readonly struct: string = "",
    /**
     * The path of field names from the root to the mismatched field, without list indexes and map
     * keys; empty for a value outside of structs.
     */
    readonly field: string = "",
  ) {
    super(
      struct !== "" || field !== ""
        ? `json: cannot unmarshal ${value} into Go struct field ${struct}.${field} of type ${goType}`
        : `json: cannot unmarshal ${value} into Go value of type ${goType}`,
    );
  }
}
