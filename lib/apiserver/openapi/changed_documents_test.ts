import assert from "node:assert/strict";
import { systemClock } from "@xca/apimachinery/base";
import type { ApiResource } from "../machinery/resource.ts";
import { ResourceTable } from "../resources/resource_table.ts";
import { textPieces } from "./document_v2.ts";
import { Documents } from "./documents.ts";

const THING = "/apis/example.com/v1/namespaces/{namespace}/things";

function thing(table: ResourceTable): ApiResource {
  const row = table.find("", "v1", "configmaps")!;
  const names = { plural: "things", kind: "Thing", listKind: "ThingList" };
  return { ...row, ...names, group: "example.com", customResourceDefinition: "things" };
}

Deno.test("the OpenAPI 2 document has the served resources, sorted", async () => {
  const table = ResourceTable.builtin();
  const documents = new Documents(table, systemClock);
  const before = await documents.v2();
  assert.equal(await documents.v2(), before);
  table.add([thing(table)]);
  const { document, hash } = await documents.v2();
  assert.notEqual(hash, before.hash);
  const { swagger, paths, definitions } = JSON.parse([...textPieces(document)].join(""));
  assert.equal(swagger, "2.0");
  assert(paths[THING] && definitions["com.example.v1.ThingList"]);
  for (const named of [paths, definitions]) {
    assert.deepEqual(Object.keys(named), Object.keys(named).sort());
  }
  table.remove("example.com", "things");
  assert.equal((await documents.v2()).hash, before.hash);
});

Deno.test("only the OpenAPI documents of changed resources are built again", async () => {
  const table = ResourceTable.builtin();
  const documents = new Documents(table, systemClock);
  const before = await documents.v2();
  const apps = await documents.version("apps", "v1");
  table.add([thing(table)]);
  const after = await documents.v2();
  assert.equal(await documents.version("apps", "v1"), apps);
  const known = new Set(before.document.paths);
  const made = after.document.paths.filter((part) => !known.has(part));
  assert(made.length > 0 && made.every(({ name }) => name.startsWith("/apis/example.com/")));
});

Deno.test("the index of OpenAPI 3 documents has each served group version with its hash", async () => {
  const table = ResourceTable.builtin();
  const documents = new Documents(table, systemClock);
  table.add([thing(table)]);
  const { paths } = JSON.parse(await documents.index());
  const { hash } = (await documents.version("example.com", "v1"))!;
  assert(paths["apis/example.com/v1"].serverRelativeURL.endsWith(hash));
  table.remove("example.com", "things");
  assert.equal(JSON.parse(await documents.index()).paths["apis/example.com/v1"], undefined);
  assert.equal(await documents.version("example.com", "v1"), undefined);
});

Deno.test("OpenAPI documents are built again after a build that failed", async () => {
  const table = ResourceTable.builtin();
  const documents = new Documents(table, systemClock);
  const problem = new Error("out of memory");
  const failing = (): never => {
    throw problem;
  };
  Object.assign(table, { groups: failing, all: failing });
  await assert.rejects(documents.index(), problem);
  await assert.rejects(documents.v2(), problem);
  for (const name of ["groups", "all"]) Reflect.deleteProperty(table, name);
  assert(JSON.parse(await documents.index()).paths["apis/apps/v1"]);
  assert((await documents.v2()).document.paths.length > 0);
});
