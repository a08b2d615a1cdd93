// Mirrors `schema/objectmeta/coerce.go, GetObjectMetaWithOptions`.
import { isMap } from "../../values/json_values.ts";
import { type Decoded, decodeShape, type Shape, ShapeError } from "./go_decode.ts";

const TEXT: Shape = { kind: "string", type: "string" };
const KEPT_TEXT: Shape = { ...TEXT, keepsZero: true };
const TEXTS: Shape = { kind: "map", type: "map[string]string", of: TEXT };
const INT64: Shape = { kind: "int64", type: "int64" };
const BOOL_POINTER: Shape = { kind: "bool", type: "bool", isPointer: true };
const TIME: Shape = { kind: "time", type: "v1.Time" };

const OWNER_REFERENCE: Shape = {
  kind: "struct",
  type: "v1.OwnerReference",
  fields: {
    apiVersion: KEPT_TEXT,
    kind: KEPT_TEXT,
    name: KEPT_TEXT,
    uid: { kind: "string", type: "types.UID", keepsZero: true },
    controller: BOOL_POINTER,
    blockOwnerDeletion: BOOL_POINTER,
  },
};

const MANAGED_FIELDS_ENTRY: Shape = {
  kind: "struct",
  type: "v1.ManagedFieldsEntry",
  fields: {
    manager: TEXT,
    operation: { kind: "string", type: "v1.ManagedFieldsOperationType" },
    apiVersion: TEXT,
    time: TIME,
    fieldsType: TEXT,
    fieldsV1: { kind: "raw", type: "v1.FieldsV1", isPointer: true },
    subresource: TEXT,
  },
};

const OBJECT_META: Shape = {
  kind: "struct",
  type: "v1.ObjectMeta",
  fields: {
    name: TEXT,
    generateName: TEXT,
    namespace: TEXT,
    selfLink: TEXT,
    uid: { kind: "string", type: "types.UID" },
    resourceVersion: TEXT,
    generation: INT64,
    creationTimestamp: TIME,
    deletionTimestamp: TIME,
    deletionGracePeriodSeconds: { ...INT64, isPointer: true },
    labels: TEXTS,
    annotations: TEXTS,
    ownerReferences: { kind: "list", type: "[]v1.OwnerReference", of: OWNER_REFERENCE },
    finalizers: { kind: "list", type: "[]string", of: TEXT },
    managedFields: { kind: "list", type: "[]v1.ManagedFieldsEntry", of: MANAGED_FIELDS_ENTRY },
  },
};

/**
 * Decodes the metadata of an object without its empty and unknown fields; the paths of the unknown
 * ones are returned.
 *
 * @throws {ShapeError} If a field has a wrong type.
 */
export function decodeMetadata(metadata: unknown): Decoded {
  return decodeShape(metadata, OBJECT_META);
}

/**
 * Decodes the metadata of an object like {@linkcode decodeMetadata}, but drops each field that is
 * or contains a value of a wrong type, rather than throwing. Metadata that is not an object becomes
 * empty.
 */
export function salvageMetadata(metadata: unknown): Decoded {
  try {
    return decodeMetadata(metadata);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
  }
  const value: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const [name, item] of isMap(metadata) ? Object.entries(metadata) : []) {
    try {
      const decoded = decodeMetadata({ [name]: item });
      Object.assign(value, decoded.value);
      unknown.push(...decoded.unknown);
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
    }
  }
  return { value, unknown };
}
