import assert from "node:assert/strict";
import { stage } from "../../lib/apimachinery/base/json/json_stage.ts";

/** Has the stage compiled, as it is after a megabyte of text: text of some length is scanned there. */
export function compileStage(): void {
  assert.ok(stage(new Uint8Array(1024 * 1024)), "WebAssembly with SIMD is there");
}
