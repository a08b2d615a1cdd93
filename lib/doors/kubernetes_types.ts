/**
 * TypeScript types of Kubernetes' built-in kinds, re-exported from
 * `@xca/apimachinery/kubernetes-types`, so that an operator has one dependency.
 *
 * @module
 */
export type * from "@xca/apimachinery/kubernetes-types";
