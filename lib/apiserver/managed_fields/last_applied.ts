/**
 * The annotation in which client-side `kubectl apply` stores the last applied object. The server
 * treats the fields of this object as owned by the field manager `kubectl`, and updates the
 * annotation at each server-side apply by `kubectl`.
 *
 * Mirrors `managedfields/internal/lastappliedmanager.go, lastAppliedManager`.
 *
 * @module
 */
import { type ApiObject, goJson, sortFields } from "@xca/apimachinery/internal/values";
import { compareObjects } from "./typed/compare.ts";
import { difference, EMPTY, type FieldSet } from "./field_set/field_set.ts";
import type { MergeType } from "./typed/merge_type.ts";
import { toFieldSet } from "./typed/to_field_set.ts";
import { TypedError } from "./typed/typed_error.ts";
import { validateTyped } from "./typed/validate_typed.ts";

/**
 * The name of the field manager of kubectl's server-side apply, which takes over the fields that
 * client-side apply recorded in the last-applied annotation.
 */
export const KUBECTL = "kubectl";

const ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * The size limit of an object's annotations in bytes, above which the last-applied annotation is
 * dropped.
 */
const MAX_ANNOTATIONS_BYTES = 256 * 1024;

/**
 * Returns the fields of the object in kubectl's last-applied annotation that are unchanged in the
 * live object. A server-side apply of these fields by kubectl never conflicts. The set is empty if
 * the annotation is absent, is not the JSON of an object with a `kind`, or has another
 * `apiVersion`, or if one of the objects does not match its schema.
 */
export function ownedByLastApplied(
  live: ApiObject,
  apiVersion: string,
  type: MergeType,
): FieldSet {
  const lastApplied = readLastApplied(live);
  if (lastApplied === undefined || lastApplied.apiVersion !== apiVersion) return EMPTY;
  try {
    validateTyped(live, type);
    validateTyped(lastApplied, type);
    const { removed, modified, added } = compareObjects(lastApplied, live, type);
    const changed = [modified, added, removed];
    return changed.reduce((set, each) => difference(set, each), toFieldSet(lastApplied, type));
  } catch (error) {
    if (error instanceof TypedError) return EMPTY;
    throw error;
  }
}

function readLastApplied(live: ApiObject): Record<string, unknown> | undefined {
  const text = live.metadata.annotations?.[ANNOTATION];
  if (!text) return undefined;
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" && typeof value.kind === "string"
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Sets kubectl's last-applied annotation of `object`, in place, to the JSON of the applied object
 * without this annotation, if `object` has the annotation. Deletes the annotation if all of the
 * annotations together exceed {@linkcode MAX_ANNOTATIONS_BYTES}.
 */
export function refreshLastApplied(object: ApiObject, applied: ApiObject): void {
  const { annotations } = object.metadata;
  if (!annotations?.[ANNOTATION]) return;
  annotations[ANNOTATION] = `${goJson(withoutAnnotation(applied))}\n`;
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const pair of Object.entries(annotations)) {
    for (const text of pair) bytes += encoder.encode(text).length;
  }
  if (bytes > MAX_ANNOTATIONS_BYTES) delete annotations[ANNOTATION];
}

function withoutAnnotation(applied: ApiObject): unknown {
  const { annotations } = applied.metadata;
  if (annotations === undefined) return sortFields(applied);
  const { [ANNOTATION]: _, ...rest } = annotations;
  const { annotations: __, ...metadata } = applied.metadata;
  const kept = Object.keys(rest).length > 0 ? { ...metadata, annotations: rest } : metadata;
  return sortFields({ ...applied, metadata: kept });
}
