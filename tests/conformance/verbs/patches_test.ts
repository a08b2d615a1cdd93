import assert from "node:assert/strict";
import { specSchema, withKind } from "../custom_resources/custom_kind.ts";
import { configMap, createDeployment, deployments, hidePatchedObjects } from "./patch_fixtures.ts";
import { conformanceSuite } from "../suite.ts";

const conformance = conformanceSuite(import.meta.url);

conformance("a JSON patch adds, replaces and removes fields", async (t) => {
  await configMap(t, "a", { x: "1", y: "2" });
  const { code, body } = await t.patch("json", t.path("configmaps/a"), [
    { op: "add", path: "/data/z", value: "3" },
    { op: "replace", path: "/data/x", value: "9" },
    { op: "remove", path: "/data/y" },
  ]);
  assert.equal(code, 200);
  assert.deepEqual(body.data, { x: "9", z: "3" });
});

conformance("a JSON patch whose test fails answers 422", async (t) => {
  await configMap(t, "a", { x: "1" });
  const { code } = await t.patch("json", t.path("configmaps/a"), [
    { op: "test", path: "/data/x", value: "2" },
    { op: "replace", path: "/data/x", value: "3" },
  ]);
  assert.equal(code, 422);
});

conformance("a JSON patch whose test holds is applied", async (t) => {
  await configMap(t, "a", { x: "1" });
  const { code } = await t.patch("json", t.path("configmaps/a"), [
    { op: "test", path: "/data", value: { x: "1" } },
    { op: "test", path: "/metadata/labels", value: null },
    { op: "replace", path: "/data/x", value: "3" },
  ]);
  assert.equal(code, 200);
});

conformance("a JSON patch moves and copies", async (t) => {
  await configMap(t, "a", { x: "1", y: "2" });
  const { body } = await t.patch("json", t.path("configmaps/a"), [
    { op: "copy", from: "/data/x", path: "/data/copy" },
    { op: "move", from: "/data/y", path: "/data/moved" },
  ]);
  assert.deepEqual(body.data, { copy: "1", moved: "2", x: "1" });
});

conformance("a JSON patch finds escaped names", async (t) => {
  await configMap(t, "a", {}, { annotations: { "a.b/c": "1" } });
  const { code, body } = await t.patch("json", t.path("configmaps/a"), [
    { op: "replace", path: "/metadata/annotations/a.b~1c", value: "2" },
    { op: "add", path: "/metadata/annotations/d.e~1f~0g", value: "3" },
  ]);
  assert.equal(code, 422, JSON.stringify(body));
  await t.patch("json", t.path("configmaps/a"), [
    { op: "replace", path: "/metadata/annotations/a.b~1c", value: "2" },
  ]);
});

conformance("a JSON patch changes lists by index", async (t) => {
  await createDeployment(t, "d", { args: ["a", "b", "c"] });
  const args = "/spec/template/spec/containers/0/args";
  const { body } = await t.patch("json", deployments(t, "/d"), [
    { op: "add", path: `${args}/1`, value: "new" },
    { op: "add", path: `${args}/-`, value: "last" },
    { op: "remove", path: `${args}/0` },
    { op: "replace", path: `${args}/-1`, value: "final" },
  ]);
  assert.deepEqual(body.spec.template.spec.containers[0].args, ["new", "b", "c", "final"]);
});

for (
  const [what, operation] of [
    ["removes what is not there", { op: "remove", path: "/data/none" }],
    ["leads through what is not there", { op: "add", path: "/none/x", value: 1 }],
    ["has a path that is none", { op: "add", path: "data", value: 1 }],
    ["has no path", { op: "add", value: 1 }],
    ["has no from", { op: "move", path: "/data/x" }],
    ["is of an unknown kind", { op: "bogus", path: "/data" }],
    ["has no kind", { path: "/data" }],
    ["replaces all by a number", { op: "replace", path: "", value: 1 }],
    ["is past the end of a list", { op: "add", path: "/metadata/finalizers/5", value: "a.b/c" }],
    ["has an index that is none", { op: "remove", path: "/metadata/finalizers/x" }],
  ] as const
) {
  conformance(`a JSON patch operation that ${what} answers 422`, async (t) => {
    await configMap(t, "a", { x: "1" }, { finalizers: ["example.com/a"] });
    const { code } = await t.patch("json", t.path("configmaps/a"), [operation]);
    assert.equal(code, 422);
    await t.patch("merge", t.path("configmaps/a"), { metadata: { finalizers: null } }, {
      unrecorded: true,
    });
  });
}

