import { asciiSlice } from "@xca/apimachinery/internal/base";

/**
 * What is known of an object and seldom asked for, in the bytes behind its text: as strings and lists
 * they would be four of the six heap objects of each entry, and the collector would walk them all.
 */
export interface EntryTail {
  /** The identity. */
  readonly uid: string;
  /** The version. */
  readonly resourceVersion: string;
  /** When deletion was asked for; empty unless it was. */
  readonly deletionTimestamp: string;
  /** Counts the changes of the spec; `undefined` when the kind does not count them. */
  readonly generation: number | undefined;
  /** Where the annotations begin in the (decoded) text; 0 when there are none. */
  readonly annotationsAt: number;
  /** Where the keys of the members begin in the (decoded) text; empty when that is not known. */
  readonly members: readonly number[];
}

// annotationsAt, the generation, the sizes of three texts, the texts, and the members up to the end.
const WORD = 4;
const ANNOTATIONS = 0;
const GENERATION = WORD;
const UID_SIZE = 3 * WORD;
const VERSION_SIZE = 4 * WORD;
const DELETION_SIZE = 5 * WORD;
const TEXTS = 6 * WORD;
/** Beyond it a text takes two bytes for each character; bit 0 of its size says so. */
const LATIN = 0xff;

/** Where tails are put together: an arena's bytes may be resizable, and each by itself slow to write. */
const scratch = new Uint8Array(1024);
/** Its beginnings, by their length: most tails of one resource are equally long. */
const beginnings: Uint8Array[] = [];

/** The generation as two words; no number stands for none. */
const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/** A tail as bytes; good until the next is asked for. */
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
  return bytes === scratch ? beginnings[to] ??= scratch.subarray(0, to) : bytes.subarray(0, to);
}

/** Where the annotations begin; see {@linkcode EntryTail}. */
export function annotationsIn(bytes: Uint8Array, at: number): number {
  return word(bytes, at + ANNOTATIONS);
}

/** The identity. */
export function uidIn(bytes: Uint8Array, at: number): string {
  return textIn(bytes, at + TEXTS, word(bytes, at + UID_SIZE));
}

/** The version. */
export function resourceVersionIn(bytes: Uint8Array, at: number): string {
  const start = at + TEXTS + bytesOf(word(bytes, at + UID_SIZE));
  return textIn(bytes, start, word(bytes, at + VERSION_SIZE));
}

/** When deletion was asked for; empty unless it was. */
export function deletionTimestampIn(bytes: Uint8Array, at: number): string {
  return textIn(bytes, deletionAt(bytes, at), word(bytes, at + DELETION_SIZE));
}

/** The generation; see {@linkcode EntryTail}. */
export function generationIn(bytes: Uint8Array, at: number): number | undefined {
  words[0] = word(bytes, at + GENERATION);
  words[1] = word(bytes, at + GENERATION + WORD);
  return Number.isNaN(double[0]) ? undefined : double[0];
}

/** Where the members begin, of a tail that ends at `end`; see {@linkcode EntryTail}. */
export function membersIn(bytes: Uint8Array, at: number, end: number): number[] {
  const members: number[] = [];
  for (let from = membersAt(bytes, at); from < end; from += WORD) members.push(word(bytes, from));
  return members;
}

/** Whether any members are noted in a tail that ends at `end`. */
export function hasMembers(bytes: Uint8Array, at: number, end: number): boolean {
  return membersAt(bytes, at) < end;
}

/** Whether two tails name the same UID. */
export function sameUid(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number): boolean {
  const size = word(a, aAt + UID_SIZE);
  return size === word(b, bAt + UID_SIZE) &&
    sameBytes(a, aAt + TEXTS, b, bAt + TEXTS, bytesOf(size));
}

/** Whether two tails name the same UID and resourceVersion, and that is not empty. */
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

/** Writes a text, and its size elsewhere: its length, twice, and in bit 0 whether it is wide. Returns its end. */
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
  // What takes "ASCII" here takes all of Latin-1.
  if ((size & 1) === 0) return size === 0 ? "" : asciiSlice(bytes, at, end);
  let text = "";
  for (let from = at; from < end; from += 2) {
    text += String.fromCharCode(bytes[from]! | bytes[from + 1]! << 8);
  }
  return text;
}

/** The last bytes first: versions of one object differ there. */
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
