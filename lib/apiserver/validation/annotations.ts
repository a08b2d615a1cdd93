import { type FieldError, type FieldPath, tooLong } from "@xca/apimachinery/internal/errors";
import {
  byteLength,
  invalidForEach,
  qualifiedNameProblems,
} from "@xca/apimachinery/internal/validation";

const MAX_SIZE = 256 * 1024;

/**
 * Returns the validation errors of the keys and the total size, 256 KiB at most, of an object's
 * annotations (`api/validation/objectmeta.go`, `ValidateAnnotations`).
 */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): FieldError[] {
  let size = 0;
  const errors = Object.entries(annotations ?? {}).flatMap(([key, value]) => {
    size += byteLength(key) + byteLength(value);
    return invalidForEach(path, key, qualifiedNameProblems(key.toLowerCase()));
  });
  if (size > MAX_SIZE) errors.push(tooLong(path, MAX_SIZE));
  return errors;
}
