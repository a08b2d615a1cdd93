import type { KindStrategy } from "../machinery/strategy.ts";

/** By kind and group, as `Pod` or `Deployment.apps`. */
export const WORKLOAD_STRATEGIES: Readonly<Record<string, KindStrategy>> = {};
