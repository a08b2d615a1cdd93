/**
 * The stage: memory to which text is copied so that the scan of `text_scan.ts` can read it.
 *
 * There is one stage, and the next text replaces its content, so it is for synchronous code that
 * copies a text and walks through it.
 *
 * @module
 */
import { type TextScan, textScanModule } from "./text_scan.ts";

/**
 * Minimum length, in bytes, of a text that is scanned by WebAssembly; copying a shorter one costs
 * as much as it saves.
 */
const MIN_BYTES = 256;
const CAPACITY = 1024 * 1024;
/**
 * Total number of bytes of texts of suitable length that {@linkcode stage} must have received in
 * this process before the WebAssembly scan is compiled. Compiling takes some milliseconds, which a
 * process that reads little, such as a command, does not spend.
 */
const COMPILE_AFTER_BYTES = 1024 * 1024;

let seenBytes = 0;
let isTried = false;
let scan: TextScan | undefined;
let memory: Uint8Array = new Uint8Array(0);
let ascii = false;

/**
 * Copies a text to the memory of the WebAssembly scan and returns true. Returns false when the text
 * is shorter than 256 bytes or longer than 1 MiB, or the scan is not available; `stage` compiles
 * the scan once it has received 1 MiB of text in total.
 */
export function stage(text: Uint8Array): boolean {
  if (text.length < MIN_BYTES || text.length > CAPACITY) return false;
  if (scan === undefined) {
    seenBytes += text.length;
    if (seenBytes < COMPILE_AFTER_BYTES) return false;
    prepareStage();
    if (scan === undefined) return false;
  }
  memory.set(text);
  ascii = scan.isAscii(text.length) === 1;
  return true;
}

/** Reports whether the text that {@linkcode stage} copied last consists of ASCII alone. */
export function stageIsAscii(): boolean {
  return ascii;
}

/**
 * Returns the position after the JSON container that begins at `at` in the memory of the
 * WebAssembly scan; UNCLOSED (-1) or UNSURE (-2) when the scan finds none. A position past `end`
 * means unclosed as well. To be called only for a text for which {@linkcode stage} returned true.
 */
export function skipStagedContainer(at: number, end: number): number {
  return scan!.skipContainer(at, end);
}

/**
 * Returns the position of the first newline from `at` on in the memory of the WebAssembly scan; -1
 * when there is no newline before `end`. To be called only for a text for which {@linkcode stage}
 * returned true.
 */
export function findStagedNewline(at: number, end: number): number {
  const found = scan!.findNewline(at, end);
  return found < end ? found : -1;
}

/**
 * Compiles the WebAssembly scan at once rather than during the first long read, for a caller that
 * is about to read much. When it cannot be compiled, all texts are scanned without WebAssembly.
 */
export function prepareStage(): void {
  if (isTried) return;
  isTried = true;
  try {
    const module = new WebAssembly.Module(textScanModule(CAPACITY));
    scan = new WebAssembly.Instance(module).exports as TextScan;
    memory = new Uint8Array(scan.memory.buffer);
  } catch {
    // The scan in JavaScript has the same result.
  }
}
