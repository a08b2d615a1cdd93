import { OnDemand } from "../base/on_demand.ts";

/**
 * The rules of custom kinds: with them comes all of CEL, a fifth of the server's code. It is loaded
 * before a definition is written, or read from a data file.
 */
export const CUSTOM_RULES: OnDemand<typeof import("./custom_rules.ts")> = new OnDemand(() =>
  import("./custom_rules.ts")
);
