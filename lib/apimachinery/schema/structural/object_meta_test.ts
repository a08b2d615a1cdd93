import assert from "node:assert/strict";
import { decodeMetadata, salvageMetadata } from "./object_meta.ts";

Deno.test("decodeMetadata() drops empty and unknown fields, and reports the unknown ones", () => {
  const { value, unknown } = decodeMetadata({
    name: "a",
    labels: {},
    generation: 0,
    deletionGracePeriodSeconds: 0,
    other: 1,
    ownerReferences: [{ apiVersion: "v1", extra: 1 }],
  });
  assert.deepEqual(value, {
    name: "a",
    deletionGracePeriodSeconds: 0,
    ownerReferences: [{ apiVersion: "v1", kind: "", name: "", uid: "" }],
  });
  assert.deepEqual(unknown, ["other", "ownerReferences[0].extra"]);
});

const refused: readonly (readonly [unknown, string])[] = [
  [5, "json: cannot unmarshal number into Go value of type v1.ObjectMeta"],
  [
    { labels: { a: 5 } },
    "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string",
  ],
  [
    { ownerReferences: [{ name: true }] },
    "json: cannot unmarshal bool into Go struct field OwnerReference.ownerReferences.name of type " +
    "string",
  ],
  [
    { creationTimestamp: "2020-01-01" },
    'parsing time "2020-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"',
  ],
  [
    { creationTimestamp: "2026-02-30T00:00:00Z" },
    'parsing time "2026-02-30T00:00:00Z": day out of range',
  ],
  [
    { managedFields: [{ time: "2026-02-01T24:00:00Z" }] },
    'parsing time "2026-02-01T24:00:00Z": hour out of range',
  ],
  [
    { deletionTimestamp: "2026-02-01T00:00:60Z" },
    'parsing time "2026-02-01T00:00:60Z": second out of range',
  ],
];

for (const [metadata, message] of refused) {
  Deno.test(`${JSON.stringify(metadata)} is no metadata`, () => {
    assert.throws(() => decodeMetadata(metadata), { message });
  });
}

Deno.test("salvageMetadata() keeps the valid fields of malformed metadata", () => {
  assert.deepEqual(salvageMetadata({ name: "a", labels: 5, annotations: { b: "c" } }).value, {
    name: "a",
    annotations: { b: "c" },
  });
});

Deno.test("a time is shown in UTC, in seconds", () => {
  const { value } = decodeMetadata({ creationTimestamp: "2020-01-01T01:02:03.5+01:00" });
  assert.deepEqual(value, { creationTimestamp: "2020-01-01T00:02:03Z" });
  const fraction = `${"0".repeat(1_000_000)}1`;
  const { value: same } = decodeMetadata({ creationTimestamp: `2020-01-01T00:02:03.${fraction}Z` });
  assert.deepEqual(same, { creationTimestamp: "2020-01-01T00:02:03Z" });
});
