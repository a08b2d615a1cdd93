import type { KubeObject } from "@xca/apimachinery/meta";
import type { DeleteOptions } from "../calls/options.ts";
import { ignoreNotFound } from "../errors/api_error.ts";
import { retryOnConflict, type RetryOnConflictOptions } from "./retry_on_conflict.ts";

/** Options of {@linkcode deleteIf}, which deletes an object that a function has judged. */
export interface DeleteIfOptions<T extends KubeObject>
  extends Pick<RetryOnConflictOptions, "signal" | "clock" | "random"> {
  /** The state of the object that is judged first. @default the result of `read` */
  readonly known?: T | undefined;
  /**
   * Reads the object from the server; rejects with an {@linkcode isNotFound} error if there is
   * none.
   */
  readonly read: () => Promise<T>;
  /** Reports whether the object, in this state, is to be deleted; may throw. */
  readonly judge: (object: T) => boolean;
  /**
   * Deletes the object with the given preconditions; rejects with an {@linkcode isConflict} error
   * if the object has changed.
   */
  readonly remove: (preconditions: NonNullable<DeleteOptions["preconditions"]>) => Promise<unknown>;
}

/**
 * Deletes an object in the state that `judge` has accepted: the preconditions name its UID and
 * resourceVersion. After a conflict, the function reads and judges the object again, as {@linkcode
 * retryOnConflict} does. Returns the outcome:
 *
 * - `deleted`: the server has deleted the object, or has begun its deletion.
 * - `kept`: `judge` refused.
 * - `absent`: the read found no object.
 * - `gone`: the object was there when it was judged, and not when it was to be deleted.
 *
 * @throws {ApiError} When the server refuses a request, or each attempt conflicted.
 * @throws {unknown} The error of `judge`, or the reason of the signal.
 */
export async function deleteIf<T extends KubeObject>(
  { known, read, judge, remove, ...ports }: DeleteIfOptions<T>,
): Promise<"deleted" | "kept" | "absent" | "gone"> {
  let next = known;
  return await retryOnConflict(async () => {
    const object = next ?? await ignoreNotFound(read());
    next = undefined;
    if (!object) return "absent";
    if (!judge(object)) return "kept";
    const { uid, resourceVersion } = object.metadata;
    const removed = remove({ uid, resourceVersion }).then(() => "deleted" as const);
    return await ignoreNotFound(removed) ?? "gone";
  }, ports);
}
