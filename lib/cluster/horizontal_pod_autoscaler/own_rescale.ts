import type { V1ManagedFieldsEntry } from "@xca/apimachinery/kubernetes-types";
import type { KubeObject } from "@xca/apimachinery/meta";
import { objectPath } from "../../client/calls/paths.ts";
import type { Client } from "../../client/typed/client.ts";
import type { TargetScale } from "./scale_target.ts";
import type { ReadAutoscaler } from "./scaling_history.ts";

/**
 * Returns the name under which the replicas of an autoscaler's target are written, in the
 * `managedFields` of the target. Each autoscaler has a name of its own: the server stores no time of
 * such a write, and an earlier autoscaler may have scaled the target.
 */
export function fieldManagerOf({ metadata }: ReadAutoscaler): string {
  return `horizontal-pod-autoscaler-${metadata.uid}`;
}

/**
 * Reports whether an autoscaler gave its target the present size, and its status does not tell of that:
 * the controller ended between the two writes. A size of zero is written to the status first, since the
 * server notes no manager of it.
 *
 * kube-controller-manager takes such a size for one of somebody else.
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
