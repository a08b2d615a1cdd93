import type { FieldError } from "@xca/apimachinery/internal/errors";

/** The same error without the value that it found. */
export function omitValue(error: FieldError): FieldError {
  return { ...error, body: error.body.replace('Invalid value: "": ', "Invalid value: ") };
}
