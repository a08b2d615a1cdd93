import { controllerOf, type KubeObject } from "@xca/apimachinery/meta";
import type { IndexFunc } from "../../cache/store/index_table.ts";
import type { OwnsOptions } from "../definition/controller_builder.ts";

/**
 * The name of the cache index, within a controller's cache, of objects by the UID of their
 * controller; objects without a controller are not listed.
 */
export const CONTROLLER_UID_INDEX = "controllerUid";

const controllerUid: IndexFunc = ({ ownerReferences }) => {
  const controller = controllerOf({ ownerReferences });
  return controller ? [controller.uid] : [];
};

/**
 * Options of {@linkcode ControllerBuilder.owns} with the cache index by which {@linkcode
 * pruneChildren} finds the children of one owner, whatever the number of objects in the cache.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { childSource, controllerFor } from "@xca/operator/controller";
 * import { ConfigMap, Secret } from "@xca/operator/meta";
 *
 * const builder = controllerFor(ConfigMap).owns(Secret, { ...childSource, labelSelector: "app" });
 * assert.equal(builder.reconcile(() => {}).sources[1]?.labelSelector, "app");
 * ```
 */
export const childSource: Pick<OwnsOptions<KubeObject>, "indexes"> = Object.freeze({
  indexes: Object.freeze({ [CONTROLLER_UID_INDEX]: controllerUid }),
});