for (
  const [what, body] of [
    ["an object", "{}"],
    ["a text", '"x"'],
    ["a list of numbers", "[1]"],
    ["cut off", "["],
    ["empty", ""],
    ["of an operation whose kind is a number", '[{"op":1,"path":"/data"}]'],
  ] as const
) {
  conformance(`a JSON patch that is ${what} answers 400`, async (t) => {
    await configMap(t, "a", { x: "1" });
    const { code } = await t.patch("json", t.path("configmaps/a"), body);
    assert.equal(code, 400);
  });
}

conformance("an empty JSON patch changes nothing", async (t) => {
  const created = await configMap(t, "a", { x: "1" });
  const { code, body } = await t.patch("json", t.path("configmaps/a"), []);
  assert.equal(code, 200);
  assert.equal(body.metadata.resourceVersion, created.body.metadata.resourceVersion);
});

conformance("a JSON patch of more than 10000 operations answers 413", async (t) => {
  await configMap(t, "a", { x: "1" });
  const operations = Array(10_001).fill({ op: "test", path: "/data/x", value: "1" });
  const { code } = await t.patch("json", t.path("configmaps/a"), operations);
  assert.equal(code, 413);
});

conformance("unknown and repeated fields of a JSON patch are warned of", async (t) => {
  await configMap(t, "a", { x: "1" });
  const body = '[{"op":"add","path":"/data/q","value":"1","foo":1,"op":"add"}]';
  assert.equal((await t.patch("json", t.path("configmaps/a"), body)).code, 200);
  const ignored = t.path("configmaps/a?fieldValidation=Ignore");
  assert.equal((await t.patch("json", ignored, body)).code, 200);
});

conformance("a merge patch merges objects and removes by null", async (t) => {
  await configMap(t, "a", { x: "1", y: "2" }, { labels: { l: "1" } });
  const { code, body } = await t.patch("merge", t.path("configmaps/a"), {
    data: { x: null, z: "3" },
    metadata: { labels: null, annotations: { a: "b", c: null } },
  });
  assert.equal(code, 200);
  assert.deepEqual(body.data, { y: "2", z: "3" });
  assert.deepEqual(body.metadata.annotations, { a: "b" });
});

conformance("a merge patch replaces lists", async (t) => {
  await createDeployment(t, "d");
  const { code, body } = await t.patch("merge", deployments(t, "/d"), {
    spec: { template: { spec: { containers: [{ name: "other", image: "x" }] } } },
  });
  assert.equal(code, 200);
  assert.equal(body.spec.template.spec.containers.length, 1);
});

for (
  const [what, body] of [
    ["a list", "[]"],
    ["null", "null"],
    ["a number", "1"],
    ["a text", '"x"'],
    ["cut off", "{"],
    ["empty", ""],
  ] as const
) {
  conformance(`a merge patch that is ${what} answers 400`, async (t) => {
    await configMap(t, "a", { x: "1" });
    const { code } = await t.patch("merge", t.path("configmaps/a"), body);
    assert.equal(code, 400);
  });
}

conformance("repeated and unknown fields of a merge patch are warned of", async (t) => {
  await configMap(t, "a", { x: "1" });
  const body = '{"foo":1,"data":{"a":"1","a":"2"},"metadata":{"bar":1}}';
  const { code } = await t.patch("merge", t.path("configmaps/a"), body);
  assert.equal(code, 200);
});

conformance("a strict merge patch refuses repeated and unknown fields", async (t) => {
  hidePatchedObjects(t);
  await configMap(t, "a", { x: "1" });
  const body = '{"foo":1,"data":{"a":"1","a":"2"},"metadata":{"bar":1}}';
  const path = t.path("configmaps/a?fieldValidation=Strict");
  assert.equal((await t.patch("merge", path, body)).code, 422);
});

