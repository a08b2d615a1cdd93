import { isAscii, isUtf8 } from "node:buffer";
import { MemberCursor, skipSpace, stage, stageIsAscii } from "@xca/apimachinery/internal/base";

const NO_MEMBERS: readonly number[] = [];
/**
 * The largest number of top-level members whose positions a layout records; for an object with more
 * members, {@linkcode ObjectLayout.members} is empty. Events have 17 members, the most of
 * Kubernetes' types.
 */
const MAX_NOTED_MEMBERS = 32;

/**
 * The result of the check of a text's encoding: not checked yet, only ASCII, UTF-8 with other
 * characters, or not UTF-8.
 */
export type TextEncoding = "unchecked" | "ascii" | "utf-8" | "invalid";

/**
 * The positions of metadata fields and members of an object in its JSON text, found in one pass
 * without parsing.
 *
 * Positions are byte offsets from the first byte of the text; an end position is that after the
 * last byte. The quotes of a string belong to the value. An absent field has the start 0, where no
 * field can begin. The last of two members with one key counts, as in `JSON.parse`.
 */
export class ObjectLayout {
  /** The position of the opening brace of the object's JSON text. */
  start = 0;
  /**
   * The position after the object's closing brace; -1 when the text is malformed, cut short, or not
   * an object.
   */
  end = -1;
  /** The result of the check of the encoding of the object's JSON text. */
  encoding: TextEncoding = "unchecked";
  /**
   * The positions of the keys of the object's top-level members, at their opening quotes, in order;
   * empty when a key has an escape, or there are more than 32.
   */
  members: readonly number[] = NO_MEMBERS;
  /**
   * Reports whether one of the fields of the object's `metadata` whose positions are recorded
   * occurs twice.
   */
  duplicates = false;
  /** The start position of the value of `metadata.name` in the object's text. */
  name = 0;
  /** The end position of the value of `metadata.name` in the object's text. */
  nameEnd = 0;
  /** The start position of the value of `metadata.namespace` in the object's text. */
  namespace = 0;
  /** The end position of the value of `metadata.namespace` in the object's text. */
  namespaceEnd = 0;
  /** The start position of the value of `metadata.uid` in the object's text. */
  uid = 0;
  /** The end position of the value of `metadata.uid` in the object's text. */
  uidEnd = 0;
  /** The start position of the value of `metadata.resourceVersion` in the object's text. */
  resourceVersion = 0;
  /** The end position of the value of `metadata.resourceVersion` in the object's text. */
  resourceVersionEnd = 0;
  /** The start position of the value of `metadata.generation` in the object's text. */
  generation = 0;
  /** The end position of the value of `metadata.generation` in the object's text. */
  generationEnd = 0;
  /** The start position of the value of `metadata.deletionTimestamp` in the object's text. */
  deletionTimestamp = 0;
  /** The end position of the value of `metadata.deletionTimestamp` in the object's text. */
  deletionTimestampEnd = 0;
  /** The start position of the value of `metadata.labels` in the object's text. */
  labels = 0;
  /** The end position of the value of `metadata.labels` in the object's text. */
  labelsEnd = 0;
  /** The start position of the value of `metadata.annotations` in the object's text. */
  annotations = 0;
  /** The end position of the value of `metadata.annotations` in the object's text. */
  annotationsEnd = 0;
  /** The start position of the value of `metadata.ownerReferences` in the object's text. */
  ownerReferences = 0;
  /** The end position of the value of `metadata.ownerReferences` in the object's text. */
  ownerReferencesEnd = 0;
  /** The start position of the value of `metadata.finalizers` in the object's text. */
  finalizers = 0;
  /** The end position of the value of `metadata.finalizers` in the object's text. */
  finalizersEnd = 0;
  /**
   * The start position of the key of `metadata.managedFields` in the object's text, at its quote.
   */
  managedFields = 0;
  /** The end position of the value of `metadata.managedFields` in the object's text. */
  managedFieldsEnd = 0;
}

