import assert from "node:assert/strict";
import { JsonTextMaker } from "../../../tests/support/random/random_json.ts";
import { testSeed } from "../../../tests/support/seed.ts";
import { compileStage } from "../../../tests/support/stage.ts";
import { decodeWatchFrame } from "./watch_frames.ts";

compileStage(); // Long texts are scanned on the stage, short ones in place.
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const TYPES = ["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"];

function decode(text: string): { type: string; object?: unknown; message?: string; key?: string } {
  const event = decodeWatchFrame(encoder.encode(text));
  if (event.type === "UNDECODABLE") {
    return { type: event.type, message: event.error.message, key: event.error.key as string };
  }
  return { type: event.type, object: JSON.parse(decoder.decode(event.object)) };
}

Deno.test("decodeWatchFrame() agrees with JSON.parse on every valid frame", () => {
  const maker = new JsonTextMaker(testSeed());
  let decoded = 0;
  for (let i = 0; i < 4000; i++) {
    const type = maker.happens(0.95) ? maker.pick(TYPES) : maker.text();
    const text = maker.space() + maker.object(maker.shuffle([
      ["type", maker.string(type)],
      ["object", maker.happens(0.95) ? maker.kubeObject() : maker.value()],
      ...(maker.happens(0.2) ? [["other", maker.value()] as const] : []),
    ])) + maker.space();
    const parsed = JSON.parse(text);
    const { object } = parsed;
    const wanted = TYPES.includes(parsed.type) && typeof object === "object" && object !== null &&
      !Array.isArray(object);
    const event = decode(text);
    if (!wanted) assert.equal(event.type, "UNDECODABLE", text);
    else assert.deepEqual(event, { type: parsed.type, object }, text);
    if (wanted) decoded++;
  }
  assert.ok(decoded > 2000, "most frames are good ones");
});

Deno.test("F15 decodeWatchFrame() never throws on any bytes", () => {
  const maker = new JsonTextMaker(testSeed());
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  for (let i = 0; i < 4000; i++) {
    const frame = encoder.encode(`{"type":"ADDED","object":${maker.kubeObject()}}`);
    const mutated = maker.mutate(frame);
    const event = decodeWatchFrame(mutated);
    if (event.type === "UNDECODABLE") {
      assert.match(event.error.message, /^Cannot decode watch event/);
      continue;
    }
    assert.doesNotThrow(() => utf8.decode(mutated), "bad UTF-8 is never let through");
  }
});

Deno.test("F15 decodeWatchFrame() reports an undecodable line, with the key of its object if it can be read", () => {
  const good = '{"type":"ADDED","object":{"metadata":{"namespace":"a","name":"b"},"x":"é"}}';
  const bad = encoder.encode(good);
  bad[bad.length - 5] = 0xff;
  const event = decodeWatchFrame(bad);
  assert.equal(event.type, "UNDECODABLE");
  assert.match(event.type === "UNDECODABLE" ? event.error.message : "", /of a\/b: it is not UTF-8/);

  const cases: [string, RegExp][] = [
    ['{"type":"ADDED","object":{"metadata":{}}', /cut short or not JSON/],
    ['{"type":"RENAMED","object":{"metadata":{"name":"n"}}}', /of n: its type is "RENAMED"/],
    ['{"object":{}}', /its type is missing/],
    ['{"type":"ADDED"}', /it has no object/],
    ['{"type":"ADDED","object":[]}', /not a JSON object/],
    ['{"type":"ADDED","object":null}', /not a JSON object/],
    ['{"type":"ADDED","object":{}} x', /not JSON/],
    ["[]", /not JSON/],
    ["", /not JSON/],
  ];
  for (const [text, message] of cases) {
    const decoded = decode(text);
    assert.equal(decoded.type, "UNDECODABLE", text);
    assert.match(decoded.message ?? "", message);
  }
});
