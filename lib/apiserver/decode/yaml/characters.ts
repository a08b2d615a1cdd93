import { YamlError } from "./cursor.ts";

/** The characters that YAML 1.1 forbids in a text, lone surrogates included. */
const FORBIDDEN = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
/** Bytes that kube-apiserver reads at once; it may never see a fault behind them. */
const BLOCK = 512;

/** A text as far as it can be read. */
export interface ReadableText {
  readonly text: string;
  /** The problem behind this text, if there is one. */
  readonly problem: string;
}

/** The part of a document that is UTF-8 and without forbidden characters. */
export function readableText(source: string | Uint8Array): ReadableText {
  const { text, problem } = typeof source === "string"
    ? { text: source, problem: "" }
    : decodeUtf8(source);
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const forbidden = text.search(FORBIDDEN);
  if (forbidden < 0) return { text: text.slice(start), problem };
  return { text: text.slice(start, forbidden), problem: "control characters are not allowed" };
}

/** @throws {YamlError} When the reader of blocks has met what is wrong by the time it is at `at`. */
export function checkRead({ text, problem }: ReadableText, at: number): void {
  if (problem === "" || Math.floor(at / BLOCK) < Math.floor(text.length / BLOCK)) return;
  throw new YamlError(`yaml: ${problem}`);
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

/** The least code point that a sequence of so many bytes may stand for. */
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
