/**
 * The stage: memory to which text is copied, so that the scan of `text_scan.ts` can read it.
 *
 * There is one, and what is on it is gone when the next text is put there. So it is for synchronous code
 * that puts a text there, walks through it, and is done.
 *
 * @module
 */
import { type TextScan, textScanModule } from "./text_scan.ts";

/** Of shorter text, copying costs what it saves. */
const MIN_BYTES = 256;
const CAPACITY = 1024 * 1024;
/** Compiling takes some milliseconds: a process that reads little, as a command does, never pays them. */
const COMPILE_AFTER_BYTES = 1024 * 1024;

let seenBytes = 0;
let isTried = false;
let scan: TextScan | undefined;
let memory: Uint8Array = new Uint8Array(0);
let ascii = false;

/** Puts a text on the stage; false when that is not worth it, or cannot be. */
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

/** Whether the text on the stage is ASCII. */
export function stageIsAscii(): boolean {
  return ascii;
}

/** The position after the container that begins at this place of the stage; UNCLOSED or UNSURE. */
export function skipStagedContainer(at: number, end: number): number {
  return scan!.skipContainer(at, end);
}

/** The position of the first newline from this place of the stage on; -1 when there is none before `end`. */
export function findStagedNewline(at: number, end: number): number {
  const found = scan!.findNewline(at, end);
  return found < end ? found : -1;
}

/**
 * Compiles the scan now, for who is about to read much: the milliseconds that it takes then fall between
 * pieces of work, and not into one. Where it cannot be compiled nothing is ever staged.
 */
export function prepareStage(): void {
  if (isTried) return;
  isTried = true;
  try {
    const module = new WebAssembly.Module(textScanModule(CAPACITY));
    scan = new WebAssembly.Instance(module).exports as TextScan;
    memory = new Uint8Array(scan.memory.buffer);
  } catch {
    // The scan in JavaScript finds the same.
  }
}
