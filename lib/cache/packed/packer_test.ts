import assert from "node:assert/strict";
import { DecodeError } from "../../client/errors/decode_error.ts";
import type { V1ConfigMap } from "@xca/apimachinery/kubernetes-types";
import { ConfigMap, type UnstructuredObject } from "@xca/apimachinery/meta";
import { Indexer } from "../store/indexer.ts";
import { isSameText } from "./packed_entry.ts";
import { createPacker } from "./packer.ts";

const encoder = new TextEncoder();
const raw = (object: unknown): Uint8Array => encoder.encode(JSON.stringify(object));

function settings(resourceVersion: string, data: Record<string, string>): UnstructuredObject {
  return {
    metadata: {
      name: "settings",
      namespace: "default",
      uid: "1",
      resourceVersion,
      labels: { app: "web" },
      annotations: { note: "é" },
    },
    data,
  };
}

Deno.test("F46 a reader changes its object deeply, and the cache does not change", () => {
  for (const compress of [false, true]) {
    const packer = createPacker({ type: ConfigMap, compress });
    const indexer = new Indexer<UnstructuredObject>();
    indexer.upsert(packer.pack(raw(settings("1", { a: "1" }))));
    const fresh = (): UnstructuredObject => indexer.get("default/settings")!;
    const before = fresh();

    const got = fresh();
    (got.data as Record<string, string>).a = "changed";
    (got.data as Record<string, string>).b = "added";
    got.metadata.labels!.app = "changed";
    delete got.metadata.annotations;
    got.metadata.name = "changed";
    got.metadata.ownerReferences = [];
    assert.deepEqual(fresh(), before);
    assert.notEqual(fresh(), fresh(), "each read is a fresh object");

    const packed = indexer.getPacked("default/settings")!;
    assert.throws(() => {
      (packed.labels as Record<string, string>).app = "changed";
    }, TypeError);
    assert.throws(() => {
      (packed.annotations as Record<string, string>).note = "changed";
    }, TypeError);
    assert.equal(indexer.getPacked("default/settings")!.labels.app, "web");
  }
});

Deno.test("pack() copies: the bytes may be reused at once", () => {
  const packer = createPacker({ type: ConfigMap });
  const bytes = raw(settings("1", { a: "1" }));
  const packed = packer.pack(bytes);
  bytes.fill(0);
  assert.deepEqual((packed.read()).data, { a: "1" });
  assert.equal(packed.key, "default/settings");
  assert.equal(packed.annotations.note, "é");
});

Deno.test("read() fills in apiVersion and kind, which items of a list lack", () => {
  const packer = createPacker({ type: ConfigMap });
  const item = packer.packObject({ metadata: { name: "n" } }).read();
  assert.equal(item.apiVersion, "v1");
  assert.equal(item.kind, "ConfigMap");
  const strange: UnstructuredObject = {
    apiVersion: "v2",
    kind: "Other",
    metadata: { name: "n" },
  };
  const other = packer.packObject(strange as V1ConfigMap);
  assert.deepEqual(other.read(), { apiVersion: "v2", kind: "Other", metadata: { name: "n" } });
});

Deno.test("B35 a transform runs once per version, before an object is stored, and on whole objects", () => {
  const seen: string[] = [];
  const packer = createPacker({
    type: ConfigMap,
    transform: (object: UnstructuredObject) => {
      seen.push(`${object.kind} ${object.metadata.resourceVersion}`);
      object.data = { transformed: String(Number((object.data as { n?: string }).n ?? 0) + 1) };
      return object;
    },
  });
  const indexer = new Indexer<UnstructuredObject>();
  const first = packer.pack(raw(settings("1", { n: "1" })));
  indexer.upsert(first);
  assert.deepEqual(indexer.get("default/settings")!.data, { transformed: "2" });
  assert.deepEqual(indexer.get("default/settings")!.data, { transformed: "2" });

  // The same version again, as in a relist: the known object is kept, and transformed once only.
  const again = packer.pack(raw(settings("1", { n: "1" })), (key) => indexer.getPacked(key));
  assert(isSameText(again, first));
  const next = packer.pack(raw(settings("2", { n: "5" })), (key) => indexer.getPacked(key));
  assert(!isSameText(next, first));
  indexer.upsert(next);
  assert.deepEqual(indexer.get("default/settings")!.data, { transformed: "6" });
  assert.deepEqual(indexer.delete("default/settings")!.read().data, { transformed: "6" });
  assert.deepEqual(seen, ["ConfigMap 1", "ConfigMap 2"]);
});

const VERSION = /the transform changed the UID or resourceVersion/;

