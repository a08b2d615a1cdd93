import { duplicate, type FieldError, FieldPath, required } from "@xca/apimachinery/internal/errors";

const PATH = FieldPath.of("status", "conditions");

/**
 * Validates the conditions of FlowSchemas and PriorityLevelConfigurations, in which each type may
 * occur once (`flowcontrol/validation/validation.go`, `ValidateFlowSchemaStatus`).
 */
export function validateFlowConditions(
  conditions: readonly { readonly type?: string }[] = [],
): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap(({ type = "" }, index) => {
    const at = PATH.index(index).child("type");
    const errors = seen.has(type) ? [duplicate(at, type)] : [];
    seen.add(type);
    return type === "" ? [...errors, required(at)] : errors;
  });
}
