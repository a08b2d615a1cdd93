import assert from "node:assert/strict";
import { isListOf } from "./list_kind.ts";

const configMaps = { group: "", apiVersion: "v1", kind: "ConfigMap" };
const greetings = { group: "example.org", apiVersion: "example.org/v1", kind: "Greeting" };

Deno.test("isListOf() refuses lists of other kinds, and accepts lists without a kind", () => {
  const v1 = (kind: string) => ({ apiVersion: "v1", kind });
  for (const kind of ["PodList", "Status", "ConfigMap", "SecretList"]) {
    assert.equal(isListOf(configMaps, v1(kind)), false, kind);
  }
  assert.equal(isListOf(configMaps, { apiVersion: "v2", kind: "ConfigMapList" }), false);
  assert.equal(isListOf(configMaps, { kind: 5 }), false);
  for (const list of [v1("ConfigMapList"), v1("List"), {}, { kind: "ConfigMapList" }]) {
    assert.equal(isListOf(configMaps, list), true, JSON.stringify(list));
  }
  const metadata = { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadataList" };
  assert.equal(isListOf(configMaps, metadata), true);
});

Deno.test("isListOf() accepts any name of a list of a custom resource, in its group and version", () => {
  const named = { apiVersion: "example.org/v1", kind: "HelloList" };
  assert.equal(isListOf(greetings, named), true);
  assert.equal(isListOf(greetings, { ...named, apiVersion: "example.org/v2" }), false);
  assert.equal(isListOf(greetings, { apiVersion: "v1", kind: "PodList" }), false);
});
