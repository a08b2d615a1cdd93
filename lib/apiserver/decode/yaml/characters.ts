// Mirrors `go.yaml.in/yaml/v2/readerc.go, yaml_parser_update_buffer`.
import { YamlError } from "./cursor.ts";

/** A pattern of the characters that YAML 1.1 forbids, including lone surrogates. */
const FORBIDDEN = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
/**
 * The number of bytes of a YAML text that kube-apiserver reads at once; an error in a later block
 * may remain undetected. {@linkcode checkRead} counts UTF-16 code units instead of bytes, which is
 * the same for ASCII.
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
}

/**
 * Decodes a YAML text up to the first invalid byte or forbidden character. The encoding is UTF-8,
 * or UTF-16 after a byte order mark (`yaml_parser_determine_encoding`).
 */
export function readableText(source: string | Uint8Array): ReadableText {
  const { text, problem } = typeof source === "string"
    ? { text: source, problem: "" }
    : decode(source);
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const forbidden = text.search(FORBIDDEN);
  if (forbidden < 0) return { text: text.slice(start), problem };
  return { text: text.slice(start, forbidden), problem: "control characters are not allowed" };
}

/**
 * Checks the blocks of a YAML text that the scanner has read up to the offset `at` (in UTF-16 code
 * units).
 *
 * @throws {YamlError} If one of these blocks has an invalid byte or a forbidden character.
 */
export function checkRead({ text, problem }: ReadableText, at: number): void {
  if (problem === "" || Math.floor(at / BLOCK) < Math.floor(text.length / BLOCK)) return;
  throw new YamlError(`yaml: ${problem}`);
}

function decode(bytes: Uint8Array): ReadableText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, true);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, false);
  return decodeUtf8(bytes);
}

function decodeUtf16(bytes: Uint8Array, littleEndian: boolean): ReadableText {
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
  return { text: new TextDecoder(name).decode(bytes.subarray(0, at)), problem };
}

function decodeUtf8(bytes: Uint8Array): ReadableText {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, problem: "" };
  } catch {
    const { at, problem } = utf8Problem(bytes);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, at));
    return { text, problem };
  }
}

/** The smallest code point of a UTF-8 sequence, by its number of bytes. */
const LEAST = [0, 0, 0x80, 0x800, 0x10000];

function utf8Problem(bytes: Uint8Array): { readonly at: number; readonly problem: string } {
  let at = 0;
  while (at < bytes.length) {
    const first = bytes[at]!;
    const width = widthOf(first);
    if (width === 0) return { at, problem: "invalid leading UTF-8 octet" };
    if (at + width > bytes.length) return { at, problem: "incomplete UTF-8 octet sequence" };
    let code = width === 1 ? first : first & (0x7f >> width);
    for (const next of bytes.subarray(at + 1, at + width)) {
      if ((next & 0xc0) !== 0x80) return { at, problem: "invalid trailing UTF-8 octet" };
      code = code * 64 + (next & 0x3f);
    }
    if (code < LEAST[width]!) return { at, problem: "invalid length of a UTF-8 sequence" };
    if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
      return { at, problem: "invalid Unicode character" };
    }
    at += width;
  }
  return { at, problem: "" };
}

function widthOf(first: number): number {
  if (first < 0x80) return 1;
  if ((first & 0xe0) === 0xc0) return 2;
  if ((first & 0xf0) === 0xe0) return 3;
  return (first & 0xf8) === 0xf0 ? 4 : 0;
}
