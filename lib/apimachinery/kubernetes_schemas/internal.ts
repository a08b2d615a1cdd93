/**
 * The structural schemas of Kubernetes' own types, for other packages of this repository. Not
 * public API: no compatibility is promised.
 *
 * @module
 */
export { kubernetesSchema, QUANTITY_PATTERN } from "./kubernetes_schema.ts";
export type { SchemaTypes } from "./schema_types.ts";
