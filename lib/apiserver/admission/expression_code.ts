import { OnDemand } from "@xca/apimachinery/internal/base";

/** What policies and conditions of webhooks are made of. */
type ExpressionCode =
  & typeof import("./expressions.ts")
  & typeof import("./conditions.ts")
  & typeof import("./policies/compiled_policy.ts")
  & typeof import("./policies/mutations.ts")
  & typeof import("./policies/apply_patch.ts");

/**
 * The expressions of policies and webhooks, and with them all of CEL. Loaded before a policy or a
 * configuration of webhooks is written, or read from a data file.
 */
export const EXPRESSIONS: OnDemand<ExpressionCode> = new OnDemand(async () => ({
  ...await import("./expressions.ts"),
  ...await import("./conditions.ts"),
  ...await import("./policies/compiled_policy.ts"),
  ...await import("./policies/mutations.ts"),
  ...await import("./policies/apply_patch.ts"),
}));
