/**
 * Internals of `@xca/apimachinery/meta` for the other packages of this repository. Not public API:
 * no compatibility is promised.
 *
 * @module
 */
export { type FieldTerm, parseFieldSelector } from "./field_selector.ts";
export {
  meetsRequirement,
  parseInt64,
  parseSelector,
  type SelectorDialect,
  type SelectorExpectation,
  type SelectorOperator,
  type SelectorRequirement,
} from "./label_selector_syntax.ts";
export { isDnsSubdomain } from "./name_rules.ts";
export { podSecretNames } from "./pod_secrets.ts";
export { PRETEND_ANNOTATION } from "./pretend_annotation.ts";
export { storedAs } from "./resource_type.ts";