conformance("a strict JSON patch refuses what it makes unknown", async (t) => {
  hidePatchedObjects(t);
  await configMap(t, "a", { x: "1" });
  const path = t.path("configmaps/a?fieldValidation=Strict");
  assert.equal((await t.patch("json", path, [{ op: "add", path: "/foo", value: 1 }])).code, 422);
});

for (
  const [what, patch] of [
    ["a number where a text belongs", { data: { x: 1 } }],
    ["a list where a map belongs", { data: [1] }],
    ["a text where a boolean belongs", { immutable: "x" }],
    ["a time that is none", { metadata: { creationTimestamp: "bogus" } }],
    ["bytes that are none", { binaryData: { a: "%" } }],
    ["another kind", { kind: "Bogus" }],
    ["another version", { apiVersion: "v2" }],
    ["a kind that is a number", { kind: 1 }],
  ] as const
) {
  conformance(`a merge patch that makes ${what} answers 422`, async (t) => {
    hidePatchedObjects(t);
    await configMap(t, "a", { x: "1" });
    const { code } = await t.patch("merge", t.path("configmaps/a"), patch);
    assert.equal(code, 422);
  });
}

conformance("a patch cannot rename, nor move to another namespace", async (t) => {
  await configMap(t, "a", { x: "1" });
  const path = t.path("configmaps/a");
  for (
    const metadata of [{ name: "b" }, { name: null }, { namespace: "other" }]
  ) assert.equal((await t.patch("merge", path, { metadata })).code, 400);
  assert.equal((await t.patch("merge", path, { metadata: null })).code, 400);
  assert.equal((await t.patch("strategic", path, { metadata: { name: "b" } })).code, 400);
});

conformance("a patch with an older resourceVersion conflicts", async (t) => {
  await configMap(t, "a", { x: "1" });
  const path = t.path("configmaps/a");
  for (const kind of ["merge", "strategic"] as const) {
    const { code } = await t.patch(kind, path, { metadata: { resourceVersion: "1" } });
    assert.equal(code, 409);
  }
});

conformance("a patch with the current resourceVersion is applied", async (t) => {
  const { body } = await configMap(t, "a", { x: "1" });
  const { resourceVersion } = body.metadata;
  const patch = { metadata: { resourceVersion }, data: { x: "2" } };
  assert.equal((await t.patch("merge", t.path("configmaps/a"), patch)).code, 200);
  assert.equal((await t.patch("merge", t.path("configmaps/a"), patch)).code, 409);
});

conformance("a patch of what is not there answers 404", async (t) => {
  const path = t.path("configmaps/none");
  assert.equal((await t.patch("merge", path, {})).code, 404);
  assert.equal((await t.patch("json", path, [])).code, 404);
  assert.equal((await t.patch("strategic", path, {})).code, 404);
});

conformance("a patch of an unknown media type answers 415", async (t) => {
  await configMap(t, "a", { x: "1" });
  for (const type of ["application/json", "text/plain", "application/apply-patch+json"]) {
    const { code } = await t.call("PATCH", t.path("configmaps/a"), "{}", { type });
    assert.equal(code, 415);
  }
});

conformance("the charset of a patch does not matter", async (t) => {
  await configMap(t, "a", { x: "1" });
  const type = "application/merge-patch+json; charset=utf-8";
  const { code } = await t.call("PATCH", t.path("configmaps/a"), { data: { y: "1" } }, { type });
  assert.equal(code, 200);
});

conformance("a patch as a dry run is not stored", async (t) => {
  await configMap(t, "a", { x: "1" });
  const { body } = await t.patch("merge", t.path("configmaps/a?dryRun=All"), { data: { x: "2" } });
  assert.equal(body.data.x, "2");
  assert.equal((await t.get(t.path("configmaps/a"))).body.data.x, "1");
});

conformance("options of a patch are checked", async (t) => {
  await configMap(t, "a", { x: "1" });
  for (
    const query of [
      "force=true",
      "fieldManager=%07a",
      "dryRun=bogus",
      "fieldValidation=bogus",
      `fieldManager=${"a".repeat(129)}`,
    ]
  ) assert.equal((await t.patch("merge", t.path(`configmaps/a?${query}`), {})).code, 422);
});

