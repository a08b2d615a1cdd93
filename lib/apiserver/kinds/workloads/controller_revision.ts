import { FieldPath, invalid, required } from "@xca/apimachinery/internal/errors";
import { subdomainNameProblems } from "@xca/apimachinery/internal/validation";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";
import type { Meta } from "../pods/common/pod_types.ts";
import { IMMUTABLE, sameValue } from "../../validation/immutable.ts";
import { validateNonnegative } from "../../validation/numbers.ts";

interface ControllerRevision {
  metadata: Meta;
  data?: unknown;
  revision?: number;
}

/**
 * The strategy of ControllerRevisions, which validates writes (registry/apps/controllerrevision,
 * `Strategy`).
 */
export const controllerRevisionStrategy: KindStrategy = typedStrategy<ControllerRevision>({
  validateCreate(object) {
    const { data } = object;
    const at = FieldPath.of("data");
    const errors = validateNonnegative(object.revision ?? 0, FieldPath.of("revision"));
    if (data === undefined || data === null) errors.push(required(at, "data is mandatory"));
    else if (typeof data !== "object" || Array.isArray(data)) {
      errors.push(required(at, "data must be a valid JSON object"));
    }
    return errors;
  },
  validateUpdate(object, old) {
    const errors = validateNonnegative(object.revision ?? 0, FieldPath.of("revision"));
    if (!sameValue(object.data, old.data)) {
      errors.push(invalid(FieldPath.of("data"), object.data, IMMUTABLE));
    }
    return errors;
  },
  validateName: subdomainNameProblems,
});
