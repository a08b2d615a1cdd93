import assert from "node:assert/strict";
import { Mailbox } from "./mailbox.ts";
import { SpdyConnection } from "./spdy_connection.ts";
import { EmptyHeaderWriter } from "./spdy_headers.ts";

const FIN = 1;

/** Returns a frame of type SYN_STREAM with a header block. */
function opening(id: number, flags: number, block: Uint8Array): Uint8Array {
  const rest = [0, 0, 0, id, 0, 0, 0, 0, 0, 0, ...block];
  return Uint8Array.of(0x80, 3, 0, 1, flags, 0, 0, rest.length, ...rest);
}

/** Returns a data frame. */
function data(id: number, flags: number, text: string): Uint8Array {
  return Uint8Array.of(0, 0, 0, id, flags, 0, 0, text.length, ...new TextEncoder().encode(text));
}

/** Returns a frame of type RST_STREAM. */
function reset(id: number): Uint8Array {
  return Uint8Array.of(0x80, 3, 0, 3, 0, 0, 0, 8, 0, 0, 0, id, 0, 0, 0, 5);
}

Deno.test("the input of a SPDY stream ends where the client closes or resets its half", async () => {
  const bytes = new Mailbox<Uint8Array>();
  const connection = new SpdyConnection({ bytes, send: () => Promise.resolve(), end: () => {} });
  const headers = new EmptyHeaderWriter();
  const frames = [
    opening(1, FIN, await headers.write()),
    data(1, 0, "late"),
    opening(3, 0, await headers.write()),
    data(3, 0, "a"),
    data(3, FIN, "b"),
    data(3, 0, "late"),
    opening(5, 0, await headers.write()),
    data(5, 0, "c"),
    reset(5),
    data(5, 0, "late"),
  ];
  for (const frame of frames) bytes.put(frame);
  bytes.close();
  await connection.run();
  const inputs: string[] = [];
  for await (const { input } of connection.streams) {
    const parts = await Array.fromAsync(input);
    inputs.push(parts.map((part) => new TextDecoder().decode(part)).join(""));
  }
  assert.deepEqual(inputs, ["", "ab", "c"]);
  headers.close();
});
