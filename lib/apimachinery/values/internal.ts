/**
 * Internals of `@xca/apimachinery/values` for the other packages of this repository. Not public
 * API: no compatibility is promised.
 *
 * @module
 */
export {
  type ApiObject,
  formatGroupKind,
  formatGroupResource,
  type GroupKind,
  type GroupResource,
  type Json,
  type JsonObject,
} from "./api_object.ts";
export { booleanParameter } from "./boolean_parameter.ts";
export { compareTexts, sortedEntries, sortTexts } from "./go_order.ts";
export { escapeHtml, goJson, goQuote } from "./go_text.ts";
export { canonicalMicroTime, canonicalTime } from "./go_time.ts";
export { goSyntax, goType, goValue } from "./go_values.ts";
export {
  canonicalJson,
  cloneJson,
  isMap,
  jsonEqual,
  jsonText,
  Members,
  rebuild,
  setField,
  sortFields,
} from "./json_values.ts";
export { decodePercent } from "./percent_encoding.ts";
export { compareQuantities, isWholeQuantity, milliValue, nanosOf, wholeValue } from "./quantity.ts";
export { BINARY_SUFFIXES, DECIMAL_SUFFIXES, NO_QUANTITY, NO_SUFFIX } from "./quantity_suffixes.ts";
