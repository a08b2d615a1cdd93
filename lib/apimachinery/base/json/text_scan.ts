/**
 * The WebAssembly version of the container scan in `json_scan.ts`, and of the search for a newline,
 * 64 bytes per step.
 *
 * Words of 64 bits describe a block of 64 bytes, one bit per byte, the first byte lowest: its
 * quotes, the bytes within strings, the opening and closing brackets. Except for backslashes and
 * the container's end, the number of steps for a block does not depend on the number of such bytes.
 *
 * @module
 */
import {
  type Code,
  i32,
  i64,
  i8x16,
  ifThen,
  local,
  returnValue,
  TYPE,
  v128,
  wasmModule,
  whileLoop,
} from "./wasm_code.ts";

const BLOCK_BYTES = 64;
const VECTOR_BYTES = 16;
const PAGE_BYTES = 64 * 1024;
const CASE_BIT = 0x20;

/**
 * The result of the WebAssembly scan's `skipContainer` for a JSON container that does not close
 * before the end.
 */
export const UNCLOSED = -1;
/**
 * The result of the WebAssembly scan's `skipContainer` for a backslash outside of strings: the text
 * is not JSON, and the scan cannot locate its strings.
 */
export const UNSURE = -2;

/** The exports of the WebAssembly module that scans JSON text. */
export interface TextScan extends WebAssembly.Exports {
  /**
   * The memory of the WebAssembly scan, with room for the longest text and a block of 64 bytes
   * after it.
   */
  readonly memory: WebAssembly.Memory;
  /**
   * Returns the position after the JSON container that opens at `at`, or {@linkcode UNCLOSED} or
   * {@linkcode UNSURE}. The last block is read whole: a position past `end` means unclosed as well.
   */
  skipContainer(at: number, end: number): number;
  /**
   * Returns 1 when the first `length` bytes of the memory are ASCII, else 0. Sets the 64 bytes
   * after them to zero.
   */
  isAscii(length: number): number;
  /**
   * Returns the position of the first newline from `at` on; `end` or a later position when there is
   * no newline before.
   */
  findNewline(at: number, end: number): number;
}

/**
 * Returns the bytes of the WebAssembly module that scans JSON texts of at most `maxBytes` bytes.
 */
export function textScanModule(maxBytes: number): Uint8Array<ArrayBuffer> {
  const pages = Math.ceil((maxBytes + BLOCK_BYTES) / PAGE_BYTES);
  return wasmModule(pages, [
    {
      name: "skipContainer",
      parameters: 2,
      locals: [TYPE.i32, ...Array(10).fill(TYPE.i64), ...Array(4).fill(TYPE.v128)],
      body: skipContainer(),
    },
    { name: "isAscii", parameters: 1, locals: [TYPE.i32, TYPE.v128], body: isAscii() },
    { name: "findNewline", parameters: 2, locals: [TYPE.i64], body: findNewline() },
  ]);
}

const at = local(0);
const end = local(1);
/** The WebAssembly variable with the number of open JSON containers at the start of the block. */
const depth = local(2);
const quotes = local(3);
const backslashes = local(4);
/**
 * The WebAssembly variable that is 1 when the previous block ends with an escaping backslash, else
 * 0.
 */
const escapedBefore = local(5);
/**
 * The WebAssembly variable whose bits are all 1 when the previous block ends within a string, else
 * 0.
 */
const insideBefore = local(6);
/**
 * The WebAssembly variable with the bit mask of the bytes within strings, including opening quotes.
 */
const inside = local(7);
const opens = local(8);
const closes = local(9);
/** The WebAssembly variable with the bits that a loop over single bits has still to process. */
const rest = local(10);
const escaped = local(11);
const upToHere = local(12);
const block = [local(13), local(14), local(15), local(16)];

const NONE = i64.const(0n);
const ONE = i64.const(1n);
const LAST_BIT = i64.const(63n);

function skipContainer(): Code[] {
  const vectors = block.map((vector) => vector.get);
  const inCase = vectors.map((vector) => v128.or(vector, splat(CASE_BIT)));
  return [
    whileLoop(
      i32.lt_u(at.get, end.get),
      ...blockAt(at.get).map((loaded, i) => block[i]!.set(loaded)),
      quotes.set(bitsOf('"', vectors)),
      backslashes.set(bitsOf("\\", vectors)),
      ifThen(i64.ne(i64.or(backslashes.get, escapedBefore.get), NONE), ...dropEscapedQuotes()),
      ...findStrings(),
      ifThen(i64.ne(outside(backslashes.get), NONE), returnValue(i32.const(UNSURE))),
      // [ and { differ only in this bit, as do ] and }; setting it turns no other byte into { or }.
      opens.set(outside(bitsOf("{", inCase))),
      closes.set(outside(bitsOf("}", inCase))),
      ifThen(i32.le_s(depth.get, count(closes.get)), ...findEnd()),
      depth.set(i32.sub(i32.add(depth.get, count(opens.get)), count(closes.get))),
      at.set(i32.add(at.get, i32.const(BLOCK_BYTES))),
    ),
    i32.const(UNCLOSED),
  ];
}

