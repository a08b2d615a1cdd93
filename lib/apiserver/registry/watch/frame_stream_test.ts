import assert from "node:assert/strict";
import { LoopShare } from "@xca/apimachinery/internal/base";
import { FrameStream } from "./frame_stream.ts";

const work = new LoopShare().begin();
const encoder = new TextEncoder();
const frame = (text: string): Uint8Array => encoder.encode(text);

async function textOf(stream: FrameStream): Promise<string> {
  return await new Response(stream.body).text();
}

Deno.test("FrameStream sends the initial frames, then the pushed ones, then the end", async () => {
  const stream = new FrameStream([frame("a"), Promise.resolve(frame("b"))], () => {}, work);
  stream.push(frame("c"));
  stream.end();
  assert.equal(await textOf(stream), "abc");
});

Deno.test("FrameStream sends a frame to a waiting reader at once", async () => {
  const stream = new FrameStream([], () => {}, work);
  const reader = stream.body.getReader();
  const read = reader.read();
  await Promise.resolve();
  stream.push(frame("late"));
  assert.deepEqual((await read).value, frame("late"));
  const end = reader.read();
  await Promise.resolve();
  stream.end();
  assert.equal((await end).done, true);
});

Deno.test("FrameStream ends when unread frames exceed the limit", async () => {
  let ends = 0;
  const stream = new FrameStream([], () => void ends++, work);
  const megabyte = new Uint8Array(1024 * 1024);
  for (let count = 0; count < 40; count++) stream.push(megabyte);
  assert.equal(ends, 1);
  assert.equal(await textOf(stream), "");
});

Deno.test("FrameStream ends once when the reader cancels", async () => {
  let ends = 0;
  const stream = new FrameStream([frame("a"), frame("b")], () => void ends++, work);
  await stream.body.cancel();
  stream.push(frame("c"));
  stream.end();
  stream.cut();
  assert.equal(ends, 1);
});

Deno.test("FrameStream ends when a frame cannot be encoded", async () => {
  let ends = 0;
  const frames = function* (): Generator<Uint8Array | Promise<Uint8Array>> {
    yield frame("a");
    yield Promise.reject(new Error("no webhook"));
    yield frame("b");
  };
  const stream = new FrameStream(frames(), () => void ends++, work);
  assert.equal(await textOf(stream), "a");
  assert.equal(ends, 1);
});
