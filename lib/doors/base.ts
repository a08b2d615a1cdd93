/**
 * Clock, randomness, abortable waiting, back-off and logging, re-exported from
 * `@xca/apimachinery/base`, so that an operator has one dependency.
 *
 * @module
 */
export * from "@xca/apimachinery/base";
