// Mirrors `go.yaml.in/yaml/v2/readerc.go, yaml_parser_update_buffer`.
import { YamlError } from "./cursor.ts";

/** A pattern of the characters that YAML 1.1 forbids, including lone surrogates. */
const FORBIDDEN = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
/**
 * The number of bytes of a YAML text that go-yaml decodes at once; an error in a block that the
 * parser does not need remains undetected.
 */
const BLOCK = 512;

/**
 * The start of a YAML text that can be read: up to the first invalid byte or forbidden character.
 */
export interface ReadableText {
  readonly text: string;
  /**
   * The error message about the first invalid byte or forbidden character of the YAML text; empty
   * if the whole text could be read.
   */
  readonly problem: string;
  /**
   * The offset in `text`, in UTF-16 code units, of the first character of the block in which the
   * problem is; 0 without a problem.
   */
  readonly block: number;
}

/** The decoded start of a YAML text, with its byte order mark if it is UTF-8. */
interface Decoded {
  readonly text: string;
  /** The error message about the bytes after `text`; empty if there are none. */
  readonly problem: string;
  /**
   * The number of bytes that are needed to find the problem; `Infinity` for an incomplete
   * character, which only the end of the source shows.
   */
  readonly width: number;
  readonly encoding: "UTF-8" | "UTF-16";
}

/**
 * Decodes a YAML text up to the first invalid byte or forbidden character. The encoding is UTF-8,
 * or UTF-16 after a byte order mark (`yaml_parser_determine_encoding`).
 */
export function readableText(source: string | Uint8Array): ReadableText {
  const decoded = typeof source === "string"
    ? { text: source, problem: "", width: 0, encoding: "UTF-8" as const }
    : decode(source);
  const readable = upToForbidden(decoded);
  const { text, problem } = readable;
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const block = problem === "" ? 0 : Math.max(0, blockOf(readable) - start);
  return { text: text.slice(start), problem, block };
}

/**
 * Checks the blocks of a YAML text that the scanner has read up to the offset `at` (in UTF-16 code
 * units). Up to three more characters that go-yaml reads ahead are not considered.
 *
 * @throws {YamlError} If one of these blocks has an invalid byte or a forbidden character.
 */
export function checkRead({ problem, block }: ReadableText, at: number): void {
  if (problem !== "" && at >= block) throw new YamlError(`yaml: ${problem}`);
}

function upToForbidden(decoded: Decoded): Decoded {
  const forbidden = decoded.text.search(FORBIDDEN);
  if (forbidden < 0) return decoded;
  const { text, encoding } = decoded;
  const width = widthIn(encoding, text.codePointAt(forbidden)!);
  const problem = "control characters are not allowed";
  return { text: text.slice(0, forbidden), problem, width, encoding };
}

/**
 * Returns the offset in a text, in UTF-16 code units, of the block that contains the problem after
 * the text. A character that a block contains only in part belongs to the next block.
 */
function blockOf({ text, width, encoding }: Decoded): number {
  let start = 0;
  let offset = 0;
  let left = encoding === "UTF-8" ? BLOCK : BLOCK - 2; // the byte order mark
  const take = (bytes: number): void => {
    if (bytes > left) {
      start = offset;
      left = BLOCK;
    }
    left -= bytes;
  };
  for (const character of text) {
    take(widthIn(encoding, character.codePointAt(0)!));
    offset += character.length;
  }
  take(width);
  return start;
}

/** Returns the number of bytes of a character in an encoding. */
function widthIn(encoding: Decoded["encoding"], code: number): number {
  if (encoding === "UTF-16") return code < 0x10000 ? 2 : 4;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

function decode(bytes: Uint8Array): Decoded {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, true);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, false);
  return decodeUtf8(bytes);
}

function decodeUtf16(bytes: Uint8Array, littleEndian: boolean): Decoded {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const unit = (at: number): number => view.getUint16(at, littleEndian);
  const end = bytes.length & ~1;
  let at = 0;
  let problem = end < bytes.length ? "incomplete UTF-16 character" : "";
  for (; at < end; at += 2) {
    const code = unit(at) & 0xfc00;
    const isHigh = code === 0xd800;
    const found = code === 0xdc00
      ? "unexpected low surrogate area"
      : isHigh && at + 4 > bytes.length
      ? "incomplete UTF-16 surrogate pair"
      : isHigh && (unit(at + 2) & 0xfc00) !== 0xdc00
      ? "expected low surrogate area"
      : "";
    if (found !== "") {
      problem = found;
      break;
    }
    if (isHigh) at += 2;
  }
  const name = littleEndian ? "utf-16le" : "utf-16be";
  const text = new TextDecoder(name).decode(bytes.subarray(0, at));
  const width = problem.startsWith("incomplete")
    ? Infinity
    : problem.startsWith("expected")
    ? 4
    : 2;
  return { text, problem, width, encoding: "UTF-16" };
}

function decodeUtf8(bytes: Uint8Array): Decoded {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, problem: "", width: 0, encoding: "UTF-8" };
  } catch {
    const { at, problem, width } = utf8Problem(bytes);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, at));
    return { text, problem, width, encoding: "UTF-8" };
  }
}

/** The smallest code point of a UTF-8 sequence, by its number of bytes. */
const LEAST = [0, 0, 0x80, 0x800, 0x10000];

function utf8Problem(bytes: Uint8Array): Pick<Decoded, "problem" | "width"> & { at: number } {
  for (let at = 0; at < bytes.length;) {
    const width = widthOf(bytes[at]!);
    if (width === 0) return { at, problem: "invalid leading UTF-8 octet", width: 1 };
    if (at + width > bytes.length) {
      return { at, problem: "incomplete UTF-8 octet sequence", width: Infinity };
    }
    const problem = sequenceProblem(bytes.subarray(at, at + width));
    if (problem !== "") return { at, problem, width };
    at += width;
  }
  return { at: bytes.length, problem: "", width: 0 };
}

/** Returns the error message about a UTF-8 sequence of the right length; empty if it is valid. */
function sequenceProblem(bytes: Uint8Array): string {
  const width = bytes.length;
  let code = width === 1 ? bytes[0]! : bytes[0]! & (0x7f >> width);
  for (const next of bytes.subarray(1)) {
    if ((next & 0xc0) !== 0x80) return "invalid trailing UTF-8 octet";
    code = code * 64 + (next & 0x3f);
  }
  if (code < LEAST[width]!) return "invalid length of a UTF-8 sequence";
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return "invalid Unicode character";
  return "";
}

function widthOf(first: number): number {
  if (first < 0x80) return 1;
  if ((first & 0xe0) === 0xc0) return 2;
  if ((first & 0xf0) === 0xe0) return 3;
  return (first & 0xf8) === 0xf0 ? 4 : 0;
}
