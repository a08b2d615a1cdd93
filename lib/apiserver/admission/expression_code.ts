import { OnDemand } from "@xca/apimachinery/internal/base";

/** The exports of the modules that evaluate the CEL expressions of policies and webhooks. */
export type ExpressionCode =
  & typeof import("./expressions.ts")
  & typeof import("./conditions.ts")
  & typeof import("./policies/compiled_policy.ts")
  & typeof import("./policies/mutations.ts")
  & typeof import("./policies/apply_patch.ts");

/**
 * The on-demand import of the modules that evaluate CEL expressions of policies and webhooks. They
 * are loaded when a policy, a policy binding or a webhook configuration is first validated, or an
 * expression is first evaluated.
 */
export const EXPRESSIONS: OnDemand<ExpressionCode> = new OnDemand(async () => ({
  ...await import("./expressions.ts"),
  ...await import("./conditions.ts"),
  ...await import("./policies/compiled_policy.ts"),
  ...await import("./policies/mutations.ts"),
  ...await import("./policies/apply_patch.ts"),
}));

/**
 * Returns a function that makes a value from the modules that evaluate CEL. The value is made at
 * the first call; later calls return the same value.
 */
export function madeOnce<T extends object>(
  make: (code: ExpressionCode) => T,
): (code: ExpressionCode) => T {
  let made: T | undefined;
  return (code) => made ??= make(code);
}
