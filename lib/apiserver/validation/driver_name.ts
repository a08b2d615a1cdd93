import {
  type FieldError,
  type FieldPath,
  required,
  tooLong,
} from "@xca/apimachinery/internal/errors";
import { dnsSubdomainProblems, invalidForEach } from "@xca/apimachinery/internal/validation";

const MAX_LENGTH = 63;

/** Checks the name of a driver, of volumes or of devices. */
export function validateDriverName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [required(path)];
  return [
    ...name.length > MAX_LENGTH ? [tooLong(path, MAX_LENGTH)] : [],
    ...invalidForEach(path, name, dnsSubdomainProblems(name.toLowerCase())),
  ];
}
