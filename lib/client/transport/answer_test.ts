import assert from "node:assert/strict";
import { BodyReader } from "../calls/body_reader.ts";
import { type Answer, answerOf, hideOf, responseOf } from "./answer.ts";
import { headerPairsOf } from "./header_pairs.ts";
import { sendBy } from "./send.ts";

const bytes = new TextEncoder().encode('{"a":"é"}');

function whole(body: Uint8Array, status = 200): Answer {
  return { status, statusText: "", headers: new Headers({ "x-y": "z" }), body, shares: false };
}

function reader(answer: Answer, signal = new AbortController().signal): BodyReader {
  return new BodyReader({
    ...{ answer, signal, what: "answer to GET /x", abort: () => {} },
    hide: (text) => text,
    [Symbol.dispose]() {},
  });
}

Deno.test("a whole body is read as text and by chunks, as any other", async () => {
  assert.equal(await reader(whole(bytes)).text(), '{"a":"é"}');
  assert.equal(await reader(whole(bytes)).text(3), '{"a');
  const chunks = reader(whole(bytes));
  assert.deepEqual(await chunks.read(), bytes);
  assert.equal(await chunks.read(), undefined);
  assert.equal(await reader(whole(new Uint8Array())).text(), "");
});

Deno.test("a whole body passes through a wrapped network", async () => {
  const response = responseOf(whole(bytes, 201));
  const clone = response.clone();
  assert.equal(await reader(answerOf(clone)).text(), '{"a":"é"}');
  assert.deepEqual([response.status, response.headers.get("x-y")], [201, "z"]);
  assert.equal(answerOf(response).body, bytes, "handed on as it is");
  assert.deepEqual(await response.json(), { a: "é" });
  assert.equal(responseOf(whole(new Uint8Array(), 204)).body, null);
});

Deno.test("answerOf() refuses a response whose body was read", async () => {
  const response = responseOf(whole(bytes));
  await response.text();
  assert.throws(() => answerOf(response), TypeError);
});

Deno.test("a whole body is not read by an aborted call", async () => {
  const given = AbortSignal.abort(new Error("no more"));
  await assert.rejects(reader(whole(bytes), given).text(), /no more/);
});

Deno.test("a header that a wrapped network adds is in the answer", () => {
  const response = responseOf(whole(bytes));
  response.headers.set("warning", '299 - "old"');
  const { headers, body } = answerOf(response);
  assert.equal(headers.get("warning"), '299 - "old"');
  assert.equal(body, bytes);
});

Deno.test("an answer passes through a wrapped network as it is, with the headers that repeat", async () => {
  const { signal } = new AbortController();
  const headers = [["Impersonate-Group", "a"], ["Impersonate-Group", "b"]] as const;
  const outgoing = { method: "PUT", url: "http://a.example/x", headers, body: "1", signal };
  const asked: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { method, url, redirect } = request;
    assert.deepEqual(headerPairsOf(request), headers);
    asked.push(`${method} ${url} ${redirect} ${await request.text()}`);
    return responseOf(whole(bytes));
  };
  const wrapped = await sendBy((request) => fetch(request))(outgoing);
  assert.equal(wrapped.body, bytes);
  assert.deepEqual(asked, ["PUT http://a.example/x manual 1"]);
});

Deno.test("an answer is taken once: the next taker reads the body of the response", async () => {
  const response = responseOf({ ...whole(bytes), hide: (text) => text.toUpperCase() });
  assert.equal(answerOf(response).body, bytes);
  assert.equal(await reader(answerOf(response)).text(), '{"a":"é"}');
  assert.equal(hideOf(response)("a"), "A");
  assert.equal(hideOf(new Response())("a"), "a");
});