conformance("a strategic merge patch merges containers by name", async (t) => {
  await createDeployment(t, "d");
  const { body } = await t.patch("strategic", deployments(t, "/d"), {
    spec: {
      template: {
        spec: { containers: [{ name: "c", image: "new" }, { name: "added", image: "x" }] },
      },
    },
  });
  const images = body.spec.template.spec.containers
    .map(({ name, image }: { name: string; image: string }) => `${name}=${image}`);
  assert.deepEqual(images, ["c=new", "added=x"]);
});

conformance("a strategic merge patch deletes an item", async (t) => {
  await createDeployment(t, "d", { ports: [{ containerPort: 80 }, { containerPort: 443 }] });
  const { body } = await t.patch("strategic", deployments(t, "/d"), {
    spec: {
      template: {
        spec: {
          containers: [{ name: "c", ports: [{ containerPort: 80, $patch: "delete" }] }],
        },
      },
    },
  });
  assert.equal(body.spec.template.spec.containers[0].ports.length, 1);
});

conformance("a strategic merge patch replaces a list", async (t) => {
  await createDeployment(t, "d");
  const { body } = await t.patch("strategic", deployments(t, "/d"), {
    spec: {
      template: { spec: { containers: [{ $patch: "replace" }, { name: "only", image: "x" }] } },
    },
  });
  assert.equal(body.spec.template.spec.containers[0].name, "only");
});

conformance("a strategic merge patch replaces a map", async (t) => {
  await configMap(t, "a", { x: "1" });
  const { body } = await t.patch("strategic", t.path("configmaps/a"), {
    data: { $patch: "replace", y: "2" },
  });
  assert.deepEqual(body.data, { y: "2" });
});

conformance("a strategic merge patch deletes a map", async (t) => {
  await configMap(t, "a", { x: "1" });
  const { body } = await t.patch("strategic", t.path("configmaps/a"), {
    data: { $patch: "delete" },
  });
  assert.equal(body.data, undefined);
});

conformance("a strategic merge patch orders a list", async (t) => {
  await createDeployment(t, "d");
  const template = (spec: unknown) => ({ spec: { template: { spec } } });
  await t.patch(
    "strategic",
    deployments(t, "/d"),
    template({ containers: [{ name: "e", image: "x" }, { name: "f", image: "x" }] }),
  );
  const { body } = await t.patch(
    "strategic",
    deployments(t, "/d"),
    template({
      "$setElementOrder/containers": [{ name: "f" }, { name: "c" }, { name: "g" }],
      containers: [{ name: "g", image: "y" }],
    }),
  );
  assert.equal(body.spec.template.spec.containers.length, 4);
});

conformance("a strategic merge patch unites and reduces lists of texts", async (t) => {
  await configMap(t, "a", {}, { finalizers: ["example.com/a", "example.com/b"] });
  const path = t.path("configmaps/a");
  const added = await t.patch("strategic", path, {
    metadata: { finalizers: ["example.com/c", "example.com/a"] },
  });
  assert.equal(added.body.metadata.finalizers.length, 3);
  const reduced = await t.patch("strategic", path, {
    metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/a", "none"] },
  });
  assert.equal(reduced.body.metadata.finalizers.length, 2);
  await t.patch("strategic", path, {
    metadata: {
      "$setElementOrder/finalizers": ["example.com/d", "example.com/b"],
      finalizers: ["example.com/d"],
    },
  });
  await t.patch("merge", path, { metadata: { finalizers: null } });
});

conformance("a strategic merge patch retains the keys it names", async (t) => {
  await createDeployment(t, "d");
  const { body } = await t.patch("strategic", deployments(t, "/d"), {
    spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } },
  });
  assert.deepEqual(body.spec.strategy, { type: "Recreate" });
});

conformance("a strategic merge patch changes the source of a volume", async (t) => {
  await createDeployment(t, "d");
  const volumes = (list: unknown[]) => ({ spec: { template: { spec: { volumes: list } } } });
  const path = deployments(t, "/d");
  await t.patch("strategic", path, volumes([{ name: "v", emptyDir: {} }]));
  const { body } = await t.patch(
    "strategic",
    path,
    volumes([{ name: "v", $retainKeys: ["name", "hostPath"], hostPath: { path: "/x" } }]),
  );
  assert.equal(body.spec.template.spec.volumes[0].emptyDir, undefined);
});

