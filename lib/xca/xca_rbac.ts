import type { PolicyRule } from "../rbac/policy_rule.ts";
import { rulesOf } from "../rbac/rules_of.ts";
import { defineOperator } from "../controller/operator/operator.ts";
import { xcaController, xtlsController } from "./xca_operator.ts";

/** The RBAC rules that the controller of {@linkcode Xca} needs. */
export const xcaRules: readonly PolicyRule[] = rulesOf(
  defineOperator({ name: "xca", controllers: [xcaController] }),
).cluster;

/** The RBAC rules that the controller of {@linkcode Xtls} needs. */
export const xtlsRules: readonly PolicyRule[] = rulesOf(
  defineOperator({ name: "xtls", controllers: [xtlsController] }),
).cluster;
