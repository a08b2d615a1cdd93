import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { StatusError } from "@xca/apimachinery/internal/errors";
import { jsonEqual } from "@xca/apimachinery/internal/values";
import { decodePageToken, encodePageToken } from "../handlers/page_token.ts";
import { deletionFinalizers } from "./propagation.ts";

Deno.test("a page token survives encoding and decoding", () => {
  for (const token of [{ revision: 12, start: "a/b\0" }, { revision: -1, start: "é" }]) {
    assert.deepEqual(decodePageToken(encodePageToken(token)), token);
  }
});

Deno.test("decodePageToken() throws nothing but refusals", () => {
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

Deno.test("decodePageToken() refuses invalid tokens with kube-apiserver's messages", () => {
  const refusals: Readonly<Record<string, string>> = {
    "[1]": ": json: cannot unmarshal array into Go value of type storage.continueToken",
    "5": ": json: cannot unmarshal number into Go value of type storage.continueToken",
    "null": ": server does not recognize this encoded version ",
    '{"v":null,"rv":1}': ": server does not recognize this encoded version ",
    "{": ": unexpected end of JSON input",
    "\x01": ": invalid character '\\x01' looking for beginning of value",
    '{"v":1}':
      ": json: cannot unmarshal number into Go struct field continueToken.v of type string",
    '{"v":"x","rv":-1}': ": server does not recognize this encoded version x",
    '{"v":"meta.k8s.io/v1","rv":1.5}':
      ": json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64",
    '{"v":"meta.k8s.io/v1","rv":true,"start":[]}':
      ": json: cannot unmarshal bool into Go struct field continueToken.rv of type int64",
    '{"v":"meta.k8s.io/v1","rv":-1,"start":{}}':
      ": json: cannot unmarshal object into Go struct field continueToken.start of type string",
    '{"v":"meta.k8s.io/v1","rv":-1,"start":"a"} x': ": invalid character 'x' after top-level value",
  };
  for (const [text, why] of Object.entries(refusals)) {
    const token = new TextEncoder().encode(text).toBase64({ alphabet: "base64url" })
      .replaceAll("=", "");
    const message = `invalid continue token: continue key is not valid${why}`;
    assert.throws(() => decodePageToken(token), { name: "StatusError", message }, text);
  }
  const anyCase = btoa('{"V":"meta.k8s.io/v1","RV":-1,"START":"/"}').replaceAll("=", "");
  assert.deepEqual(decodePageToken(anyCase), { revision: -1, start: "" });
});

Deno.test("a page token cannot leave its list", () => {
  for (const start of ["../b", "a/../../b", "a//b", "./a"]) {
    const token = encodePageToken({ revision: 5, start });
    assert.throws(() => decodePageToken(token), StatusError, start);
  }
});

Deno.test("the propagation policy is the requested one, else that of the finalizers, else the kind's", () => {
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

Deno.test("jsonEqual() ignores the order of fields, but not of items", () => {
  const object = (rest: Record<string, unknown>) => ({ metadata: {}, ...rest });
  assert.ok(jsonEqual(object({ a: 1, b: [1, 2] }), object({ b: [1, 2], a: 1 })));
  assert.ok(!jsonEqual(object({ b: [1, 2] }), object({ b: [2, 1] })));
  assert.ok(!jsonEqual(object({ a: null }), object({})));
  assert.ok(jsonEqual(object({ a: undefined }), object({})));
  assert.ok(!jsonEqual(object({ a: {} }), object({ a: [] })));
});
