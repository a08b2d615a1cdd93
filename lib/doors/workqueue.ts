/**
 * Queues of keys that need work, with priorities, delays and rate limits, re-exported from
 * `@xca/apimachinery/workqueue`, so that an operator has one dependency.
 *
 * @module
 */
export * from "@xca/apimachinery/workqueue";
