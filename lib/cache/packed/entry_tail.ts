import { asciiSlice } from "@xca/apimachinery/internal/base";

/**
 * The rarely read metadata of a stored object, which is kept encoded as bytes behind the object's
 * text. Strings and arrays for them would be four of the six heap objects per stored object, all of
 * which the garbage collector visits.
 */
export interface EntryTail {
  /** The UID of the stored object. */
  readonly uid: string;
  /** The resourceVersion of the stored object. */
  readonly resourceVersion: string;
  /** The deletionTimestamp of the stored object; empty unless deletion was requested. */
  readonly deletionTimestamp: string;
  /** The generation of the stored object; `undefined` when it has none or it is not a number. */
  readonly generation: number | undefined;
  /**
   * Byte offset of the value of `metadata.annotations` in the object's decoded text; 0 when the
   * object has none.
   */
  readonly annotationsAt: number;
  /**
   * Byte offsets of the keys of the object's top-level members (their opening quotes) in its
   * decoded text; empty when they are not recorded, as for an object of less than 2048 bytes.
   */
  readonly members: readonly number[];
}

// Layout of a tail: annotationsAt, generation, sizes of three strings, the strings, then the
// members up to the end.
const WORD = 4;
const ANNOTATIONS = 0;
const GENERATION = WORD;
const UID_SIZE = 3 * WORD;
const VERSION_SIZE = 4 * WORD;
const DELETION_SIZE = 5 * WORD;
const TEXTS = 6 * WORD;
/**
 * Highest character code that fits one byte. A string with a higher one takes two bytes per
 * character, which bit 0 of its size records.
 */
const LATIN = 0xff;

/**
 * Buffer in which the encoded metadata (tail) of an object is assembled. Writing byte by byte into
 * an arena is slow, because its buffer may be resizable.
 */
const scratch = new Uint8Array(1024);

/**
 * Buffer that converts an object's generation to two 32-bit words; NaN stands for no generation.
 */
const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/**
 * Returns the encoded rarely read metadata (tail) of an object, usually in a shared buffer: the
 * bytes are valid until the next call.
 */
export function tailBytes(tail: EntryTail): Uint8Array {
  const { uid, resourceVersion, deletionTimestamp, members } = tail;
  const characters = uid.length + resourceVersion.length + deletionTimestamp.length;
  const most = TEXTS + 2 * characters + WORD * members.length;
  const bytes = most > scratch.length ? new Uint8Array(most) : scratch;
  let to = writeText(bytes, UID_SIZE, TEXTS, uid);
  to = writeText(bytes, VERSION_SIZE, to, resourceVersion);
  to = writeText(bytes, DELETION_SIZE, to, deletionTimestamp);
  double[0] = tail.generation ?? NaN;
  writeWord(bytes, GENERATION, words[0]!);
  writeWord(bytes, GENERATION + WORD, words[1]!);
  writeWord(bytes, ANNOTATIONS, tail.annotationsAt);
  for (let i = 0; i < members.length; i++, to += WORD) writeWord(bytes, to, members[i]!);
  return bytes.subarray(0, to);
}

/**
 * Returns the byte offset of the value of an object's annotations in its decoded text, 0 for none,
 * from its encoded tail, which begins at index `at` of `bytes`; see {@linkcode EntryTail}.
 */
export function annotationsIn(bytes: Uint8Array, at: number): number {
  return word(bytes, at + ANNOTATIONS);
}

/**
 * Returns the UID of an object from its encoded tail, which begins at `at`; empty if it has none.
 */
export function uidIn(bytes: Uint8Array, at: number): string {
  return textIn(bytes, at + TEXTS, word(bytes, at + UID_SIZE));
}

/**
 * Returns the resourceVersion of an object from its encoded tail, which begins at `at`; empty if it
 * has none.
 */
export function resourceVersionIn(bytes: Uint8Array, at: number): string {
  const start = at + TEXTS + bytesOf(word(bytes, at + UID_SIZE));
  return textIn(bytes, start, word(bytes, at + VERSION_SIZE));
}

/**
 * Returns the deletionTimestamp of an object from its encoded tail, which begins at `at`; empty
 * unless deletion was requested.
 */
