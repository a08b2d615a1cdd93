import assert from "node:assert/strict";
import { answerOf, responseOf } from "../transport/answer.ts";
import { BodyReader, type BodyReaderOptions } from "./body_reader.ts";
import type { ByteSource } from "../transport/http1/byte_source.ts";

/** Returns a test source of chunks, each alone in its memory. */
function source(...texts: string[]): ByteSource & { cancelled: unknown } {
  return {
    cancelled: undefined,
    read() {
      const text = texts.shift();
      return Promise.resolve(text === undefined ? undefined : new TextEncoder().encode(text));
    },
    cancel(reason) {
      this.cancelled = reason;
    },
  };
}

/** Returns an HTTP response as a wrapped network returns it. */
function responseWith(body: ByteSource, status = 200): Response {
  return responseOf({ status, statusText: "", headers: new Headers(), body, shares: false });
}

function reader(response: Response, options: BodyReaderOptions = {}): BodyReader {
  const { signal } = new AbortController();
  return new BodyReader({
    ...{
      answer: answerOf(response),
      signal,
      what: "answer to GET /x",
      hide: String,
      abort: () => {},
    },
    [Symbol.dispose]() {},
  }, options);
}

Deno.test("BodyReader releases the memory of a lent chunk when the next one is read", async () => {
  using body = reader(responseWith(source("one", "two")), { lends: true });
  const one = (await body.read())!;
  assert.equal(new TextDecoder().decode(one), "one");
  const two = (await body.read())!;
  assert.equal(one.byteLength, 0);
  assert.equal(new TextDecoder().decode(two), "two");
  assert.equal(await body.read(), undefined);
});

Deno.test("BodyReader keeps the memory of a chunk that is not lent", async () => {
  using body = reader(responseWith(source("one", "two")));
  const one = (await body.read())!;
  await body.read();
  assert.equal(new TextDecoder().decode(one), "one");
});

Deno.test("BodyReader never releases chunks that may share their memory", async () => {
  const chunks = [Uint8Array.of(1), Uint8Array.of(2)];
  const response = new Response(ReadableStream.from(chunks));
  using body = reader(response, { lends: true });
  while (await body.read());
  assert.deepEqual(chunks, [Uint8Array.of(1), Uint8Array.of(2)]);
});

Deno.test("responseOf() streams a body that is still arriving", async () => {
  const response = responseWith(source("one", "two"), 201);
  const clone = response.clone();
  using body = reader(response, { lends: true });
  assert.equal(await clone.text(), "onetwo");
  assert.equal(await body.text(), "onetwo");
  assert.equal(await responseWith(source("one", "two")).text(), "onetwo");
});

Deno.test("cancelling the stream of a response cancels its source", async () => {
  const cancelled = source("one");
  await responseWith(cancelled).body!.cancel(new Error("enough"));
  assert.match(String(cancelled.cancelled), /enough/);
  const left = source("one", "two");
  const body = reader(responseWith(left));
  await body.read();
  body[Symbol.dispose]();
  assert.match(String(left.cancelled), /ended/);
});
