import assert from "node:assert/strict";
import { PatientServer } from "../server_fakes_test.ts";

/** Returns the `$ref` values of an OpenAPI document that have no target. */
function brokenReferences(document: unknown): string[] {
  const broken = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (value === null || typeof value !== "object") return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === "$ref" && typeof inner === "string" && !resolves(document, inner)) {
        broken.add(inner);
      } else visit(inner);
    }
  };
  visit(document);
  return [...broken];
}

function resolves(document: unknown, reference: string): boolean {
  let value = document;
  for (const step of reference.replace(/^#\//, "").split("/")) {
    value = (value as Record<string, unknown> | undefined)?.[step];
  }
  return value !== undefined;
}

Deno.test("each $ref of an OpenAPI document has its target in the document", async () => {
  using server = await PatientServer.start();
  const { body: { paths } } = await server.send("GET", "/openapi/v3");
  const versions = Object.entries(paths as Record<string, { serverRelativeURL: string }>)
    .filter(([name]) => /^(api|apis\/[^/]+)\/[^/]+$/.test(name));
  assert.ok(versions.some(([name]) => name === "apis/example.com/v1"));
  assert.ok(versions.length > 20);
  for (const [name, { serverRelativeURL }] of versions) {
    const { code, body } = await server.send("GET", serverRelativeURL);
    assert.equal(code, 200, name);
    assert.deepEqual(brokenReferences(body), [], name);
  }
});

Deno.test("the OpenAPI 2 document has custom kinds and the target of each $ref", async () => {
  using server = await PatientServer.start();
  const { body } = await server.send("GET", "/openapi/v2");
  assert.equal(body.swagger, "2.0");
  assert.deepEqual(brokenReferences(body), []);
  const kinds = Object.values(body.definitions as Record<string, Record<string, unknown>>)
    .flatMap((definition) => definition["x-kubernetes-group-version-kind"] as object[] ?? []);
  const foo = { group: "example.com", kind: "Foo", version: "v1" };
  assert.ok(kinds.some((kind) => JSON.stringify(kind) === JSON.stringify(foo)));
});
