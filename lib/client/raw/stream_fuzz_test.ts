import assert from "node:assert/strict";
import { printedRandom } from "../../../tests/support/seed.ts";
import type { Random } from "@xca/apimachinery/base";
import { Pod } from "@xca/apimachinery/meta";
import { ApiError, apiErrorFromObject, apiErrorFromRaw } from "../errors/api_error.ts";
import { createClient } from "../create_client.ts";
import { DecodeError, FrameTooLargeError } from "../errors/decode_error.ts";
import { LineSplitter } from "../decode/lines.ts";
import { apiErrorFromRefusal } from "../calls/error_response.ts";
import { StreamBrokenError } from "../errors/unreachable_error.ts";

const ROUNDS = 1_500;
const encoder = new TextEncoder();

function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random.next() * (high - low));
}

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[between(random, 0, choices.length)]!;
}

const PIECES: readonly string[] = [
  '{"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"1"}}}\n',
  '{"object":{"metadata":{"name":"\\u00e9"}},"type":"MODIFIED"}\n',
  '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}\n',
  '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}\n',
  '{"type":"DELETED","object":null}\n',
  '{"type":7,"object":[]}\n',
  '{"type":"ADDED","object":"\\ud800"}\n',
  '{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,"details":{"causes":[{"reason":"x"}],"retryAfterSeconds":3}}',
  '{"kind":"Status","code":"404","details":[],"message":{}}',
  '{"kind":"Status","details":{"causes":{"a":1}},"metadata":7}',
  '{"__proto__":{"kind":"Status"}}',
  "\n",
  "\r\n",
  "{",
  "}",
  '"',
  "\\",
  "[[[[",
  "null",
  "1e999",
  "\u0000",
  "\u{1F600}",
  "<html>",
];

/** Returns random watch lines with bytes changed, removed and doubled. */
function randomBytes(random: Random): Uint8Array {
  const pieces = Array.from({ length: between(random, 0, 8) }, () => pick(random, PIECES));
  let bytes = encoder.encode(pieces.join(""));
  for (let change = between(random, 0, 4); change > 0 && bytes.length > 0; change--) {
    const at = between(random, 0, bytes.length);
    const to = Math.min(bytes.length, at + between(random, 1, 30));
    switch (between(random, 0, 3)) {
      case 0:
        bytes[at] = between(random, 0, 256);
        break;
      case 1:
        bytes = Uint8Array.of(...bytes.subarray(0, at), ...bytes.subarray(to));
        break;
      default:
        bytes = Uint8Array.of(...bytes.subarray(0, to), ...bytes.subarray(at));
    }
  }
  return bytes;
}

/** Returns a stream of bytes in random chunks, with or without an error at the end. */
function streamOf(
  bytes: Uint8Array,
  cuts: readonly number[],
  broken: boolean,
): ReadableStream<Uint8Array> {
  const ends = [...cuts, bytes.length].sort((a, b) => a - b);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      const end = ends.shift();
      if (end === undefined) {
        return broken ? controller.error(new TypeError("cut")) : controller.close();
      }
      if (end > at) controller.enqueue(bytes.slice(at, end));
      else controller.enqueue(new Uint8Array());
      at = end;
    },
  });
}

/** Returns the events of a watch as comparable lines. */
async function watched(body: ReadableStream<Uint8Array>): Promise<string[]> {
  const seen: string[] = [];
  using client = createClient({ server: "https://a.example" }, {
    fetch: () => Promise.resolve(new Response(body)),
  });
  try {
    for await (const batch of await client.raw(Pod).watch({})) {
      for (const event of batch) {
        if (event.type === "UNDECODABLE") {
          assert.ok(event.error instanceof DecodeError);
          seen.push(event.type);
        } else {
          seen.push(`${event.type} ${new TextDecoder().decode(event.object)}`);
          if (event.type === "ERROR") assert.ok(apiErrorFromRaw(event.object) instanceof ApiError);
        }
      }
    }
  } catch (error) {
    assert.ok(
      error instanceof StreamBrokenError || error instanceof FrameTooLargeError ||
        error instanceof DecodeError,
      `${error}`,
    );
    seen.push(error.name);
  }
  return seen;
}

Deno.test("F14 F15 fuzz: a watch yields the same events of any bytes, however they are cut", async () => {
  const { seed, random } = printedRandom();
  let events = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const hint = `seed=${seed} round=${round}`;
    const bytes = randomBytes(random);
    const broken = random.next() < 0.3;
    const cuts = Array.from(
      { length: between(random, 0, 12) },
      () => between(random, 0, bytes.length + 1),
    );
    const whole = await watched(streamOf(bytes, [], broken));
    const pieces = await watched(streamOf(bytes, cuts, broken));
    // An error may lose the batch that arrived with it, and no other.
    assert.deepEqual(pieces, whole, hint);
    events += whole.length;
    if (!broken) {
      const lines = bytes.reduce((count, byte) => byte === 10 ? count + 1 : count, 1);
      assert.ok(whole.length <= lines, `${hint}: one event or error a line at most`);
    }
  }
  assert.ok(events > ROUNDS, "something was seen");
});

Deno.test("F16 fuzz: an endless line fails at the limit, and holds no more", () => {
  const { seed, random } = printedRandom();
  for (let round = 0; round < 50; round++) {
    const maxBytes = between(random, 1, 5_000);
    const lines = new LineSplitter({ maxBytes });
    let pushed = 0;
    assert.throws(() => {
      for (;;) {
        const chunk = new Uint8Array(between(random, 1, 700)).fill(97);
        pushed += chunk.length;
        lines.push(chunk);
        assert.ok(lines.pendingBytes <= maxBytes, `seed=${seed} round=${round}`);
      }
    }, FrameTooLargeError);
    assert.ok(pushed <= maxBytes + 700, `seed=${seed} round=${round}`);
  }
});

Deno.test("fuzz: any body of a refusal results in an ApiError", () => {
  const { seed, random } = printedRandom();
  for (let round = 0; round < ROUNDS * 4; round++) {
    const hint = `seed=${seed} round=${round}`;
    const bytes = randomBytes(random);
    const code = pick(random, [301, 400, 401, 403, 404, 409, 410, 422, 429, 500, 503, 599]);
    const error = apiErrorFromRefusal({
      code,
      body: new TextDecoder().decode(bytes),
      method: "GET",
      path: "/x",
      retryAfterSeconds: undefined,
      location: pick(random, [null, "", "x", "https://u:p@h/?q"]),
    });
    assert.ok(error instanceof ApiError, hint);
    assert.equal(typeof error.code, "number", hint);
    assert.equal(typeof error.message, "string", hint);
    assert.equal(typeof error.reason, "string", hint);
    assert.ok(error.message.length < 5_000, hint);
    assert.doesNotThrow(() => String(error), hint);
    assert.ok(apiErrorFromRaw(bytes) instanceof ApiError, hint);
  }
  for (
    const odd of [null, undefined, 7, "x", [], {}, { kind: "Status" }, { kind: "Status", code: {} }]
  ) {
    assert.ok(apiErrorFromObject(odd) instanceof ApiError, JSON.stringify(odd));
  }
});
