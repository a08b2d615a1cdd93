// Mirrors `registry/rest/delete.go, BeforeDelete`.
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { formatTime } from "@xca/apimachinery/meta";
import type { DeleteOptions } from "../../request/delete_options.ts";
import type { VerbContext } from "./verb_context.ts";

/**
 * The way in which the deletion of an object starts: at once, with a grace period, or already in
 * progress.
 */
export type DeletionStart =
  /** The start of an immediate deletion: only finalizers can delay the removal. */
  | { readonly kind: "now" }
  /**
   * The start of a graceful deletion: the object is marked and stays until a deletion with a grace
   * period of 0. With `seconds` 0 the object is removed at once, unless finalizers delay this.
   */
  | { readonly kind: "graceful"; readonly seconds: number }
  /**
   * The start of a deletion of an object that is already being deleted, with a grace period no
   * longer than the requested one, or if none was requested.
   */
  | { readonly kind: "pending" };

const NOW: DeletionStart = { kind: "now" };

/**
 * Marks an object as being deleted, in place, if its kind has a grace period, or shortens the
 * period of an object that is already marked. The first mark increments the generation. Returns the
 * way in which the deletion starts (`rest/delete.go`, `BeforeDelete`).
 */
export function beginDeletion(
  object: ApiObject,
  options: DeleteOptions,
  context: VerbContext,
): DeletionStart {
  const { strategy } = context.resource;
  const { metadata } = object;
  const requested = atLeast(options.gracePeriodSeconds);
  if ((metadata.deletionGracePeriodSeconds ?? 0) < 0) metadata.deletionGracePeriodSeconds = 1;
  if (!strategy.gracePeriodSeconds) return NOW;
  if (metadata.deletionTimestamp) return shorten(object, requested, context.now);
  const seconds = strategy.gracePeriodSeconds(object, requested, context);
  if (seconds === undefined) return NOW;
  metadata.deletionTimestamp = formatTime(new Date(context.now.getTime() + seconds * 1000));
  metadata.deletionGracePeriodSeconds = seconds;
  if (metadata.generation) metadata.generation++;
  return { kind: "graceful", seconds };
}

/**
 * Returns the requested grace period of a deletion in seconds; a negative period counts as one
 * second. Returns `undefined` if none was requested.
 */
function atLeast(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds < 0 ? 1 : seconds;
}

/**
 * Shortens the grace period of an object that is being deleted to the requested seconds; the period
 * never grows.
 */
function shorten({ metadata }: ApiObject, requested: number | undefined, now: Date): DeletionStart {
  const granted = metadata.deletionGracePeriodSeconds ?? 0;
  if (granted === 0) return NOW;
  if (requested === undefined || requested >= granted) return { kind: "pending" };
  const begun = Date.parse(metadata.deletionTimestamp!) - granted * 1000;
  let ends = new Date(begun + requested * 1000);
  let seconds = requested;
  if (ends.getTime() < now.getTime()) {
    ends = now;
    if (seconds !== 0) seconds = 1;
  }
  metadata.deletionTimestamp = formatTime(ends);
  metadata.deletionGracePeriodSeconds = seconds;
  return { kind: "graceful", seconds: requested };
}

/**
 * Marks an object that only finalizers keep as being deleted, in place: its deletion timestamp is
 * `now` at the latest, and its grace period is 0. Increments the generation of an object that was
 * not marked yet.
 */
export function markDeleting({ metadata }: ApiObject, now: Date): void {
  const { deletionTimestamp } = metadata;
  if (!deletionTimestamp && metadata.generation) metadata.generation++;
  if (!deletionTimestamp || Date.parse(deletionTimestamp) > now.getTime()) {
    metadata.deletionTimestamp = formatTime(now);
  }
  metadata.deletionGracePeriodSeconds = 0;
}
