import type { PolicyRule } from "../rbac/policy_rule.ts";
import { rulesOf } from "../rbac/rules_of.ts";
import { defineOperator } from "../controller/operator/operator.ts";
import { xcaController, xtlsController } from "./xca_operator.ts";

/**
 * The rules of a ClusterRole for the controller of {@linkcode Xca}: those of its watch and of all
 * accesses that it declares.
 */
export const xcaRules: readonly PolicyRule[] = rulesOf(
  defineOperator({ name: "xca", controllers: [xcaController] }),
).cluster;

/**
 * The rules of a ClusterRole for the controller of {@linkcode Xtls}: those of its watch and of all
 * accesses that it declares.
 */
export const xtlsRules: readonly PolicyRule[] = rulesOf(
  defineOperator({ name: "xtls", controllers: [xtlsController] }),
).cluster;
