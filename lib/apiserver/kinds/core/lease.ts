import { type FieldError, FieldPath, invalid } from "@xca/apimachinery/internal/errors";
import type { V1Lease } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

const SPEC = FieldPath.of("spec");

/**
 * The strategy of Leases, which sets defaults, prepares objects for storage and validates writes
 * (registry/coordination/lease, `Strategy`).
 */
export const leaseStrategy: KindStrategy = typedStrategy<V1Lease>({
  defaults(lease) {
    lease.spec ??= {};
  },
  prepareForCreate: dropUnreleasedFields,
  prepareForUpdate: dropUnreleasedFields,
  validateCreate: validate,
  validateUpdate: validate,
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
});

/**
 * Removes the fields of a Lease for coordinated leader election, a feature that is off by default.
 */
function dropUnreleasedFields({ spec = {} }: V1Lease): void {
  delete spec.strategy;
  delete spec.preferredHolder;
}

function validate({ spec = {} }: V1Lease): FieldError[] {
  const errors: FieldError[] = [];
  const { leaseDurationSeconds, leaseTransitions } = spec;
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    const path = SPEC.child("leaseDurationSeconds");
    errors.push(invalid(path, leaseDurationSeconds, "must be greater than 0"));
  }
  if (leaseTransitions !== undefined && leaseTransitions < 0) {
    const path = SPEC.child("leaseTransitions");
    errors.push(invalid(path, leaseTransitions, "must be greater than or equal to 0"));
  }
  return errors;
}
