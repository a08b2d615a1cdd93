// Mirrors `controller/podautoscaler/horizontal.go, HorizontalController.scaleForResourceMappings`.
import { formatKey, type ResourceType } from "@xca/apimachinery/meta";
import { isConflict } from "../../client/errors/api_error.ts";
import { getScale, type Scale, updateScale } from "../../client/subresources/scale.ts";
import type { Client } from "../../client/typed/client.ts";
import { groupKindOf, resourcesOfKind } from "./target_kinds.ts";

/**
 * The largest number of attempts to write the replicas of an autoscaler's target. Only conflicts
 * are retried.
 */
const ATTEMPTS = 5;

/**
 * The scale of an autoscaler's target as read from the server, with the type and key of the target.
 */
export interface TargetScale {
  readonly type: ResourceType;
  readonly key: string;
  readonly object: Scale;
  /** The number of replicas in the spec of the target's scale; 0 if absent. */
  readonly replicas: number;
  /** The number of replicas in the status of the target's scale; 0 if absent. */
  readonly existing: number;
  /** The label selector of the autoscaler's target pods, as text; empty if the scale has none. */
  readonly selector: string;
}

/** The reference of an autoscaler to the object that it scales. */
interface TargetReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * Returns the scale of an autoscaler's target, read from the first API version of the target's kind
 * that has the scale subresource.
 *
 * @throws {ApiError} When the target is absent or has no scale.
 * @throws {Error} When the kind of the target is unknown.
 */
export async function readScale(
  client: Client,
  namespace: string,
  reference: TargetReference,
): Promise<TargetScale> {
  const key = formatKey({ namespace, name: reference.name });
  const failures: unknown[] = [];
  for (const type of await resourcesOfKind(client, groupKindOf(reference))) {
    try {
      return scaleOf(type, key, await getScale(client, type, key));
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures[0];
}

function scaleOf(type: ResourceType, key: string, object: Scale): TargetScale {
  const { spec, status } = object;
  return {
    type,
    key,
    object,
    replicas: spec?.replicas ?? 0,
    existing: status?.replicas ?? 0,
    selector: status?.selector ?? "",
  };
}

/**
 * Writes the number of replicas of an autoscaler's target, with retries after conflicts.
 *
 * @throws {ApiError} When the server refuses.
 */
export async function writeScale(
  client: Client,
  { type, key, object }: TargetScale,
  replicas: number,
  fieldManager: string,
): Promise<void> {
  let scale = object;
  for (let attempt = 1;; attempt++) {
    try {
      const changed = { ...scale, spec: { ...scale.spec, replicas } };
      await updateScale(client, type, changed, { fieldManager });
      return;
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error;
      scale = await getScale(client, type, key);
    }
  }
}
