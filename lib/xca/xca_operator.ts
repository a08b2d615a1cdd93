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

/** The controller of {@linkcode Xca}. */
export const xcaController: ControllerDefinition = withEveryUse(Xca).reconcile(reconcileXca);

/** The controller of {@linkcode Xtls}. */
export const xtlsController: ControllerDefinition = withEveryUse(Xtls).reconcile(reconcileXtls);

/** The reference operator, which `kubectl xca run` runs without a module. */
export const xcaOperator: Operator = defineOperator({
  name: "xca",
  controllers: [xcaController, xtlsController],
});

/**
 * Returns the builder of a controller that declares the uses that kubebuilder's scaffold has for a new
 * kind, more than the reconciler makes.
 */
function withEveryUse<T extends KubeObject>(type: ResourceType<T>): ControllerBuilder<T> {
  return controllerFor(type)
    .uses(type, ["get", "create", "update", "patch", "delete"])
    .uses(type, ["get", "update", "patch"], { subresource: "status" })
    .uses(type, ["update"], { subresource: "finalizers" });
}
