import { FieldPath, invalid, required } from "@xca/apimachinery/internal/errors";
import { subdomainNameProblems } from "@xca/apimachinery/internal/validation";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { IMMUTABLE, sameValue } from "../../validation/immutable.ts";
import { validateNonnegative } from "../../validation/numbers.ts";

/** `ControllerRevision.apps`: what a template once was. */
export const CONTROLLER_REVISION: KindStrategy = {
  validateCreate(object) {
    const { data } = object;
    const at = FieldPath.of("data");
    const errors = validateNonnegative(revisionOf(object), FieldPath.of("revision"));
    if (data === undefined || data === null) errors.push(required(at, "data is mandatory"));
    else if (typeof data !== "object" || Array.isArray(data)) {
      errors.push(required(at, "data must be a valid JSON object"));
    }
    return errors;
  },
  validateUpdate(object, old) {
    const errors = validateNonnegative(revisionOf(object), FieldPath.of("revision"));
    if (!sameValue(object["data"], old["data"])) {
      errors.push(invalid(FieldPath.of("data"), object["data"], IMMUTABLE));
    }
    return errors;
  },
  validateName: subdomainNameProblems,
};

function revisionOf(object: ApiObject): number {
  return object["revision"] as number | undefined ?? 0;
}
