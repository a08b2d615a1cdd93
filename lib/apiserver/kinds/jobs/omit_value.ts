// Mirrors `util/validation/field/errors.go, OmitValueType`.
import type { FieldError } from "@xca/apimachinery/internal/errors";

/** Returns a copy of a field error about an empty text, whose message does not show the value. */
export function omitValue(error: FieldError): FieldError {
  return { ...error, body: error.body.replace('Invalid value: "": ', "Invalid value: ") };
}
