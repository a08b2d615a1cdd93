import assert from "node:assert/strict";
import type { Client } from "../typed/client.ts";
import { createClient } from "../create_client.ts";
import { DecodeError } from "../errors/decode_error.ts";
import { openApiClient } from "./openapi.ts";
import { serverVersion } from "./server_version.ts";

const GVK = { group: "apps", version: "v1", kind: "Deployment" };

function setUp(index: () => unknown, server = "https://a.example"): {
  client: Client;
  asked: string[];
} {
  const asked: string[] = [];
  const client = createClient({ server }, {
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      asked.push(pathname + search);
      if (pathname.endsWith("/openapi/v3")) return Promise.resolve(Response.json(index()));
      const schemas = { d: { "x-kubernetes-group-version-kind": [GVK] }, other: {} };
      return Promise.resolve(Response.json({ openapi: "3.0.0", search, components: { schemas } }));
    },
  });
  return { client, asked };
}

Deno.test("openApiClient() fetches documents by the URL of the index, and again when its hash has changed", async () => {
  let hash = "AB+C/D=";
  const url = (path: string): unknown => ({
    serverRelativeURL: `/openapi/v3/${path}?hash=${encodeURIComponent(hash)}`,
  });
  const { client, asked } = setUp(() => ({
    paths: { "apis/apps/v1": url("apis/apps/v1"), "api/v1": url("api/v1") },
  }));
  using _ = client;
  const openApi = openApiClient(client);
  assert.deepEqual([...await openApi.paths()], ["apis/apps/v1", "api/v1"]);
  const first = await openApi.document("apps/v1");
  assert.equal(await openApi.document("apps/v1"), first);
  await openApi.document("v1");
  hash = "new";
  const second = await openApi.document("apps/v1");
  assert.notEqual(second, first);
  assert.equal(await openApi.document("batch/v1"), undefined);
  assert.equal(await openApi.document("__proto__"), undefined);
  const fetched = asked.filter((path) => path !== "/openapi/v3");
  assert.deepEqual(fetched, [
    "/openapi/v3/apis/apps/v1?hash=AB%2BC%2FD%3D",
    "/openapi/v3/api/v1?hash=AB%2BC%2FD%3D",
    "/openapi/v3/apis/apps/v1?hash=new",
  ]);
});

Deno.test("openApiClient() finds the schema of a kind in the document of its group and version", async () => {
  const paths = { "apis/apps/v1": { serverRelativeURL: "/openapi/v3/apis/apps/v1?hash=1" } };
  const { client } = setUp(() => ({ paths }));
  using _ = client;
  const openApi = openApiClient(client);
  assert.deepEqual(await openApi.schema(GVK), { "x-kubernetes-group-version-kind": [GVK] });
  assert.equal(await openApi.schema({ ...GVK, kind: "Other" }), undefined);
  assert.equal(await openApi.schema({ ...GVK, version: "v9" }), undefined);
});

for (const prefix of ["", "/k8s/clusters/c1"]) {
  Deno.test(`a server below a path is asked below it, URLs given with "${prefix}" before them`, async () => {
    const paths = { "api/v1": { serverRelativeURL: `${prefix}/openapi/v3/api/v1?hash=1` } };
    const { client, asked } = setUp(() => ({ paths }), "https://a.example/k8s/clusters/c1");
    using _ = client;
    await openApiClient(client).document("v1");
    assert.equal(asked[1], "/k8s/clusters/c1/openapi/v3/api/v1?hash=1");
  });
}

Deno.test("openApiClient() refuses an invalid index, and a URL that leads elsewhere", async () => {
  for (const index of [{}, null, [], { paths: null }]) {
    const { client } = setUp(() => index);
    using _ = client;
    await assert.rejects(openApiClient(client).paths(), DecodeError);
  }
  for (const serverRelativeURL of ["https://evil.example/x", "/api/v1/secrets", "/openapi/v2"]) {
    const { client, asked } = setUp(() => ({ paths: { "api/v1": { serverRelativeURL } } }));
    using _ = client;
    await assert.rejects(openApiClient(client).document("v1"), /not below \/openapi\/v3/);
    assert.equal(asked.length, 1);
  }
});

Deno.test("serverVersion() returns the version of the server", async () => {
  const asked: string[] = [];
  using client = createClient({ server: "https://a.example" }, {
    fetch: (request) => {
      asked.push(new URL(request.url).pathname);
      return Promise.resolve(Response.json({ major: "1", minor: "36+", gitVersion: "v1.36.3-x" }));
    },
  });
  assert.deepEqual(await serverVersion(client), {
    major: "1",
    minor: "36+",
    gitVersion: "v1.36.3-x",
  });
  assert.deepEqual(asked, ["/version"]);
});
