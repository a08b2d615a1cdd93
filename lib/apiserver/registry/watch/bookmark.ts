// Mirrors `storage/util.go, AnnotateInitialEventsEndBookmark`.
import type { ApiObject } from "@xca/apimachinery/internal/values";
import { emptyObject } from "../objects/empty_object.ts";
import { formedFrame, type Frame, type WatchForm } from "./watch_form.ts";

const INITIAL_END = { "k8s.io/initial-events-end": "true" };

/**
 * Encodes a bookmark event of a watch at a revision. With `initialEnd` the bookmark marks the end
 * of the initial events.
 */
export function bookmarkFrame(
  form: WatchForm,
  revision: number,
  initialEnd: boolean,
): Frame {
  const { kind, apiVersion, metadata, ...empty } = emptyObject(form.resource);
  const annotations = { ...metadata.annotations, ...(initialEnd && INITIAL_END) };
  const object = {
    kind,
    apiVersion,
    metadata: {
      resourceVersion: String(revision),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    ...empty,
  } as ApiObject;
  return formedFrame(form, "BOOKMARK", object);
}
