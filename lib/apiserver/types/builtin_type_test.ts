import assert from "node:assert/strict";
import { ResourceTable } from "../resources/resource_table.ts";
import { BuiltinType, structType } from "./builtin_type.ts";

Deno.test("each built-in type matches kube-apiserver's OpenAPI", () => {
  const pod = structType("io.k8s.api.core.v1.PodSpec")!;
  const { containers, nodeSelector, hostname, volumes } = pod.fields!;
  assert.deepEqual([containers!.type, containers!.patchMergeKey], ["array", "name"]);
  assert.deepEqual([containers!.listType, containers!.mapKeys], ["map", ["name"]]);
  assert.equal(containers!.items!.id, "io.k8s.api.core.v1.Container");
  assert.equal(nodeSelector!.values!.shape, "string");
  assert.equal(hostname!.goName, "string");
  assert.equal(volumes!.patchStrategy, "merge,retainKeys");
  assert.deepEqual(pod.required, ["containers"]);
  assert.deepEqual(
    structType("io.k8s.api.core.v1.ContainerPort")!.fields!.protocol!.default,
    "TCP",
  );
  assert.equal(structType("io.k8s.api.core.v1.Nonsense"), undefined);
});

Deno.test("inherited names are not fields of a type", () => {
  const { fields } = structType("io.k8s.api.core.v1.ConfigMap")!;
  for (const name of ["constructor", "toString", "__proto__"]) {
    assert.equal(fields![name], undefined, name);
  }
});

Deno.test("each type that a kind refers to is known", () => {
  const seen = new Set<string>();
  const visit = (type: BuiltinType, path: string): void => {
    assert.notEqual(type.goName, "", path);
    if (type.shape === "list") visit(type.items!, `${path}[]`);
    if (type.shape === "map") visit(type.values!, `${path}{}`);
    if (type.shape !== "struct" || seen.has(type.id)) return;
    seen.add(type.id);
    for (const key of type.required ?? []) assert.ok(type.fields![key], `${path}.${key}`);
    for (const [name, field] of Object.entries(type.fields!)) visit(field, `${path}.${name}`);
  };
  for (const row of ResourceTable.builtin().all()) {
    const schema = row.schema();
    if (schema instanceof BuiltinType) visit(schema, row.kind);
  }
  assert.ok(seen.size > 400, `only ${seen.size} types`);
});
