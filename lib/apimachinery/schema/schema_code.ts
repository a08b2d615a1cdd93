import { OnDemand } from "../base/on_demand.ts";

/** Regular expressions and CEL rules, as {@linkcode SCHEMA_CODE} loads them. */
export type SchemaCode = typeof import("./loaded_code.ts");

/** Loads the code that the validation of definitions and of custom resources needs. */
export const SCHEMA_CODE: OnDemand<SchemaCode> = new OnDemand(() => import("./loaded_code.ts"));
