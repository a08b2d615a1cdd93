import { formatTime, type ObjectMeta } from "@xca/apimachinery/meta";
import type { RequestContext } from "../../machinery/request_context.ts";

/** The longest prefix (`generateName`) of a generated name in characters; a longer one is cut. */
const MAX_PREFIX = 58;

/**
 * Deletes `creationTimestamp`, `uid`, `deletionTimestamp`, `deletionGracePeriodSeconds` and
 * `selfLink`, which only the server sets (`rest/meta.go`, `WipeObjectMetaSystemFields`).
 */
export function wipeSystemFields(meta: ObjectMeta): void {
  delete meta.creationTimestamp;
  delete meta.uid;
  delete meta.deletionTimestamp;
  delete meta.deletionGracePeriodSeconds;
  delete (meta as { selfLink?: string }).selfLink;
}

/**
 * Sets `creationTimestamp` and `uid` of a new object. If `name` is empty and `generateName` is set,
 * generates the name.
 */
export function fillSystemFields(meta: ObjectMeta, context: RequestContext): void {
  meta.creationTimestamp = formatTime(context.now);
  meta.uid = context.uid();
  if (meta.generateName && !meta.name) {
    meta.name = meta.generateName.slice(0, MAX_PREFIX) + context.nameSuffix();
  }
}