/**
 * Generates the code that removes the quotes that a backslash escapes, from the front, since an
 * escaped backslash escapes nothing.
 */
function dropEscapedQuotes(): Code[] {
  const lowest = i64.and(rest.get, i64.sub(NONE, rest.get));
  const dropEscaped = (from: Code): Code[] => [
    quotes.set(without(quotes.get, escaped.get)),
    rest.set(without(from, escaped.get)),
  ];
  return [
    escaped.set(escapedBefore.get),
    escapedBefore.set(NONE),
    ...dropEscaped(backslashes.get),
    whileLoop(
      i64.ne(rest.get, NONE),
      escapedBefore.set(i64.shr_u(lowest, LAST_BIT)),
      escaped.set(i64.shl(lowest, ONE)),
      ...dropEscaped(withoutLowest(rest.get)),
    ),
  ];
}

/**
 * Generates the code that computes the bytes within strings: those with an odd number of quotes up
 * to them. Six steps of doubling width compute the parity for all bytes.
 */
function findStrings(): Code[] {
  return [
    inside.set(quotes.get),
    ...[1n, 2n, 4n, 8n, 16n, 32n].map((by) =>
      inside.set(i64.xor(inside.get, i64.shl(inside.get, i64.const(by))))
    ),
    inside.set(i64.xor(inside.get, insideBefore.get)),
    insideBefore.set(i64.shr_s(inside.get, LAST_BIT)),
  ];
}

/**
 * Generates the code that returns from the scan when a closing bracket of the block is the
 * container's.
 */
function findEnd(): Code[] {
  const opened = count(i64.and(opens.get, upToHere.get));
  const closed = count(i64.and(closes.get, upToHere.get));
  return [
    rest.set(closes.get),
    whileLoop(
      i64.ne(rest.get, NONE),
      upToHere.set(upToLowest(rest.get)),
      ifThen(
        i32.eqz(i32.sub(i32.add(depth.get, opened), closed)),
        returnValue(i32.add(at.get, count(upToHere.get))),
      ),
      rest.set(withoutLowest(rest.get)),
    ),
  ];
}

/** Generates the code that loads the four vectors of the block at a position. */
function blockAt(place: Code): Code[] {
  return block.map((_, i) => v128.load(place, i * VECTOR_BYTES));
}

/** Generates the code that computes the bit mask of a block's bytes that equal a character. */
function bitsOf(character: string, vectors: readonly Code[]): Code {
  const wanted = splat(character.charCodeAt(0));
  return vectors.map((vector, i) => {
    const bits = i64.extend_i32_u(i8x16.bitmask(i8x16.eq(vector, wanted)));
    return i64.shl(bits, i64.const(BigInt(i * VECTOR_BYTES)));
  }).reduce((low, high) => i64.or(low, high));
}

function splat(byte: number): Code {
  return i8x16.splat(i32.const(byte));
}

function count(word: Code): Code {
  return i32.wrap_i64(i64.popcnt(word));
}

function outside(word: Code): Code {
  return without(word, inside.get);
}

function without(word: Code, bits: Code): Code {
  return i64.and(word, i64.xor(bits, i64.const(-1n)));
}

function withoutLowest(word: Code): Code {
  return i64.and(word, i64.sub(word, ONE));
}

function upToLowest(word: Code): Code {
  return i64.xor(word, i64.sub(word, ONE));
}

function isAscii(): Code[] {
  const length = local(0);
  const at = local(1);
  const seen = local(2);
  const seenHere = blockAt(at.get).reduce((one, other) => v128.or(one, other));
  return [
    ...block.map((_, i) => v128.store(length.get, splat(0), i * VECTOR_BYTES)),
    whileLoop(
      i32.lt_u(at.get, length.get),
      seen.set(v128.or(seen.get, seenHere)),
      at.set(i32.add(at.get, i32.const(BLOCK_BYTES))),
    ),
    // The mask of a vector has the top bits of its bytes, which are 0 in ASCII.
    i32.eqz(i8x16.bitmask(seen.get)),
  ];
}

function findNewline(): Code[] {
  const at = local(0);
  const end = local(1);
  const newlines = local(2);
  return [
    whileLoop(
      i32.lt_u(at.get, end.get),
      newlines.set(bitsOf("\n", blockAt(at.get))),
      ifThen(
        i64.ne(newlines.get, NONE),
        returnValue(i32.sub(i32.add(at.get, count(upToLowest(newlines.get))), i32.const(1))),
      ),
      at.set(i32.add(at.get, i32.const(BLOCK_BYTES))),
    ),
    end.get,
  ];
}
