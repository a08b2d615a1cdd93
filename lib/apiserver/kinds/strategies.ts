import type { KindStrategy } from "../machinery/strategy.ts";
import { customResourceDefinitionStrategy } from "../crd/definition/strategy.ts";
import { ADMISSION_STRATEGIES } from "../admission/configuration/strategies.ts";
import { CORE_STRATEGIES } from "./core_strategies.ts";
import { PLATFORM_STRATEGIES } from "./platform_strategies.ts";
import { WORKLOAD_STRATEGIES } from "./workload_strategies.ts";

const STRATEGIES: Readonly<Record<string, KindStrategy>> = {
  ...CORE_STRATEGIES,
  ...PLATFORM_STRATEGIES,
  ...WORKLOAD_STRATEGIES,
  ...ADMISSION_STRATEGIES,
  "CustomResourceDefinition.apiextensions.k8s.io": customResourceDefinitionStrategy,
};

/**
 * Returns the strategy of a built-in kind; an empty strategy for a kind without rules beyond its
 * schema.
 */
export function strategyOf(group: string, kind: string): KindStrategy {
  return STRATEGIES[group === "" ? kind : `${kind}.${group}`] ?? {};
}
