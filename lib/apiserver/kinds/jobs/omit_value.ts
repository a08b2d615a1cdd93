// Mirrors `util/validation/field/errors.go, OmitValueType`.
import type { FieldError } from "@xca/apimachinery/internal/errors";

/**
 * Returns a copy of a field error about an invalid empty text; the message of the copy omits the
 * value.
 */
export function omitValue(error: FieldError): FieldError {
  return { ...error, body: error.body.replace('Invalid value: "": ', "Invalid value: ") };
}
