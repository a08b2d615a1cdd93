import { OnDemand } from "../base/on_demand.ts";

/**
 * The module that evaluates regular expressions and CEL rules of schemas, as {@linkcode
 * SCHEMA_CODE} loads it.
 */
export type SchemaCode = typeof import("./loaded_code.ts");

/**
 * The code that the validation of CustomResourceDefinitions and custom resources needs, loaded at
 * the first use.
 */
export const SCHEMA_CODE: OnDemand<SchemaCode> = new OnDemand(() => import("./loaded_code.ts"));
