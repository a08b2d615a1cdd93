import assert from "node:assert/strict";
import { storedLabels } from "./stored_labels.ts";

const labelsOf = (object: unknown) =>
  storedLabels(new TextEncoder().encode(JSON.stringify(object)));

Deno.test("storedLabels() finds the labels anywhere in the text, and nothing else", () => {
  const labels = { "a/b": "1", quote: '"}' };
  assert.deepEqual(labelsOf({ kind: "X", metadata: { name: "n", labels, uid: "u" } }), labels);
  assert.deepEqual(
    labelsOf({ spec: { metadata: { labels: { x: "y" } } }, metadata: { labels } }),
    labels,
  );
  assert.deepEqual(labelsOf({ metadata: { annotations: { labels: '{"x":"y"}' } } }), {});
  assert.deepEqual(labelsOf({ metadata: {}, labels: { x: "y" } }), {});
  assert.deepEqual(labelsOf({ metadata: { labels: {} } }), {});
  assert.deepEqual(labelsOf({ spec: {} }), {});
});
