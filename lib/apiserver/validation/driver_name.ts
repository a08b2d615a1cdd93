import { type FieldError, required, tooLong } from "../machinery/field_error.ts";
import type { FieldPath } from "../machinery/field_path.ts";
import { dnsSubdomainProblems } from "./names.ts";
import { invalidForEach } from "./texts.ts";

const MAX_LENGTH = 63;

/** Checks the name of a driver, of volumes or of devices. */
export function validateDriverName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [required(path)];
  return [
    ...name.length > MAX_LENGTH ? [tooLong(path, MAX_LENGTH)] : [],
    ...invalidForEach(path, name, dnsSubdomainProblems(name.toLowerCase())),
  ];
}
