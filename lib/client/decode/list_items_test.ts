import assert from "node:assert/strict";
import { JsonTextMaker } from "../../../tests/support/random/random_json.ts";
import { testSeed } from "../../../tests/support/seed.ts";
import { compileStage } from "../../../tests/support/stage.ts";
import type { ListMeta } from "@xca/apimachinery/meta";
import { DecodeError, FrameTooLargeError } from "../errors/decode_error.ts";
import { ListDecoder } from "./list_items.ts";

compileStage(); // Long texts are scanned on the stage, short ones in place.
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(
  chunks: readonly Uint8Array[],
  list = new ListDecoder(),
): { metadata: ListMeta; items: unknown[] } {
  const items: unknown[] = [];
  for (const chunk of chunks) {
    list.push(chunk, (batch) => {
      for (const item of batch) items.push(JSON.parse(decoder.decode(item)));
    });
    chunk.fill(0); // The decoder must not read a chunk after push().
  }
  return { metadata: list.finish(), items };
}

Deno.test("ListDecoder agrees with JSON.parse, however the body is cut", () => {
  const maker = new JsonTextMaker(testSeed());
  for (let i = 0; i < 1500; i++) {
    const items = Array.from(
      { length: maker.below(6) },
      () => maker.happens(0.95) ? maker.kubeObject() : maker.value(),
    );
    const members = [
      ["kind", '"PodList"'],
      ["metadata", maker.pick(['{"resourceVersion":"7","continue":"x"}', "null", "{}"])],
      ["items", items.length === 0 && maker.happens(0.5) ? "null" : maker.array(items)],
      ["junk", maker.value()],
    ] as const;
    const order = maker.shuffle([...members]);
    const once = order.filter(([key], at) => order.findIndex((other) => other[0] === key) === at);
    const text = maker.space() + maker.object(once) + maker.space();
    const chunks = maker.chunks(encoder.encode(text));
    const parsed = JSON.parse(text);
    if (!("items" in parsed)) {
      assert.throws(() => decode(chunks), DecodeError);
      continue;
    }
    assert.deepEqual(decode(chunks), {
      metadata: parsed.metadata ?? {},
      items: parsed.items ?? [],
    }, text);
  }
});

Deno.test("F15 ListDecoder throws only DecodeError on any bytes", () => {
  const maker = new JsonTextMaker(testSeed());
  for (let i = 0; i < 2000; i++) {
    const text = `{"metadata":{},"items":[${maker.kubeObject()},${maker.kubeObject()}]}`;
    const list = new ListDecoder();
    try {
      for (const chunk of maker.chunks(maker.mutate(encoder.encode(text)))) {
        list.push(chunk, () => {});
      }
      list.finish();
    } catch (error) {
      assert.ok(error instanceof DecodeError, String(error));
    }
  }
});

Deno.test("ListDecoder passes items on as soon as they are complete", () => {
  const list = new ListDecoder();
  const seen: number[] = [];
  const push = (text: string): void => {
    let count = 0;
    list.push(encoder.encode(text), (batch) => count = batch.length);
    seen.push(count);
  };
  push('{"items":[{"a":1},{"a":2},{"a"');
  push(":3}");
  push(',{"a":4');
  push("}]");
  push(',"metadata":{"resourceVersion":"9"}}');
  assert.deepEqual(seen, [2, 1, 0, 1, 0]);
  assert.equal(list.finish().resourceVersion, "9");
});

Deno.test("F16 ListDecoder holds at most the largest item, and refuses a larger one than the limit", () => {
  const list = new ListDecoder({ maxBytes: 100 });
  const item = encoder.encode(`{"text":"${"x".repeat(80)}"},`);
  list.push(encoder.encode('{"items":['), () => {});
  for (let i = 0; i < 1000; i++) list.push(item, () => {});
  assert.throws(() => {
    list.push(encoder.encode(`{"text":"${"x".repeat(120)}`), () => {});
  }, FrameTooLargeError);
  assert.throws(() => list.finish(), FrameTooLargeError);
});

Deno.test("F16 ListDecoder refuses what is larger than the limit, however the body is cut", () => {
  const member = (bytes: number): string => `"${"x".repeat(bytes - 2)}"`;
  const item = (bytes: number): string => `{"a":${member(bytes - 6)}}`;
  const bodies: ((bytes: number) => string)[] = [
    (bytes) => `{"items":[{},${item(bytes)},{}],"kind":"PodList"}`,
    (bytes) => `{"items":[{},${member(bytes)}]}`,
    (bytes) => `{"metadata":${item(bytes)},"items":[{}]}`,
    (bytes) => `{${member(bytes)}:1,"items":[{}]}`,
  ];
  for (const [index, body] of bodies.entries()) {
    for (const size of [1, 7, 64, 10_000]) {
      const read = (bytes: number): number => {
        const list = new ListDecoder({ maxBytes: 100 });
        const all = encoder.encode(body(bytes));
        let items = 0;
        const count = (batch: readonly unknown[]): void => void (items += batch.length);
        try {
          for (let at = 0; at < all.length; at += size) list.push(all.slice(at, at + size), count);
          list.finish();
        } catch (error) {
          assert.ok(error instanceof FrameTooLargeError, String(error));
          return -items;
        }
        return items;
      };
      const fits = [3, 2, 1, 1];
      assert.equal(read(100), fits[index], `body ${index}, chunks of ${size}`);
      assert.equal(read(101), [-1, -1, -0, -0][index], `body ${index}, chunks of ${size}`);
    }
  }
});

Deno.test("ListDecoder refuses a body that is not a list, with the reason", () => {
  const cases: [string, RegExp][] = [
    ['{"kind":"Table","rows":[]}', /it has no items, its kind is Table/],
    ['{"metadata":{},"items":[{}', /it ends after 26 bytes/],
    ['{"items":[],"items":[]}', /items twice/],
    ['{"items":{}}', /items are not an array/],
    ['{"items":[],"metadata":[]}', /metadata is not an object/],
    ['{"items":[{} {}]}', /byte 13/],
    ['{"items":[]} x', /byte 13/],
    ["upstream error", /byte 0/],
    ["", /it ends after 0 bytes/],
  ];
  for (const [text, message] of cases) {
    assert.throws(() => decode([encoder.encode(text)]), (error: Error) => {
      assert.ok(error instanceof DecodeError);
      assert.match(error.message, message);
      return true;
    });
  }
});
