/**
 * What `kubectl apply` without `--server-side` left behind: the annotation with what it applied last.
 * For the field manager `kubectl` the server takes it as ownership, and keeps it up to date.
 *
 * @module
 */
import { type ApiObject, goJson, sortFields } from "@xca/apimachinery/internal/values";
import { compareObjects } from "./compare.ts";
import { difference, EMPTY, type FieldSet } from "./field_set.ts";
import type { MergeType } from "./merge_type.ts";
import { toFieldSet } from "./to_field_set.ts";
import { TypedError } from "./typed_error.ts";
import { validateTyped } from "./validate_typed.ts";

/** The field manager that the annotation counts for. */
export const KUBECTL = "kubectl";

const ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

/** So large all annotations of an object may be together. */
const MAX_ANNOTATIONS_BYTES = 256 * 1024;

/** The fields that the annotation names and the live object still has so: no conflicts. */
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

/** Brings the annotation, if the object has it, to what was applied now. In place. */
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
