// Mirrors `apis/meta/v1/validation/validation.go, ValidateCondition`.
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
  tooLong,
} from "@xca/apimachinery/internal/errors";
import {
  byteLength,
  patternProblem,
  validateLabelKey,
} from "@xca/apimachinery/internal/validation";

/** A condition of an object's status (`metav1.Condition`). */
export interface ConditionFields {
  readonly type?: string;
  readonly status?: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

const REASON = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const IS_REASON = new RegExp(`^${REASON}$`);
const REASON_MESSAGE = "a condition reason must start with alphabetic character, optionally " +
  "followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric " +
  "character or '_'";

/**
 * Returns the validation errors of the conditions of an object's status, of which each type may
 * occur once (`apis/meta/v1/validation/validation.go`, `ValidateConditions`).
 */
export function validateConditions(
  conditions: readonly ConditionFields[] | undefined,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, condition] of (conditions ?? []).entries()) {
    const at = path.index(index);
    const type = condition.type ?? "";
    if (seen.has(type)) errors.push(duplicate(at, type));
    seen.add(type);
    errors.push(...validateCondition(condition, at));
  }
  return errors;
}

function validateCondition(condition: ConditionFields, path: FieldPath): FieldError[] {
  const { type = "", status = "", observedGeneration = 0, reason = "", message = "" } = condition;
  const errors = type === ""
    ? [required(path.child("type"), "is required")]
    : validateLabelKey(type, path.child("type"));
  const statuses = ["False", "True", "Unknown"];
  if (status === "") errors.push(required(path.child("status")));
  else if (!statuses.includes(status)) {
    errors.push(notSupported(path.child("status"), status, statuses));
  }
  if (observedGeneration < 0) {
    const detail = "must be greater than or equal to zero";
    errors.push(invalid(path.child("observedGeneration"), observedGeneration, detail));
  }
  if (!condition.lastTransitionTime) errors.push(required(path.child("lastTransitionTime")));
  if (reason === "") errors.push(required(path.child("reason")));
  else {
    if (!IS_REASON.test(reason)) {
      const examples = ["my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB"];
      const detail = patternProblem(REASON_MESSAGE, REASON, ...examples);
      errors.push(invalid(path.child("reason"), reason, detail));
    }
    if (byteLength(reason) > 1024) errors.push(tooLong(path.child("reason"), 1024));
  }
  if (byteLength(message) > 32 * 1024) errors.push(tooLong(path.child("message"), 32 * 1024));
  return errors;
}
