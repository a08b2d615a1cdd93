import assert from "node:assert/strict";
import { BodyReader } from "./body_reader.ts";
import { responseWithBytes, wholeBodyOf } from "./whole_body.ts";

const bytes = new TextEncoder().encode('{"a":"é"}');

function reader(response: Response, signal = new AbortController().signal): BodyReader {
  return new BodyReader({
    ...{ response, signal, what: "answer to GET /x", abort: () => {} },
    [Symbol.dispose]() {},
  });
}

Deno.test("a body that came whole is read as text and by chunks, as any other", async () => {
  assert.equal(await reader(responseWithBytes(bytes, {})).text(), '{"a":"é"}');
  assert.equal(await reader(responseWithBytes(bytes, {})).text(3), '{"a');
  const chunks = reader(responseWithBytes(bytes, {}));
  assert.deepEqual(await chunks.read(), bytes);
  assert.equal(await chunks.read(), undefined);
  assert.equal(await reader(responseWithBytes(new Uint8Array(), {})).text(), "");
});

Deno.test("a body that came whole is a body to whoever wraps the network", async () => {
  const response = responseWithBytes(bytes, { status: 201, headers: { "x-y": "z" } });
  const clone = response.clone();
  assert.equal(wholeBodyOf(clone), undefined);
  assert.equal(await reader(clone).text(), '{"a":"é"}');
  assert.deepEqual(await response.json(), { a: "é" });
  assert.deepEqual([response.status, response.headers.get("x-y")], [201, "z"]);
  assert.equal(wholeBodyOf(response), undefined, "it was read");
});

Deno.test("a body that came whole is not read by a call that was given up", async () => {
  const given = AbortSignal.abort(new Error("no more"));
  await assert.rejects(reader(responseWithBytes(bytes, {}), given).text(), /no more/);
});
