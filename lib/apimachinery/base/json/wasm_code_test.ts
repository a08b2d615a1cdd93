import assert from "node:assert/strict";
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
  type WasmFunction,
  wasmModule,
  whileLoop,
} from "./wasm_code.ts";

function compile(
  functions: readonly WasmFunction[],
): Record<string, (...args: number[]) => number> & { memory: WebAssembly.Memory } {
  const module = new WebAssembly.Module(wasmModule(1, functions));
  return new WebAssembly.Instance(module).exports as ReturnType<typeof compile>;
}

function constant(name: string, body: Code): WasmFunction {
  return { name, parameters: 0, locals: [], body: [body] };
}

const BORDERS = [0, 1, 63, 64, 65, 127, 128, 129, 8191, 8192, 16383, 16384, 2 ** 31 - 1];

Deno.test("WebAssembly constants of every length keep their value", () => {
  const values = BORDERS.flatMap((value) => [value, -value, -value - 1]);
  const functions = values.flatMap((value, i) => [
    constant(`narrow${i}`, i32.const(value)),
    constant(`wide${i}`, i32.wrap_i64(i64.const(BigInt(value)))),
    constant(`high${i}`, i32.wrap_i64(i64.shr_s(i64.const(BigInt(value) << 31n), i64.const(31n)))),
  ]);
  const exports = compile(functions);
  for (const [i, value] of values.entries()) {
    assert.equal(exports[`narrow${i}`]!(), value | 0);
    assert.equal(exports[`wide${i}`]!(), value | 0);
    assert.equal(exports[`high${i}`]!(), value | 0);
  }
});

Deno.test("a WebAssembly loop ends with its condition, and a function at its return", () => {
  const [limit, stop, sum] = [local(0), local(1), local(2)];
  const { sumUpTo } = compile([{
    name: "sumUpTo",
    parameters: 2,
    locals: [TYPE.i32],
    body: [
      whileLoop(
        i32.lt_u(i32.const(0), limit.get),
        sum.set(i32.add(sum.get, limit.get)),
        limit.set(i32.sub(limit.get, i32.const(1))),
        ifThen(i32.le_s(stop.get, sum.get), returnValue(i32.const(-1))),
      ),
      sum.get,
    ],
  }]);
  assert.equal(sumUpTo!(4, 100), 10);
  assert.equal(sumUpTo!(0, 100), 0);
  assert.equal(sumUpTo!(4, 9), -1);
});

Deno.test("WebAssembly vectors are read and written at any address", () => {
  const address = local(0);
  const { find, fill, memory } = compile([
    {
      name: "find",
      parameters: 1,
      locals: [],
      body: [i8x16.bitmask(i8x16.eq(v128.load(address.get, 200), i8x16.splat(i32.const(7))))],
    },
    {
      name: "fill",
      parameters: 1,
      locals: [],
      body: [
        v128.store(address.get, v128.or(i8x16.splat(i32.const(1)), i8x16.splat(i32.const(6))), 3),
        i32.const(0),
      ],
    },
  ]);
  fill!(300);
  assert.deepEqual([...new Uint8Array(memory.buffer, 302, 18)], [0, ...Array(16).fill(7), 0]);
  assert.equal(find!(101), 0b1111_1111_1111_1100);
});