const encoder = new TextEncoder();
const KEY = Object.fromEntries(
  [
    "metadata",
    "name",
    "namespace",
    "uid",
    "resourceVersion",
    "generation",
    "deletionTimestamp",
    "labels",
    "annotations",
    "ownerReferences",
    "finalizers",
    "managedFields",
  ].map((key) => [key, encoder.encode(key)]),
) as Record<string, Uint8Array>;
const METADATA = KEY.metadata!;
const NAME = KEY.name!;
const NAMESPACE = KEY.namespace!;
const UID = KEY.uid!;
const RESOURCE_VERSION = KEY.resourceVersion!;
const GENERATION = KEY.generation!;
const DELETION_TIMESTAMP = KEY.deletionTimestamp!;
const LABELS = KEY.labels!;
const ANNOTATIONS = KEY.annotations!;
const OWNER_REFERENCES = KEY.ownerReferences!;
const FINALIZERS = KEY.finalizers!;
const MANAGED_FIELDS = KEY.managedFields!;

const OPEN_BRACE = 0x7b;
const objectCursor = new MemberCursor();
/**
 * The positions of top-level members that the current scan found. Shared by all scans, since a
 * growing list would leave garbage.
 */
const membersSeen: number[] = Array.from({ length: MAX_NOTED_MEMBERS }, () => 0);
const metadataCursor = new MemberCursor();

/** Options of {@linkcode scanObject}, which locates the metadata in an object's JSON text. */
export interface ScanOptions {
  /** The index of the byte from which the positions of the layout count. @default {0} */
  readonly origin?: number;
  /**
   * Sets whether the scan reads the bytes from the memory of the WebAssembly module, into which the
   * caller copied them by `stage()`.
   *
   * @default {false}
   */
  readonly isStaged?: boolean;
}

/**
 * Returns the positions of metadata fields and members of the JSON object that begins at `start` in
 * the bytes before `end`; its encoding is not checked. The `end` of the result is -1 when there is
 * no complete object. Text after the object is ignored.
 */
export function scanObject(
  bytes: Uint8Array,
  start: number,
  end: number,
  { origin = 0, isStaged = false }: ScanOptions = {},
): ObjectLayout {
  const layout = new ObjectLayout();
  layout.start = start - origin;
  const cursor = objectCursor;
  cursor.enter(bytes, start, end, isStaged);
  let members = 0;
  let plain = true;
  while (cursor.nextKey()) {
    if (cursor.keyEscaped) plain = false;
    if (members < MAX_NOTED_MEMBERS) membersSeen[members] = cursor.keyStart - 1 - origin;
    members++;
    if (cursor.keyIs(METADATA, "metadata")) {
      if (bytes[cursor.at] === OPEN_BRACE) {
        forgetMetadata(layout);
        cursor.at = scanMetadata(layout, bytes, cursor.at, end, origin, isStaged);
        continue;
      }
      forgetMetadata(layout);
    }
    if (!cursor.skipValue()) break;
  }
  if (plain && members <= MAX_NOTED_MEMBERS) layout.members = membersSeen.slice(0, members);
  if (cursor.at >= 0) layout.end = cursor.at - origin;
  return layout;
}

function scanMetadata(
  layout: ObjectLayout,
  bytes: Uint8Array,
  start: number,
  end: number,
  origin: number,
  isStaged: boolean,
): number {
  const cursor = metadataCursor;
  cursor.enter(bytes, start, end, isStaged);
  while (cursor.nextKey()) {
    const key = cursor.keyStart - 1 - origin;
    const at = cursor.at - origin;
    const escaped = cursor.keyEscaped;
    const length = cursor.keyEnd - cursor.keyStart;
    if (!cursor.skipValue()) break;
    if (escaped || (length >= 3 && length <= 17)) {
      noteMember(layout, cursor, key, at, cursor.at - origin);
    }
  }
  return cursor.at;
}

/**
 * Records the position of a metadata field that the cache reads, and whether it occurs twice.
 * Ignores other fields.
 */
