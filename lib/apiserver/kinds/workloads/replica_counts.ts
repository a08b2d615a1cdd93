/**
 * Validates the pod counts in the statuses of workloads (`apps/validation/validation.go`,
 * `ValidateReplicaSetStatus`).
 *
 * @module
 */
import { type FieldError, FieldPath, invalid } from "@xca/apimachinery/internal/errors";
import { validateNonnegative } from "../../validation/numbers.ts";

/** The status of a workload: a record of pod counts by field. */
export type Counts = Readonly<Record<string, unknown>>;

/** The field path of a workload's status. */
export const STATUS: FieldPath = FieldPath.of("status");

/**
 * Checks that the pod counts of a workload's status are not negative; absent counts are not
 * checked. Returns the field errors.
 */
export function validateCounts(status: Counts, fields: readonly string[]): FieldError[] {
  return fields.flatMap((field) => {
    const count = status[field];
    return typeof count === "number" ? validateNonnegative(count, STATUS.child(field)) : [];
  });
}

/**
 * Checks that pod counts of a workload's status do not exceed another count, the field `limit`.
 * Returns the field errors.
 */
export function validateAtMost(
  status: Counts,
  fields: readonly string[],
  limit: string,
  detail: string,
): FieldError[] {
  const most = countOf(status, limit);
  return fields.filter((field) => countOf(status, field) > most)
    .map((field) => invalid(STATUS.child(field), countOf(status, field), detail));
}

function countOf(status: Counts, field: string): number {
  return status[field] as number | undefined ?? 0;
}

/**
 * Checks that the collision count of a workload's status neither decreases nor disappears. Returns
 * the field errors.
 */
export function validateCollisionCount(status: Counts, old: Counts): FieldError[] {
  const before = old["collisionCount"] as number | undefined;
  const now = status["collisionCount"] as number | undefined;
  if (before === undefined || (now !== undefined && now >= before)) return [];
  return [invalid(STATUS.child("collisionCount"), now ?? 0, "cannot be decremented")];
}
