import assert from "node:assert/strict";
import type { ApiResource } from "../machinery/resource.ts";
import { storageVersionHash } from "../crd/serving/storage_version_hash.ts";
import { BuiltinType } from "../types/builtin_type.ts";
import { ResourceTable } from "./resource_table.ts";

function custom(version: string, plural = "things"): ApiResource {
  const row = ResourceTable.builtin().find("", "v1", "configmaps")!;
  const group = "example.com";
  return { ...row, group, version, plural, kind: "Thing", customResourceDefinition: "x" };
}

Deno.test("every built-in resource has a complete schema", () => {
  const seen = new Set<string>();
  const visit = (type: BuiltinType): void => {
    if (type.id !== "") {
      if (seen.has(type.id)) return;
      seen.add(type.id);
    }
    for (const field of Object.values(type.fields ?? {})) visit(field);
    if (type.items) visit(type.items);
    if (type.values) visit(type.values);
  };
  for (const { kind, schema } of ResourceTable.builtin().all()) {
    const type = schema();
    assert.ok(type instanceof BuiltinType, kind);
    assert.ok(type.fields!.metadata, kind);
    visit(type);
  }
  assert.ok(seen.size > 400);
});

/** The kinds that kube-apiserver stores in an API version that it does not serve. */
const STORED_OLDER = new Set([
  "ClusterTrustBundle",
  "PodCertificateRequest",
  "DeviceTaintRule",
  "StorageVersionMigration",
  "CustomResourceDefinition",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
]);

Deno.test("the storage version of every built-in resource matches its hash", () => {
  for (const row of ResourceTable.builtin().all()) {
    const { group, kind, storageVersion, storageVersionHash: hash, strategy } = row;
    if (hash === undefined || STORED_OLDER.has(kind)) continue;
    const stored = strategy.storedAs ?? { group, version: storageVersion };
    assert.equal(hash, storageVersionHash(stored.group, stored.version, kind), kind);
  }
});

Deno.test("a list merges by the keys in its facts", () => {
  const pods = ResourceTable.builtin().find("", "v1", "pods")!.schema()!;
  const containers = pods.fields!.spec!.fields!.containers!;
  assert.deepEqual([containers.listType, containers.mapKeys], ["map", ["name"]]);
  assert.equal(containers.patchMergeKey, "name");
  const ports = containers.items!.fields!.ports!;
  assert.deepEqual(ports.mapKeys, ["containerPort", "protocol"]);
  assert.equal(ports.items!.fields!.protocol!.default, "TCP");
});

Deno.test("every kind with a status has reset fields", () => {
  for (const { kind, subresources, strategy } of ResourceTable.builtin().all()) {
    if (subresources.some(({ name }) => name === "status")) assert.ok(strategy.status, kind);
  }
});

Deno.test("ResourceTable notifies listeners of added and removed custom resources", () => {
  const table = ResourceTable.builtin();
  let heard = 0;
  using _ = table.subscribe(() => heard++);
  table.add([custom("v1"), custom("v1beta1"), custom("v2")]);
  assert.deepEqual(table.groups().at(-1), {
    group: "example.com",
    versions: ["v2", "v1", "v1beta1"],
  });
  assert.equal(table.findKind("example.com", "v1", "Thing")!.plural, "things");
  assert.deepEqual(table.versionsOf("example.com", "things").map((row) => row.version), [
    "v2",
    "v1",
    "v1beta1",
  ]);
  table.remove("example.com", "things");
  assert.equal(table.find("example.com", "v1", "things"), undefined);
  assert.equal(heard, 2);
});
