// Mirrors `controller/replicaset/replica_set_utils.go, updateReplicaSetStatus`.
import {
  type DeepReadonly,
  keyOf,
  type KubeObject,
  type ResourceType,
} from "@xca/apimachinery/meta";
import { isConflict } from "../../client/errors/api_error.ts";
import type { ReconcileContext } from "../../controller/definition/reconciler.ts";

/** An object of any kind that has a status. */
type WithStatus<Status> = KubeObject & { status?: Status };

/**
 * Writes the status of an object. After a conflict the object is read from the server, its status
 * is recomputed, and the write is repeated once, unless the object was replaced by another of the
 * same name.
 *
 * @throws {ApiError} When the server refuses the second write, or the first for another reason.
 */
export async function writeStatus<Status, T extends WithStatus<Status>>(
  { client }: Pick<ReconcileContext, "client">,
  type: ResourceType<T>,
  object: DeepReadonly<T>,
  statusOf: (object: DeepReadonly<T>) => Status,
): Promise<void> {
  try {
    await client.updateStatus(type, { ...object, status: statusOf(object) } as unknown as T);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const fresh = await client.get(type, keyOf(object));
    if (fresh.metadata.uid !== object.metadata.uid) throw error;
    const read = fresh as unknown as DeepReadonly<T>;
    await client.updateStatus(type, { ...fresh, status: statusOf(read) });
  }
}
