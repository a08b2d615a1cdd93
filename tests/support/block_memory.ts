/**
 * Prints how the resident memory of a process changes when many blocks of 256 KB are allocated and
 * seven of eight are dropped, in MB. With the argument `resizable` the blocks are resizable buffers.
 * Needs `--v8-flags=--expose-gc`.
 *
 * @module
 */
const BLOCK_BYTES = 256 * 1024;
const BLOCKS = 400;
const isResizable = Deno.args[0] === "resizable";
const { gc } = globalThis as unknown as { gc(): void };

function residentMb(): number {
  const status = Deno.readTextFileSync("/proc/self/status");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
}

function block(): Uint8Array {
  const bytes = isResizable
    ? new Uint8Array(new ArrayBuffer(BLOCK_BYTES, { maxByteLength: BLOCK_BYTES }), 0, BLOCK_BYTES)
    : new Uint8Array(BLOCK_BYTES);
  return bytes.fill(1);
}

/** Collects garbage until the memory of dropped buffers has been freed in the background. */
async function collect(): Promise<void> {
  for (let round = 0; round < 50; round++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

// The C allocator learns from the first blocks that are freed that blocks of this size are common.
Array.from({ length: 40 }, block);
await collect();
const before = residentMb();
let blocks = Array.from({ length: BLOCKS }, block);
const full = residentMb();
blocks = blocks.filter((_, index) => index % 8 === 7);
await collect();
const figures = {
  allocated: full - before,
  kept: blocks.length * BLOCK_BYTES / 2 ** 20,
  left: residentMb() - before,
};
Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(figures)));
