import assert from "node:assert/strict";
import { seededRandom } from "../base/time/random.ts";
import { ClientFrames, closeFrame, LineFrames, pongFrame } from "./web_socket_frames.ts";

/** Returns a masked WebSocket frame, as a client sends it. */
function masked(opcode: number, payload: Uint8Array, mask: readonly number[]): Uint8Array {
  const { length } = payload;
  const head = length < 126
    ? [0x80 | length]
    : length < 65_536
    ? [0x80 | 126, length >>> 8, length & 0xff]
    : [
      0x80 | 127,
      0,
      0,
      0,
      0,
      length >>> 24,
      length >>> 16 & 0xff,
      length >>> 8 & 0xff,
      length & 255,
    ];
  const body = payload.map((byte, index) => byte ^ mask[index % 4]!);
  return Uint8Array.of(0x80 | opcode, ...head, ...mask, ...body);
}

/** Returns the payloads of complete WebSocket text frames. */
function texts(frames: Uint8Array): string[] {
  const view = new DataView(frames.buffer, frames.byteOffset);
  const found: string[] = [];
  for (let at = 0; at < frames.length;) {
    assert.equal(frames[at], 0x81);
    const short = frames[at + 1]!;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    const length = short < 126
      ? short
      : short === 126
      ? view.getUint16(at + 2)
      : Number(view.getBigUint64(at + 2));
    found.push(new TextDecoder().decode(frames.subarray(at + head, at + head + length)));
    at += head + length;
  }
  return found;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Splits bytes at random positions into chunks. */
function* cut(bytes: Uint8Array, next: () => number): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length;) {
    const size = 1 + Math.floor(next() * Math.min(300, bytes.length - at));
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const seed = Number(Deno.env.get("XCA_SEED") ?? Math.floor(Math.random() * 2 ** 31));

Deno.test("each line is one message, whatever the chunks", () => {
  const random = seededRandom(seed);
  const lines = [0, 1, 124, 125, 126, 65_533, 65_534, 65_535, 70_000, 3]
    .map((length) => `${"é".repeat(length % 7)}${"x".repeat(length)}\n`);
  const bytes = new TextEncoder().encode(lines.join(""));
  const framing = new LineFrames();
  const frames = [...cut(bytes, () => random.next())].map((chunk) => framing.push(chunk));
  assert.deepEqual(texts(concat(frames)), lines, `seed=${seed}`);
});

Deno.test("pings are answered, data is dropped and a close is reported, whatever the chunks", () => {
  const random = seededRandom(seed);
  const pings = ["", "a", "é".repeat(62)].map((text) => new TextEncoder().encode(text));
  const mask = [1, 2, 3, 250];
  const bytes = concat([
    masked(0x9, pings[0]!, mask),
    masked(0x1, new Uint8Array(5), mask),
    masked(0x2, new Uint8Array(200), mask),
    masked(0x9, pings[1]!, mask),
    masked(0x2, new Uint8Array(70_000), mask),
    masked(0x0, new Uint8Array(0), mask),
    masked(0x9, pings[2]!, mask),
    masked(0x8, Uint8Array.of(3, 232), mask),
    masked(0x9, pings[1]!, mask),
  ]);
  const heard: (Uint8Array | string)[] = [];
  const frames = new ClientFrames({
    ping: (payload) => void heard.push(payload),
    close: () => void heard.push("close"),
    violation: () => void heard.push("violation"),
  });
  for (const chunk of cut(bytes, () => random.next())) frames.push(chunk);
  assert.deepEqual(heard, [...pings, "close"], `seed=${seed}`);
});

Deno.test("a frame without a mask and a control frame that is too long violate the protocol", () => {
  const long = masked(0x9, new Uint8Array(126), [0, 0, 0, 0]);
  for (const bytes of [Uint8Array.of(0x81, 1, 97), long]) {
    let violations = 0;
    const frames = new ClientFrames({
      ping: () => assert.fail(),
      close: () => assert.fail(),
      violation: () => violations++,
    });
    frames.push(bytes);
    frames.push(masked(0x9, new Uint8Array(0), [0, 0, 0, 0]));
    assert.equal(violations, 1);
  }
});

Deno.test("control frames of a server are not masked", () => {
  assert.deepEqual(closeFrame(1000), Uint8Array.of(0x88, 2, 3, 232));
  assert.deepEqual(pongFrame(Uint8Array.of(7)), Uint8Array.of(0x8a, 1, 7));
});
