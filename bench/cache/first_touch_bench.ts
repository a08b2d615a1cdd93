import { type Row, row } from "../support/measure.ts";

const PAGE_BYTES = 4096;
const PAGES = 16 * 1024;
const ROUNDS = 5;

/**
 * Measures the cost of memory that is touched for the first time. The measured work is no code of
 * this library, but it is most of the cost of a growing cache and of the moves by the garbage
 * collector on machines whose pages come from a virtualization host.
 */
export function firstTouchRow(): Row {
  const pairs: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // The pages of a resizable buffer have not been touched.
    const buffer = new ArrayBuffer(PAGES * PAGE_BYTES, { maxByteLength: PAGES * PAGE_BYTES });
    const bytes = new Uint8Array(buffer);
    const touchUs = perPageUs((at) => bytes[at] = 1);
    const copyUs = perPageUs((at) => bytes.copyWithin(at, at + PAGE_BYTES, at + 2 * PAGE_BYTES));
    pairs.push([touchUs, copyUs]);
    buffer.transfer(0);
  }
  return row("a page of memory touched for the first time, against copying it", "us", pairs);
}

function perPageUs(work: (at: number) => void): number {
  const startMs = performance.now();
  for (let page = 0; page < PAGES; page++) work(page * PAGE_BYTES);
  return (performance.now() - startMs) * 1000 / PAGES;
}
