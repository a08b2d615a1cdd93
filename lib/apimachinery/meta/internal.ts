/**
 * Shared by the packages of `@xca` alone: no promise of compatibility is made.
 *
 * @module
 */
export { storedAs } from "./resource_type.ts";
