import type { V1ManagedFieldsEntry } from "@xca/apimachinery/kubernetes-types";
import type { KubeObject } from "@xca/apimachinery/meta";
import { objectPath } from "../../client/calls/paths.ts";
import type { Client } from "../../client/typed/client.ts";
import type { TargetScale } from "./scale_target.ts";
import type { ReadAutoscaler } from "./scaling_history.ts";

/**
 * Returns the name of the field manager with which an autoscaler writes the replicas of its target.
 * Each autoscaler has its own field manager: the server stores no time of a write to a scale, and a
 * deleted autoscaler may have scaled the same target.
 */
export function fieldManagerOf({ metadata }: ReadAutoscaler): string {
  return `horizontal-pod-autoscaler-${metadata.uid}`;
}

/**
 * Reports whether an autoscaler has scaled its target to the present size and the autoscaler's
 * status does not record the scaling, because the controller stopped between the two writes. A size
 * of zero is recorded in the status first, since the server keeps no field manager for it.
 *
 * kube-controller-manager treats a size that the status does not record as a change by another
 * client.
 *
 * @throws {ApiError} When the target cannot be read.
 */
export async function isUnreportedRescale(
  client: Client,
  autoscaler: ReadAutoscaler,
  { type, key, replicas }: TargetScale,
): Promise<boolean> {
  if (replicas === (autoscaler.status?.desiredReplicas ?? 0)) return false;
  const target = await client.requestJson<KubeObject>({ path: objectPath(type, key) });
  const entries: readonly V1ManagedFieldsEntry[] = target.metadata.managedFields ?? [];
  const own = fieldManagerOf(autoscaler);
  return entries.some(({ manager, fieldsV1 }) => manager === own && hasReplicas(fieldsV1));
}

function hasReplicas(fields: unknown): boolean {
  const { "f:spec": spec } = (fields ?? {}) as { readonly "f:spec"?: Record<string, unknown> };
  return spec?.["f:replicas"] !== undefined;
}
