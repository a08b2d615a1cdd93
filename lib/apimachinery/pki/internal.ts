/**
 * Shared by the packages of `@xca` alone: no promise of compatibility is made.
 *
 * @module
 */
export { freshSigningKey, kubeconfigKey } from "./key_pair.ts";