conformance("a strategic merge patch removes by null and ignores null elsewhere", async (t) => {
  await configMap(t, "a", { x: "1", y: "2" });
  const { body } = await t.patch("strategic", t.path("configmaps/a"), {
    data: { x: null, none: null },
    metadata: { labels: { a: "b", c: null }, annotations: null },
  });
  assert.deepEqual(body.data, { y: "2" });
});

for (
  const [what, spec, expected] of [
    ["an item without its key", { containers: [{ image: "x" }] }, 500],
    ["a deletion without the key", { containers: [{ $patch: "delete" }] }, 500],
    ["an unknown directive", { containers: [{ name: "c", $patch: "bogus" }] }, 500],
    ["a merge directive", { containers: [{ name: "c", $patch: "merge" }] }, 500],
    ["texts among objects", { containers: ["a"] }, 500],
    ["an object for a list", { containers: { a: 1 } }, 422],
    ["an order that is no list", { "$setElementOrder/containers": "x" }, 500],
    [
      "an order that leaves items out",
      { "$setElementOrder/containers": [{ name: "e" }], containers: [{ name: "c", image: "z" }] },
      500,
    ],
    [
      "an order without keys",
      { "$setElementOrder/containers": [{ nam: "e" }], containers: [{ name: "c", image: "z" }] },
      500,
    ],
    ["an order of no field", { "$setElementOrder": [] }, 400],
    ["texts to delete of no field", { "$deleteFromPrimitiveList": ["x"] }, 400],
    ["kept keys that are no list", { $retainKeys: "x" }, 400],
    ["fields that are not kept", { $retainKeys: ["x"], nodeName: "y" }, 400],
    ["a number for a text", { nodeName: 1 }, 422],
    ["a text for a boolean", { hostNetwork: "x" }, 422],
    ["a fraction for an integer", { terminationGracePeriodSeconds: 1.5 }, 422],
    ["a text for an object", { securityContext: "x" }, 422],
    ["a text for a map", { nodeSelector: "x" }, 422],
    ["a quantity that is none", { overhead: { cpu: "bogus" } }, 422],
  ] as const
) {
  conformance(`a strategic merge patch with ${what} answers ${expected}`, async (t) => {
    await createDeployment(t, "d");
    const { code } = await t.patch("strategic", deployments(t, "/d"), {
      spec: { template: { spec } },
    });
    assert.equal(code, expected);
  });
}

conformance("a strategic merge patch that is no object answers 400", async (t) => {
  await configMap(t, "a", { x: "1" });
  for (const body of ["[]", "1", "{", ""]) {
    assert.equal((await t.patch("strategic", t.path("configmaps/a"), body)).code, 400);
  }
  assert.equal((await t.patch("strategic", t.path("configmaps/a"), "null")).code, 200);
});

conformance("a strategic merge patch does not change kind and version", async (t) => {
  await configMap(t, "a", { x: "1" });
  const patch = { kind: "X", apiVersion: "v7", data: { x: "2" } };
  const { code, body } = await t.patch("strategic", t.path("configmaps/a"), patch);
  assert.equal(code, 200);
  assert.equal(body.kind, "ConfigMap");
});

conformance("repeated and unknown fields of a strategic merge patch", async (t) => {
  await createDeployment(t, "d");
  const body = '{"foo":1,"spec":{"bar":1,"replicas":1,"replicas":2}}';
  const path = deployments(t, "/d?fieldValidation=");
  assert.equal((await t.patch("strategic", `${path}Strict`, body)).code, 422);
  assert.equal((await t.patch("strategic", `${path}Warn`, body)).code, 200);
  assert.equal((await t.patch("strategic", `${path}Ignore`, body)).code, 200);
});

conformance("a strategic merge patch of a Secret's bytes", async (t) => {
  await t.post(t.path("secrets"), { metadata: { name: "s" }, data: { a: "QQ==" } });
  const path = t.path("secrets/s");
  assert.equal((await t.patch("strategic", path, { data: { b: "Qg==" } })).code, 200);
  assert.equal((await t.patch("strategic", path, { stringData: { c: "x" } })).code, 200);
  assert.equal((await t.patch("strategic", path, { data: { a: "%%" } })).code, 422);
  assert.equal((await t.patch("strategic", path, { data: { a: 1 } })).code, 422);
});

