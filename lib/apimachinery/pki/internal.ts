/**
 * Functions that only the packages of `@xca` use. Their compatibility is not guaranteed.
 *
 * @module
 */
export { freshSigningKey, kubeconfigKey } from "./key_pair.ts";
