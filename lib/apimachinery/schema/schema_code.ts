import { OnDemand } from "../base/on_demand.ts";

/**
 * The type of the module that evaluates regular expressions and CEL rules of schemas, which
 * {@linkcode SCHEMA_CODE} loads.
 */
export type SchemaCode = typeof import("./loaded_code.ts");

/**
 * The loader of the code that the validation of CustomResourceDefinitions and custom resources
 * needs; it loads the code at the first use.
 */
export const SCHEMA_CODE: OnDemand<SchemaCode> = new OnDemand(() => import("./loaded_code.ts"));
