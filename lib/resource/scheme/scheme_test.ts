import assert from "node:assert/strict";
import { RESOURCE_FACTS } from "../../apiserver/facts/resources.ts";
import { createScheme, defineResource, s, SchemeError } from "../mod.ts";
import { SHORT_NAMES } from "./short_names.ts";

const Disk = defineResource({
  group: "example.org",
  kind: "Disk",
  shortNames: ["dk"],
  storedVersion: "v1",
  versions: {
    v1alpha1: { spec: s.object({ size: s.integer() }) },
    v1: { spec: s.object({ size: s.integer() }) },
  },
});

interface Fact {
  readonly plural: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
}

Deno.test("a scheme finds each of Kubernetes' own kinds by all of its names", () => {
  const scheme = createScheme();
  const { versions } = JSON.parse(RESOURCE_FACTS) as {
    versions: { group: string; version: string; resources: Fact[] }[];
  };
  const short = new Map<string, readonly string[]>();
  let found = 0;
  for (const { group, version, resources } of versions) {
    for (const { plural, kind, singular, namespaced, shortNames } of resources) {
      const apiVersion = group === "" ? version : `${group}/${version}`;
      const type = scheme.typeOf({ apiVersion, kind });
      if (type === undefined) continue;
      found++;
      assert.deepEqual([type.plural, type.scope === "Namespaced"], [plural, namespaced]);
      assert.equal(scheme.resource(group, version, plural), type);
      const qualifier = group === "" ? version : `${version}.${group}`;
      for (const name of [plural, singular, kind, ...shortNames ?? []]) {
        assert.equal(scheme.find(`${name}.${qualifier}`), type, name);
      }
      if (shortNames) short.set(group === "" ? plural : `${plural}.${group}`, shortNames);
    }
  }
  assert.equal(found, scheme.types.length);
  assert.deepEqual(SHORT_NAMES, Object.fromEntries(short));
});

Deno.test("a scheme prefers the core group and the current version", () => {
  const scheme = createScheme([Disk]);
  for (
    const [name, id] of [
      ["events", "events.v1"],
      ["ev", "events.v1"],
      ["events.events.k8s.io", "events.v1.events.k8s.io"],
      ["hpa", "horizontalpodautoscalers.v2.autoscaling"],
      ["Deployments.Apps", "deployments.v1.apps"],
      ["dk", "disks.v1.example.org"],
      ["disk.v1alpha1.example.org", "disks.v1alpha1.example.org"],
      ["disks.example.com", undefined],
      ["", undefined],
    ] as const
  ) assert.equal(scheme.find(name)?.id, id, name);
  assert.equal(createScheme([Disk], { builtin: false }).find("pods"), undefined);
});

Deno.test("a scheme decodes YAML and JSON, and names what it cannot decode", async () => {
  const scheme = createScheme([Disk]);
  const objects = await scheme.decode(`
apiVersion: example.org/v1alpha1
kind: Disk
metadata: { name: a }
spec: { size: 1 }
---
---
{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}}
]}
`);
  assert.deepEqual(objects.map(({ kind }) => kind), ["Disk", "ConfigMap"]);
  assert(scheme.is(Disk.versions.v1alpha1, objects[0]!));
  assert(!scheme.is(Disk, objects[0]!));
  for (
    const [text, message] of [
      ["a: [", /Cannot decode the text at line \d+, column \d+: /],
      ["- 1", /Cannot decode document 1: it is no object/],
      ["kind: Disk", /it has no apiVersion and kind/],
      ["apiVersion: example.org/v1\nkind: Disk", /Disk has no metadata/],
      [
        "apiVersion: example.org/v2\nkind: disk\nmetadata: {}",
        /kind disk of example.org\/v2 is unknown; known are example.org\/v1 Disk, example.org\/v1alpha1/,
      ],
      ["kind: List\nitems: [1]", /Cannot decode item 1 of document 1/],
    ] as const
  ) {
    await assert.rejects(scheme.decode(text), (error: Error) => {
      return error instanceof SchemeError && message.test(error.message);
    }, text);
  }
});
