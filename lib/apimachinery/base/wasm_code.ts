/**
 * Writes WebAssembly modules: as much of them as this project's own few functions need.
 *
 * An instruction is a function of its operands and gives the bytes that leave its result on the stack,
 * so that `i32.add(at.get, i32.const(64))` reads as it would in a language. Names are those of the
 * WebAssembly specification.
 *
 * @module
 */

/** Bytes of instructions. */
export type Code = readonly number[];

type Instruction = (...operands: Code[]) => Code;

/** The instruction of an opcode, whose operands come before it. */
function instruction(...opcode: number[]): Instruction {
  return (...operands) => [...operands.flat(), ...opcode];
}

const SIMD = 0xfd;
const UNALIGNED = [0];

/** Types of values. */
export const TYPE = { i32: 0x7f, i64: 0x7e, v128: 0x7b } as const;

type Instructions<Name extends string> = Readonly<Record<Name, Instruction>>;

/** Instructions on numbers of 32 bits. */
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

/** Instructions on numbers of 64 bits. */
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

/** Instructions on vectors of sixteen bytes. Addresses may be any; an offset is added to them. */
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

/** Instructions on vectors that take each of their bytes by itself. */
export const i8x16: Instructions<"splat" | "eq" | "bitmask"> = {
  splat: instruction(SIMD, 0x0f),
  eq: instruction(SIMD, 0x23),
  bitmask: instruction(SIMD, 0x64),
};

/** A variable of a function. */
export interface Local {
  /** Its value. */
  readonly get: Code;
  /** Gives it a value. */
  set(value: Code): Code;
}

/** The variable with this index: parameters first. */
export function local(index: number): Local {
  return { get: [0x20, index], set: (value) => [...value, 0x21, index] };
}

const BLOCK_WITHOUT_RESULT = [0x40];
const END = 0x0b;

/** Does the body as long as the condition holds. */
export function whileLoop(condition: Code, ...body: Code[]): Code {
  return [0x03, ...BLOCK_WITHOUT_RESULT, ...ifThen(condition, ...body, [0x0c, 1]), END];
}

/** Does the body when the condition holds. */
export function ifThen(condition: Code, ...body: Code[]): Code {
  return [...condition, 0x04, ...BLOCK_WITHOUT_RESULT, ...body.flat(), END];
}

/** Leaves the function with a value. */
export function returnValue(value: Code): Code {
  return [...value, 0x0f];
}

/** A function to be exported. */
export interface WasmFunction {
  readonly name: string;
  /** How many numbers of 32 bits it takes; it returns one. */
  readonly parameters: number;
  /** The types of its variables beside them. */
  readonly locals: readonly number[];
  readonly body: readonly Code[];
}

/** The bytes of a module with these functions, and with a memory of so many pages named `memory`. */
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

/** LEB128: seven bits a byte, the lowest first; the top bit says that more follow. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [value & 0x7f | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: bigint): Code {
  const low = Number(BigInt.asUintN(7, value));
  return value === BigInt.asIntN(7, value) ? [low] : [low | 0x80, ...signed(value >> 7n)];
}