conformance("a patch of a Service merges its ports by port", async (t) => {
  await t.post(t.path("services"), {
    metadata: { name: "s" },
    spec: { ports: [{ name: "a", port: 80 }], selector: { a: "b" } },
  });
  const { code, body } = await t.patch("strategic", t.path("services/s"), {
    spec: { ports: [{ name: "b", port: 81 }, { name: "a", port: 80, targetPort: 8080 }] },
  });
  assert.equal(code, 200);
  assert.equal(body.spec.ports.length, 2);
});

conformance("a patch of the status leaves the rest", async (t) => {
  await createDeployment(t, "d");
  for (const kind of ["merge", "strategic"] as const) {
    const { code, body } = await t.patch(kind, deployments(t, "/d/status"), {
      metadata: { labels: { a: "b" }, annotations: { [kind]: "yes" } },
      spec: { replicas: 5 },
      status: { replicas: 7 },
    });
    assert.equal(code, 200);
    assert.equal(body.spec.replicas, 1);
    assert.equal(body.status.replicas, 7);
  }
});

conformance("a custom resource takes no strategic merge patch", async (t) => {
  const schema = specSchema({ size: { type: "integer" } });
  await withKind(t, { schema }, async (kind) => {
    await kind.create({ spec: { size: 1 } });
    const path = kind.path("/a");
    assert.equal((await t.patch("strategic", path, {})).code, 415);
    assert.equal((await t.patch("merge", path, { spec: { size: 2 } })).code, 200);
    const replace = [{ op: "replace", path: "/spec/size", value: 3 }];
    assert.equal((await t.patch("json", path, replace)).code, 200);
  });
});

conformance("a patch of a custom resource is held against its schema", async (t) => {
  hidePatchedObjects(t);
  const schema = specSchema({
    size: { type: "integer" },
    list: { type: "array", items: { type: "string" } },
  });
  await withKind(t, { schema }, async (kind) => {
    await kind.create({ spec: {} });
    const path = kind.path("/a");
    assert.equal((await t.patch("merge", path, { spec: { size: "x" } })).code, 422);
    assert.equal((await t.patch("merge", path, { spec: { other: 1 } })).code, 200);
    const strict = `${path}?fieldValidation=Strict`;
    assert.equal((await t.patch("merge", strict, { spec: { other: 1 } })).code, 422);
  });
});

const WRITTEN: Readonly<Record<string, string>> = {
  "as it is": '"a<b>&"',
  "as Go writes it": '"a\\u003cb\\u003e\\u0026"',
  "with another escape": '"\\u0061\\u003cb\\u003e\\u0026"',
};
for (const [how, value] of Object.entries(WRITTEN)) {
  conformance(`a JSON patch tests a text with < > &, written ${how}`, async (t) => {
    const path = t.path("configmaps/a");
    await t.post(t.path("configmaps"), { metadata: { name: "a" }, data: { x: "a<b>&" } });
    const send = (...operations: string[]) => t.patch("json", path, `[${operations.join(",")}]`);
    await send(`{"op":"test","path":"/data/x","value":${value}}`);
    await send(`{"op":"test","path":"/data","value":{"x":${value}}}`);
    const add = `{"op":"add","path":"/data/y","value":${value}}`;
    await send(add, `{"op":"test","path":"/data/y","value":${value}}`);
    const copy = '{"op":"copy","from":"/data/y","path":"/data/z"}';
    await send(add, copy, `{"op":"test","path":"/data/z","value":${value}}`);
    const move = '{"op":"move","from":"/data/y","path":"/data/z"}';
    await send(add, move, `{"op":"test","path":"/data/z","value":${value}}`);
  });
}

for (const number of ["5", "5.0", "5e0"]) {
  conformance(`a JSON patch tests a number, written as ${number}`, async (t) => {
    const budget = { metadata: { name: "a" }, spec: { minAvailable: 5 } };
    await t.post(t.path("poddisruptionbudgets", "policy/v1"), budget);
    const patch = `[{"op":"test","path":"/spec/minAvailable","value":${number}}]`;
    const path = t.path("poddisruptionbudgets/a", "policy/v1");
    await t.patch("json", path, patch);
  });
}