export function deletionTimestampIn(bytes: Uint8Array, at: number): string {
  return textIn(bytes, deletionAt(bytes, at), word(bytes, at + DELETION_SIZE));
}

/**
 * Returns the generation of an object from its encoded tail, which begins at `at`; `undefined` when
 * it has none.
 */
export function generationIn(bytes: Uint8Array, at: number): number | undefined {
  words[0] = word(bytes, at + GENERATION);
  words[1] = word(bytes, at + GENERATION + WORD);
  return Number.isNaN(double[0]) ? undefined : double[0];
}

/**
 * Returns the byte offsets of an object's top-level members from its encoded tail, which begins at
 * `at` and ends at `end`; see {@linkcode EntryTail.members}.
 */
export function membersIn(bytes: Uint8Array, at: number, end: number): number[] {
  const members: number[] = [];
  for (let from = membersAt(bytes, at); from < end; from += WORD) members.push(word(bytes, from));
  return members;
}

/**
 * Reports whether an object's encoded tail, which ends at `end`, records positions of top-level
 * members.
 */
export function hasMembers(bytes: Uint8Array, at: number, end: number): boolean {
  return membersAt(bytes, at) < end;
}

/**
 * Reports whether two objects have the same UID, by their encoded tails, which begin at `aAt` and
 * `bAt`; also true if both have none.
 */
export function sameUid(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number): boolean {
  const size = word(a, aAt + UID_SIZE);
  return size === word(b, bAt + UID_SIZE) &&
    sameBytes(a, aAt + TEXTS, b, bAt + TEXTS, bytesOf(size));
}

/**
 * Reports whether two objects have the same UID and the same nonempty resourceVersion, by their
 * encoded tails, which begin at `aAt` and `bAt`.
 */
export function sameVersion(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number): boolean {
  const size = word(a, aAt + VERSION_SIZE);
  const uidSize = word(a, aAt + UID_SIZE);
  return size > 0 && size === word(b, bAt + VERSION_SIZE) && uidSize === word(b, bAt + UID_SIZE) &&
    sameBytes(a, aAt + TEXTS, b, bAt + TEXTS, bytesOf(uidSize) + bytesOf(size));
}

function deletionAt(bytes: Uint8Array, at: number): number {
  return at + TEXTS + bytesOf(word(bytes, at + UID_SIZE)) +
    bytesOf(word(bytes, at + VERSION_SIZE));
}

function membersAt(bytes: Uint8Array, at: number): number {
  return deletionAt(bytes, at) + bytesOf(word(bytes, at + DELETION_SIZE));
}

function bytesOf(size: number): number {
  return (size & 1) === 1 ? size - 1 : size >>> 1;
}

/**
 * Writes a string of an object's tail at index `at` of `bytes` and its size at `sizeAt`: twice the
 * length in UTF-16 code units, plus 1 if each takes two bytes. Returns the index after the string.
 */
function writeText(bytes: Uint8Array, sizeAt: number, at: number, text: string): number {
  let codes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    codes |= code;
    bytes[at + i] = code;
  }
  const isWide = codes > LATIN;
  writeWord(bytes, sizeAt, text.length * 2 + (isWide ? 1 : 0));
  if (!isWide) return at + text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    bytes[at + 2 * i] = code;
    bytes[at + 2 * i + 1] = code >>> 8;
  }
  return at + 2 * text.length;
}

function textIn(bytes: Uint8Array, at: number, size: number): string {
  const end = at + bytesOf(size);
  // Despite its name, the native function `asciiSlice` accepts all of Latin-1.
  if ((size & 1) === 0) return size === 0 ? "" : asciiSlice(bytes, at, end);
  let text = "";
  for (let from = at; from < end; from += 2) {
    text += String.fromCharCode(bytes[from]! | bytes[from + 1]! << 8);
  }
  return text;
}

/**
 * Reports whether two ranges of `count` bytes are equal. Compares from the end, where versions of
 * one object differ.
 */
function sameBytes(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number, count: number): boolean {
  for (let i = count - 1; i >= 0; i--) if (a[aAt + i] !== b[bAt + i]) return false;
  return true;
}

function word(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | bytes[at + 1]! << 8 | bytes[at + 2]! << 16 | bytes[at + 3]! << 24) >>> 0;
}

function writeWord(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}
