import {
  type FieldError,
  type FieldPath,
  required,
  tooLong,
} from "@xca/apimachinery/internal/errors";
import {
  byteLength,
  dnsSubdomainProblems,
  invalidForEach,
} from "@xca/apimachinery/internal/validation";

/** The longest name of a driver, in bytes. */
const MAX_LENGTH = 63;

/**
 * Returns the validation errors of the name of a volume or device driver: a DNS subdomain of at
 * most 63 bytes, in any case (`core/validation/validation.go`, `ValidateCSIDriverName`).
 */
export function validateDriverName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [required(path)];
  return [
    ...byteLength(name) > MAX_LENGTH ? [tooLong(path, MAX_LENGTH)] : [],
    ...invalidForEach(path, name, dnsSubdomainProblems(name.toLowerCase())),
  ];
}
