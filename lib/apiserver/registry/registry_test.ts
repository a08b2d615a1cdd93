import assert from "node:assert/strict";
import { seededRandom } from "../../base/random.ts";
import { jsonEqual } from "../machinery/json_values.ts";
import { StatusError } from "../machinery/status_error.ts";
import { decodePageToken, encodePageToken } from "./page_token.ts";
import { deletionFinalizers } from "./propagation.ts";

Deno.test("a page token comes back as it was", () => {
  for (const token of [{ revision: 12, start: "a/b\0" }, { revision: -1, start: "é" }]) {
    assert.deepEqual(decodePageToken(encodePageToken(token)), token);
  }
});

Deno.test("no text breaks the reading of page tokens but by a refusal", () => {
  const seed = 3;
  const random = seededRandom(seed);
  const good = encodePageToken({ revision: 5, start: "a/b" });
  for (let round = 0; round < 2000; round++) {
    const at = Math.floor(random.next() * good.length);
    const code = 33 + Math.floor(random.next() * 94);
    const text = good.slice(0, at) + String.fromCharCode(code) + good.slice(at + 1);
    try {
      decodePageToken(text);
    } catch (error) {
      const refused = error instanceof StatusError && error.code === 400;
      assert.ok(refused, `seed ${seed}: ${text}: ${error}`);
    }
  }
});

Deno.test("a token does not lead out of its list", () => {
  for (const start of ["../b", "a/../../b", "a//b", "./a"]) {
    const token = encodePageToken({ revision: 5, start });
    assert.throws(() => decodePageToken(token), StatusError, start);
  }
});

Deno.test("propagation is what is asked for, then what the finalizers say, then the kind's", () => {
  const finalizersOf = (
    finalizers: string[],
    options: Parameters<typeof deletionFinalizers>[1],
    byDefault: "Background" | "Orphan" = "Background",
  ) => deletionFinalizers({ metadata: { finalizers } }, options, byDefault);
  assert.equal(finalizersOf([], {}), undefined);
  assert.deepEqual(finalizersOf([], {}, "Orphan"), ["orphan"]);
  assert.deepEqual(finalizersOf(["x/y"], { propagationPolicy: "Foreground" }), [
    "x/y",
    "foregroundDeletion",
  ]);
  assert.equal(finalizersOf(["orphan"], {}), undefined);
  assert.deepEqual(finalizersOf(["orphan"], { propagationPolicy: "Background" }), []);
  assert.deepEqual(finalizersOf(["foregroundDeletion"], { orphanDependents: true }), ["orphan"]);
  assert.equal(finalizersOf([], { orphanDependents: false }, "Orphan"), undefined);
});

Deno.test("the order of fields makes no difference, that of items does", () => {
  const object = (rest: Record<string, unknown>) => ({ metadata: {}, ...rest });
  assert.ok(jsonEqual(object({ a: 1, b: [1, 2] }), object({ b: [1, 2], a: 1 })));
  assert.ok(!jsonEqual(object({ b: [1, 2] }), object({ b: [2, 1] })));
  assert.ok(!jsonEqual(object({ a: null }), object({})));
  assert.ok(jsonEqual(object({ a: undefined }), object({})));
  assert.ok(!jsonEqual(object({ a: {} }), object({ a: [] })));
});
