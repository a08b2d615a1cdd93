import type { ReconcileContext, Reconciler } from "../controller/definition/reconciler.ts";
import { formatTime, type KubeObject, type ResourceType } from "@xca/apimachinery/meta";
import { Xca, type XcaStatus } from "./xca.ts";
import { Xtls } from "./xtls.ts";

/**
 * The reconciler of {@linkcode Xca}: writes `active: true` and the present time to the status of an
 * object that is not active yet, and nothing to others.
 */
export const reconcileXca: Reconciler = activate(Xca);

/**
 * The reconciler of {@linkcode Xtls}: writes `active: true` and the present time to the status of
 * an object that is not active yet, and nothing to others.
 */
export const reconcileXtls: Reconciler = activate(Xtls);

/**
 * Returns the reconciler that activates the objects of one kind; Xca and Xtls have the same fields.
 */
function activate<T extends KubeObject & { status?: XcaStatus }>(
  type: ResourceType<T>,
): Reconciler {
  return async ({ key, client, cache, clock, log }: ReconcileContext): Promise<void> => {
    const object = cache.get(type, key);
    if (!object) {
      log.info("{kind} {key} is gone, nothing to do", { kind: type.kind, key });
      return;
    }
    if (object.status?.active) {
      log.debug("{kind} {key} is active already, nothing to do", { kind: type.kind, key });
      return;
    }
    const status: XcaStatus = { active: true, last_update_time: formatTime(clock.now()) };
    await client.updateStatus(type, { ...object, status });
    log.info("{kind} {key} is active now", { kind: type.kind, key });
  };
}
