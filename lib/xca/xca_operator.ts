import type { KubeObject, ResourceType } from "@xca/apimachinery/meta";
import {
  type ControllerBuilder,
  controllerFor,
} from "../controller/definition/controller_builder.ts";
import type { ControllerDefinition } from "../controller/definition/controller_definition.ts";
import { defineOperator } from "../controller/operator/operator.ts";
import type { Operator } from "../controller/definition/operator_definition.ts";
import { Xca } from "./xca.ts";
import { reconcileXca, reconcileXtls } from "./xca_reconciler.ts";
import { Xtls } from "./xtls.ts";

/** The controller that reconciles objects of the kind {@linkcode Xca}. */
export const xcaController: ControllerDefinition = withEveryUse(Xca).reconcile(reconcileXca);

/** The controller that reconciles objects of the kind {@linkcode Xtls}. */
export const xtlsController: ControllerDefinition = withEveryUse(Xtls).reconcile(reconcileXtls);

/** The reference operator, which `kubectl xca run` runs without a module. */
export const xcaOperator: Operator = defineOperator({
  name: "xca",
  controllers: [xcaController, xtlsController],
});

/**
 * Returns the builder of a controller that declares the accesses which kubebuilder scaffolds for a
 * new kind; they exceed those of the reconciler.
 */
function withEveryUse<T extends KubeObject>(type: ResourceType<T>): ControllerBuilder<T> {
  return controllerFor(type)
    .uses(type, ["get", "create", "update", "patch", "delete"])
    .uses(type, ["get", "update", "patch"], { subresource: "status" })
    .uses(type, ["update"], { subresource: "finalizers" });
}
