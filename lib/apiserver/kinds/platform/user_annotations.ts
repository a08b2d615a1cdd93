import {
  type FieldError,
  type FieldPath,
  invalid,
  required,
  tooLong,
} from "@xca/apimachinery/internal/errors";
import { byteLength, qualifiedNameProblems } from "@xca/apimachinery/internal/validation";

const MAX_BYTES = 256 * 1024;

/**
 * Validates the annotations that a pod's author passes on to a certificate signer
 * (`core/validation/validation.go`, `ValidateUserAnnotations`).
 */
export function validateUserAnnotations(
  annotations: Readonly<Record<string, string>>,
  path: FieldPath,
): FieldError[] {
  const entries = Object.entries(annotations);
  const errors = entries.flatMap(([key]) => validateKey(key.toLowerCase(), path));
  const size = entries.reduce((sum, [key, text]) => sum + byteLength(key) + byteLength(text), 0);
  return size > MAX_BYTES ? [...errors, tooLong(path, MAX_BYTES)] : errors;
}

function validateKey(key: string, path: FieldPath): FieldError[] {
  if (key === "") return [required(path)];
  const problems = qualifiedNameProblems(key);
  if (problems.length > 0) return problems.map((problem) => invalid(path, key, problem));
  if (key.includes("/")) return [];
  return [invalid(path, key, 'must be a domain-prefixed key (such as "acme.io/foo")')];
}
