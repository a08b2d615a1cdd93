/**
 * Clock, chance, abortable waiting, back-off and logging, as in `@xca/apimachinery/base`, so that an
 * operator has one dependency.
 *
 * @module
 */
export * from "@xca/apimachinery/base";
