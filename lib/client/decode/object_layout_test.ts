import assert from "node:assert/strict";
import { JsonTextMaker } from "../../../tests/support/random/random_json.ts";
import { testSeed } from "../../../tests/support/seed.ts";
import { compileStage } from "../../../tests/support/stage.ts";
import { stage } from "@xca/apimachinery/internal/base";
import { layoutOf, scanObject } from "./object_layout.ts";

const encoder = new TextEncoder();

Deno.test("scanObject() finds the same on the stage, also in text that is cut or not JSON", () => {
  compileStage();
  const maker = new JsonTextMaker(testSeed());
  let whole = 0;
  for (let i = 0; i < 5000; i++) {
    const text = encoder.encode(maker.kubeObject() + " ".repeat(maker.below(400)));
    const object = maker.happens(0.5) ? text : maker.mutate(text);
    const start = maker.below(300);
    const line = new Uint8Array(start + object.length);
    line.set(object, start);
    if (!stage(line)) continue;
    const rest = line.subarray(start);
    const layout = scanObject(line, start, line.length, { origin: start, isStaged: true });
    assert.deepEqual(layout, scanObject(rest, 0, rest.length), new TextDecoder().decode(object));
    if (layout.end > 0) whole++;
  }
  assert.ok(whole > 1000, "many are whole");
});

Deno.test("layoutOf() finds the encoding of long and short texts", () => {
  compileStage();
  for (const length of [10, 1000]) {
    const of = (text: string): Uint8Array => encoder.encode(`{"a":"${text.repeat(length)}"}`);
    assert.equal(layoutOf(of("a")).encoding, "ascii");
    assert.equal(layoutOf(of("é")).encoding, "utf-8");
    const bad = of("é");
    bad[7] = 0x20;
    assert.equal(layoutOf(bad).encoding, "invalid");
  }
});
