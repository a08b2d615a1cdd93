import assert from "node:assert/strict";
import type { JsonObject } from "@xca/apimachinery/internal/values";
import { encodeAnswer } from "./encode.ts";
import { listText } from "./encode_list.ts";

const forms = [
  { type: "json", pretty: false },
  { type: "json", pretty: true },
  { type: "yaml", pretty: false },
] as const;

const lists: readonly (readonly [string, JsonObject])[] = [
  ["items", {
    kind: "ThingList",
    apiVersion: "v1",
    metadata: { resourceVersion: "5", continue: "" },
    items: [
      {
        metadata: { name: "a" },
        data: { text: "two\nlines\n", empty: "", list: [[1], [{ b: [] }]] },
      },
      { metadata: { name: "yes", labels: {} }, none: null, quoted: 'a "b": c # d' },
    ],
  }],
  ["rows", {
    kind: "Table",
    metadata: {},
    columnDefinitions: [{ name: "Name", priority: 0 }],
    rows: [{ cells: ["a", 1, null], object: { kind: "Thing" } }],
  }],
  ["items", { items: ["a", 5, null, ["x"]] }],
];

for (const form of forms) {
  Deno.test(`listText() encodes items one by one like the whole list: ${JSON.stringify(form)}`, async () => {
    for (const [field, list] of lists) {
      const { before, between, after, item } = listText({ ...list, [field]: [] }, field, form);
      const items = (list[field] as unknown[]).map(item).join(between);
      const whole = encodeAnswer(200, list, { ...form, as: undefined });
      assert.equal(before + items + after, await whole.text());
    }
  });
}
