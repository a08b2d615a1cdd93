/**
 * Internals of `@xca/apimachinery/meta` for the other packages of this repository. Not public API: no
 * compatibility is promised.
 *
 * @module
 */
export { type FieldTerm, parseFieldSelector } from "./field_selector.ts";
export { storedAs } from "./resource_type.ts";
