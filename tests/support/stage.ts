import assert from "node:assert/strict";
import { stage } from "../../lib/apimachinery/base/json/json_stage.ts";

/**
 * Compiles the WebAssembly stage, which happens after a megabyte of text. Only long text is scanned
 * there.
 */
export function compileStage(): void {
  assert.ok(stage(new Uint8Array(1024 * 1024)), "WebAssembly with SIMD is there");
}
