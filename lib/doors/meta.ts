/**
 * Resource types, object keys, versions, selectors and owner references, re-exported from
 * `@xca/apimachinery/meta`, so that an operator has one dependency.
 *
 * @module
 */
export * from "@xca/apimachinery/meta";
