import { controllerFor } from "../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../controller/definition/controller_definition.ts";
import { defineOperator } from "../controller/operator/operator.ts";
import type { Operator } from "../controller/definition/operator_definition.ts";
import { Xca } from "./xca.ts";
import { xcaCrd, xtlsCrd } from "./xca_crd.ts";
import { reconcileXca, reconcileXtls } from "./xca_reconciler.ts";
import { Xtls } from "./xtls.ts";

/** The controller of {@linkcode Xca}. */
export const xcaController: ControllerDefinition = controllerFor(Xca).reconcile(reconcileXca);

/** The controller of {@linkcode Xtls}. */
export const xtlsController: ControllerDefinition = controllerFor(Xtls).reconcile(reconcileXtls);

/** The reference operator, which `kubectl xca run` runs without a module. */
export const xcaOperator: Operator = defineOperator({
  name: "xca",
  controllers: [xcaController, xtlsController],
  crds: [xcaCrd, xtlsCrd],
});
