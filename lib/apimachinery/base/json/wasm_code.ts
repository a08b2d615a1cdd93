/**
 * Writer of WebAssembly modules, with the instructions that this project needs.
 *
 * An instruction is a function of its operands and returns the bytes that leave its result on the
 * stack, so that `i32.add(at.get, i32.const(64))` reads like an expression. Names are those of the
 * WebAssembly specification.
 *
 * @module
 */

/** Encoded WebAssembly instructions: a list of bytes. */
export type Code = readonly number[];

type Instruction = (...operands: Code[]) => Code;

/**
 * Returns a function that encodes a WebAssembly instruction without immediates: the instructions of
 * its operands, then the opcode.
 */
function instruction(...opcode: number[]): Instruction {
  return (...operands) => [...operands.flat(), ...opcode];
}

const SIMD = 0xfd;
const UNALIGNED = [0];

/** A record of the codes of the types of WebAssembly values. */
export const TYPE = { i32: 0x7f, i64: 0x7e, v128: 0x7b } as const;

type Instructions<Name extends string> = Readonly<Record<Name, Instruction>>;

/** A record of functions that encode the WebAssembly instructions on 32-bit integers. */
export const i32:
  & Instructions<"eqz" | "lt_u" | "le_s" | "add" | "sub" | "wrap_i64">
  & { const(value: number): Code } = {
    const: (value) => [0x41, ...signed(BigInt(value))],
    eqz: instruction(0x45),
    lt_u: instruction(0x49),
    le_s: instruction(0x4c),
    add: instruction(0x6a),
    sub: instruction(0x6b),
    wrap_i64: instruction(0xa7),
  };

/** A record of functions that encode the WebAssembly instructions on 64-bit integers. */
export const i64:
  & Instructions<"ne" | "popcnt" | "sub" | "and" | "or" | "xor">
  & Instructions<"shl" | "shr_s" | "shr_u" | "extend_i32_u">
  & { const(value: bigint): Code } = {
    const: (value) => [0x42, ...signed(value)],
    ne: instruction(0x52),
    popcnt: instruction(0x7b),
    sub: instruction(0x7d),
    and: instruction(0x83),
    or: instruction(0x84),
    xor: instruction(0x85),
    shl: instruction(0x86),
    shr_s: instruction(0x87),
    shr_u: instruction(0x88),
    extend_i32_u: instruction(0xad),
  };

/**
 * A record of functions that encode the WebAssembly instructions on vectors of sixteen bytes.
 * Addresses need no alignment; an offset is added to them.
 */
export const v128: Instructions<"or"> & {
  load(address: Code, offset: number): Code;
  store(address: Code, value: Code, offset: number): Code;
} = {
  load: (address, offset) => [...address, SIMD, 0x00, ...UNALIGNED, ...unsigned(offset)],
  store: (address, value, offset) => [
    ...address,
    ...value,
    SIMD,
    0x0b,
    ...UNALIGNED,
    ...unsigned(offset),
  ],
  or: instruction(SIMD, 0x50),
};

/** A record of functions that encode the WebAssembly instructions on each byte of a vector. */
export const i8x16: Instructions<"splat" | "eq" | "bitmask"> = {
  splat: instruction(SIMD, 0x0f),
  eq: instruction(SIMD, 0x23),
  bitmask: instruction(SIMD, 0x64),
};

/** The encoded instructions that read and set a variable of a WebAssembly function. */
export interface Local {
  /** The encoded WebAssembly instruction that reads the local variable. */
  readonly get: Code;
  /** Returns the WebAssembly instructions that set the local variable to the result of `value`. */
  set(value: Code): Code;
}

/**
 * Returns the instructions for the variable with an index in a WebAssembly function; parameters
 * have the first indexes.
 */
export function local(index: number): Local {
  return { get: [0x20, index], set: (value) => [...value, 0x21, index] };
}

const BLOCK_WITHOUT_RESULT = [0x40];
const END = 0x0b;

/** Returns the WebAssembly instructions that repeat a body while a condition is true. */
export function whileLoop(condition: Code, ...body: Code[]): Code {
  return [0x03, ...BLOCK_WITHOUT_RESULT, ...ifThen(condition, ...body, [0x0c, 1]), END];
}

/** Returns the WebAssembly instructions that execute a body if a condition is true. */
export function ifThen(condition: Code, ...body: Code[]): Code {
  return [...condition, 0x04, ...BLOCK_WITHOUT_RESULT, ...body.flat(), END];
}

/** Returns the WebAssembly instructions that return from the function with a value. */
export function returnValue(value: Code): Code {
  return [...value, 0x0f];
}

/** The name, parameters, variables and code of a function that a WebAssembly module exports. */
export interface WasmFunction {
  readonly name: string;
  /**
   * The number of the WebAssembly function's parameters, 32-bit integers. The result is a 32-bit
   * integer.
   */
  readonly parameters: number;
  /**
   * The types (codes of {@linkcode TYPE}) of the WebAssembly function's local variables that are
   * not parameters, in the order of their indexes.
   */
  readonly locals: readonly number[];
  readonly body: readonly Code[];
}

/**
 * Encodes a WebAssembly module, such as that of the JSON text scan: returns its bytes. The module
 * exports the given functions, whose parameters and result are `i32`, and a memory of exactly
 * `pages` pages, named `memory`.
 */
export function wasmModule(
  pages: number,
  functions: readonly WasmFunction[],
): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters }) => [
    0x60,
    ...vector(Array.from({ length: parameters }, () => [TYPE.i32])),
    ...vector([[TYPE.i32]]),
  ]);
  const exports = functions.map(({ name }, index) => [...text(name), 0, index]);
  const code = functions.map(({ locals, body }) =>
    sized([...vector(locals.map((type) => [1, type])), ...body.flat(), END])
  );
  return Uint8Array.from([
    ...[0, ...bytesOf("asm"), 1, 0, 0, 0],
    ...section(1, types),
    ...section(3, functions.map((_, index) => [index])),
    ...section(5, [[1, ...unsigned(pages), ...unsigned(pages)]]),
    ...section(7, [[...text("memory"), 2, 0], ...exports]),
    ...section(10, code),
  ]);
}

function section(id: number, items: readonly Code[]): Code {
  return [id, ...sized(vector(items))];
}

function vector(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function sized(bytes: Code): Code {
  return [...unsigned(bytes.length), ...bytes];
}

function text(of: string): Code {
  return sized(bytesOf(of));
}

function bytesOf(ascii: string): Code {
  return Array.from(ascii, (character) => character.charCodeAt(0));
}

/**
 * Encodes a nonnegative integer as LEB128, as WebAssembly does: seven bits per byte, the lowest
 * first; the top bit means that more bytes follow.
 */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [value & 0x7f | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: bigint): Code {
  const low = Number(BigInt.asUintN(7, value));
  return value === BigInt.asIntN(7, value) ? [low] : [low | 0x80, ...signed(value >> 7n)];
}
