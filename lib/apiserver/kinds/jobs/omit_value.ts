import type { FieldError } from "@xca/apimachinery/internal/errors";

/** Returns an error without its value. */
export function omitValue(error: FieldError): FieldError {
  return { ...error, body: error.body.replace('Invalid value: "": ', "Invalid value: ") };
}
