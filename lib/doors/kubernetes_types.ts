/**
 * TypeScript types of Kubernetes' built-in kinds, as in `@xca/apimachinery/kubernetes-types`, so that
 * an operator has one dependency.
 *
 * @module
 */
export type * from "@xca/apimachinery/kubernetes-types";