function noteMember(
  layout: ObjectLayout,
  cursor: MemberCursor,
  key: number,
  at: number,
  end: number,
): void {
  let before = 0;
  if (cursor.keyIs(NAME, "name")) {
    before = layout.name;
    layout.name = at;
    layout.nameEnd = end;
  } else if (cursor.keyIs(NAMESPACE, "namespace")) {
    before = layout.namespace;
    layout.namespace = at;
    layout.namespaceEnd = end;
  } else if (cursor.keyIs(UID, "uid")) {
    before = layout.uid;
    layout.uid = at;
    layout.uidEnd = end;
  } else if (cursor.keyIs(RESOURCE_VERSION, "resourceVersion")) {
    before = layout.resourceVersion;
    layout.resourceVersion = at;
    layout.resourceVersionEnd = end;
  } else if (cursor.keyIs(GENERATION, "generation")) {
    before = layout.generation;
    layout.generation = at;
    layout.generationEnd = end;
  } else if (cursor.keyIs(LABELS, "labels")) {
    before = layout.labels;
    layout.labels = at;
    layout.labelsEnd = end;
  } else if (cursor.keyIs(ANNOTATIONS, "annotations")) {
    before = layout.annotations;
    layout.annotations = at;
    layout.annotationsEnd = end;
  } else if (cursor.keyIs(OWNER_REFERENCES, "ownerReferences")) {
    before = layout.ownerReferences;
    layout.ownerReferences = at;
    layout.ownerReferencesEnd = end;
  } else if (cursor.keyIs(FINALIZERS, "finalizers")) {
    before = layout.finalizers;
    layout.finalizers = at;
    layout.finalizersEnd = end;
  } else if (cursor.keyIs(DELETION_TIMESTAMP, "deletionTimestamp")) {
    before = layout.deletionTimestamp;
    layout.deletionTimestamp = at;
    layout.deletionTimestampEnd = end;
  } else if (cursor.keyIs(MANAGED_FIELDS, "managedFields")) {
    before = layout.managedFields;
    layout.managedFields = key;
    layout.managedFieldsEnd = end;
  }
  if (before > 0) layout.duplicates = true;
}

function forgetMetadata(layout: ObjectLayout): void {
  layout.duplicates = false;
  layout.name =
    layout.nameEnd =
    layout.namespace =
    layout.namespaceEnd =
      0;
  layout.uid =
    layout.uidEnd =
    layout.resourceVersion =
    layout.resourceVersionEnd =
      0;
  layout.generation = layout.generationEnd = 0;
  layout.deletionTimestamp = layout.deletionTimestampEnd = 0;
  layout.labels =
    layout.labelsEnd =
    layout.annotations =
    layout.annotationsEnd =
      0;
  layout.ownerReferences = layout.ownerReferencesEnd = 0;
  layout.finalizers = layout.finalizersEnd = 0;
  layout.managedFields = layout.managedFieldsEnd = 0;
}

/**
 * Returns the text encoding of bytes: `ascii`, `utf-8` or `invalid`. `isStaged` is true if the
 * bytes are those that `stage()` copied last. The check is ten times cheaper than decoding the
 * bytes.
 */
export function encodingOf(bytes: Uint8Array, isStaged = false): TextEncoding {
  if (isStaged && stageIsAscii()) return "ascii";
  return isAscii(bytes) ? "ascii" : isUtf8(bytes) ? "utf-8" : "invalid";
}

/**
 * Returns the positions of metadata fields in an object's JSON text: the layout that a decoder
 * attached, or else a new one, which is not attached. White space may surround the object; `end` is
 * -1 when anything else does.
 */
export function layoutOf(
  raw: Uint8Array & { readonly layout?: ObjectLayout },
): ObjectLayout {
  if (raw.layout !== undefined) return raw.layout;
  const start = skipSpace(raw, 0, raw.length);
  const isStaged = stage(raw);
  const layout = scanObject(raw, start, raw.length, { isStaged });
  layout.encoding = encodingOf(raw, isStaged);
  if (layout.end >= 0 && skipSpace(raw, layout.end, raw.length) !== raw.length) layout.end = -1;
  return layout;
}
