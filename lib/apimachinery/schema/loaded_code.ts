/**
 * The code that validates custom resources and is loaded on demand: RE2 and CEL, which make up more
 * than half of the server's code. Import {@linkcode SCHEMA_CODE} instead of this file.
 *
 * @module
 */
export { checkCustomRules, compileCustomRules } from "../cel/custom_rules.ts";
export { goRegExp } from "../validation/go_regexp.ts";
