import type { ApiObject } from "@xca/apimachinery/internal/values";
import { formatTime } from "@xca/apimachinery/meta";
import type { DeleteOptions } from "../request/delete_options.ts";
import type { RequestScope } from "./request_scope.ts";

/** How a deletion begins. */
export type DeletionStart =
  /** Nothing waits but finalizers. */
  | { readonly kind: "now" }
  /** The object waits so many seconds for someone to finish it; it is marked. */
  | { readonly kind: "graceful"; readonly seconds: number }
  /** It waits already, and no longer than is asked for. */
  | { readonly kind: "pending" };

const NOW: DeletionStart = { kind: "now" };

/** Marks the object, in place, where its kind lets it wait. */
export function beginDeletion(
  object: ApiObject,
  options: DeleteOptions,
  scope: RequestScope,
): DeletionStart {
  const { strategy } = scope.resource;
  const { metadata } = object;
  const requested = atLeast(options.gracePeriodSeconds);
  if ((metadata.deletionGracePeriodSeconds ?? 0) < 0) metadata.deletionGracePeriodSeconds = 1;
  if (!strategy.gracePeriodSeconds) return NOW;
  if (metadata.deletionTimestamp) return shorten(object, requested, scope.now);
  const seconds = strategy.gracePeriodSeconds(object, requested, scope);
  if (seconds === undefined) return NOW;
  metadata.deletionTimestamp = formatTime(new Date(scope.now.getTime() + seconds * 1000));
  metadata.deletionGracePeriodSeconds = seconds;
  if (metadata.generation) metadata.generation++;
  return { kind: "graceful", seconds };
}

/** Negative values count as one second. */
function atLeast(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds < 0 ? 1 : seconds;
}

/** The grace of an object that waits can only get shorter. */
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

/** Marks an object, in place, that only finalizers hold. */
export function markDeleting({ metadata }: ApiObject, now: Date): void {
  const { deletionTimestamp } = metadata;
  if (!deletionTimestamp && metadata.generation) metadata.generation++;
  if (!deletionTimestamp || Date.parse(deletionTimestamp) > now.getTime()) {
    metadata.deletionTimestamp = formatTime(now);
  }
  metadata.deletionGracePeriodSeconds = 0;
}
