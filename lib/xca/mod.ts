/**
 * The reference operator: the kinds Xca and Xtls of the group `apps.xca.k8s.kb.cx`, their
 * CustomResourceDefinitions, controllers and RBAC rules.
 *
 * @module
 */
export { Xca, type XcaSpec, type XcaStatus } from "./xca.ts";
export { xcaController, xcaOperator, xtlsController } from "./xca_operator.ts";
export { xcaCrd, xtlsCrd } from "./xca_crd.ts";
export { xcaRules, xtlsRules } from "./xca_rbac.ts";
export { reconcileXca, reconcileXtls } from "./xca_reconciler.ts";
export { Xtls, type XtlsSpec, type XtlsStatus } from "./xtls.ts";