Deno.test("a transform that throws, or changes the identity of the object, loses that object alone", () => {
  const of = (transform: (object: UnstructuredObject) => UnstructuredObject) => () =>
    createPacker({ type: ConfigMap, transform }).pack(raw(settings("1", {})));
  const cases: [() => unknown, RegExp][] = [
    [
      of(() => {
        throw new Error("boom");
      }),
      /Cannot pack configmaps.v1 default\/settings: the transform failed \(boom\)/,
    ],
    [of((object) => ({ ...object, metadata: { name: "other" } })), /changed the name/],
    [of(({ metadata: { uid: _, ...metadata }, ...object }) => ({ ...object, metadata })), VERSION],
    [
      of(({ metadata, ...object }) => ({
        ...object,
        metadata: { ...metadata, resourceVersion: "0" },
      })),
      VERSION,
    ],
    [of(() => undefined as unknown as UnstructuredObject), /returned no object/],
  ];
  for (const [run, message] of cases) {
    assert.throws(run, (error: Error) => {
      assert.ok(error instanceof DecodeError);
      assert.equal(error.key, "default/settings");
      assert.match(error.message, message);
      return true;
    });
  }
});

Deno.test("dropManagedFields removes them wherever they are, without parsing", () => {
  const packer = createPacker({ type: ConfigMap, dropManagedFields: true });
  const cases = [
    '{"metadata":{"managedFields":[{"a":"]}"}],"name":"n"}}',
    '{"metadata":{"name":"n","managedFields":[1]}}',
    '{"metadata":{"name":"n" , "managedFields" : [ 1 ] , "uid":"u"}}',
    '{"metadata":{"name":"n","managedFields":null,"annotations":{"a":"b"}}}',
    '{"metadata":{"name":"n","managedFields":[1],"managedFields":[2],"annotations":{"a":"b"}}}',
    '{"metadata":{"name":"n"},"managedFields":[1],"spec":{"managedFields":[1]}}',
  ];
  for (const json of cases) {
    const expected = JSON.parse(json);
    delete expected.metadata.managedFields;
    const packed = packer.pack(encoder.encode(json));
    assert.deepEqual(packed.read(), { ...expected, apiVersion: "v1", kind: "ConfigMap" }, json);
    assert.deepEqual(packed.annotations, expected.metadata.annotations ?? {}, json);
  }
  const long = packer.pack(
    encoder.encode(`{"metadata":{"name":"n","managedFields":[${"1,".repeat(500)}1]}}`),
  );
  assert.ok(long.byteLength < 40);
});

Deno.test("F15 an object that cannot be packed is refused with its name, and one that proves invalid at read() too", () => {
  const packer = createPacker({ type: ConfigMap });
  const bad = raw(settings("1", { a: "x" }));
  bad[bad.length - 4] = 0xff;
  assert.throws(() => packer.pack(bad), (error: Error) => {
    assert.ok(error instanceof DecodeError);
    assert.equal(error.key, "default/settings");
    assert.match(error.message, /configmaps.v1 default\/settings: its text is not UTF-8/);
    return true;
  });
  const refused: [string, RegExp][] = [
    ["", /cut short or not a JSON object/],
    ["null", /cut short or not a JSON object/],
    ["[]", /cut short or not a JSON object/],
    ['{"metadata":{"name":"n"}', /cut short or not a JSON object/],
    ['{"metadata":{}}', /no metadata.name/],
    ['{"metadata":{"name":""}}', /no metadata.name/],
    ['{"metadata":{"name":"n","labels":{x}}}', /n: its metadata is not JSON/],
  ];
  for (const [text, message] of refused) {
    assert.throws(() => packer.pack(encoder.encode(text)), message, text);
  }
  const packed = packer.pack(encoder.encode('{"metadata":{"name":"n"},"spec":{x}}'));
  assert.throws(() => packed.read(), (error: Error) => {
    assert.ok(error instanceof DecodeError);
    assert.equal(error.key, "n");
    assert.match(error.message, /Cannot read the object configmaps.v1 n/);
    return true;
  });
});

Deno.test("sameVersionAs() compares UID and resourceVersion, and requires a resourceVersion", () => {
  const packer = createPacker({ type: ConfigMap });
  const pack = (uid: string, resourceVersion: string) =>
    packer.packObject({ metadata: { name: "n", uid, resourceVersion } });
  assert.equal(pack("1", "5").sameVersionAs(pack("1", "5")), true);
  assert.equal(pack("1", "5").sameVersionAs(pack("1", "6")), false);
  assert.equal(pack("1", "5").sameVersionAs(pack("2", "5")), false);
  assert.equal(pack("", "").sameVersionAs(pack("", "")), false);
});

Deno.test("compress packs a repetitive object into less than half", () => {
  const data = Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => [`key-${i}`, `value-${i}`]),
  );
  const plain = createPacker({ type: ConfigMap }).pack(raw(settings("1", data)));
  const small = createPacker({ type: ConfigMap, compress: true }).pack(raw(settings("1", data)));
  assert.ok(small.byteLength < plain.byteLength / 2);
  assert.deepEqual(small.read(), plain.read());
  assert.deepEqual(small.annotations, plain.annotations);
});
