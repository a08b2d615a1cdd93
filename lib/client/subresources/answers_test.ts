import assert from "node:assert/strict";
import { Deployment, Pod } from "@xca/apimachinery/meta";
import { scriptedFetch } from "../../../tests/client/scripted_fetch.ts";
import type { Client } from "../typed/client.ts";
import { createClient } from "../create_client.ts";
import { fetchServerResources } from "../discovery/discovery_fetch.ts";
import { openApiClient } from "../discovery/openapi.ts";
import { serverVersion } from "../discovery/server_version.ts";
import { DecodeError } from "../errors/decode_error.ts";
import { podLogs } from "../pods/pod_log.ts";
import { listOwnRules, reviewAccess, reviewOwnAccess } from "./access_review.ts";
import { bindPod } from "./binding.ts";
import { evictPod } from "./eviction.ts";
import { getScale } from "./scale.ts";
import { getTable, listTable } from "./table.ts";
import { requestToken, reviewToken, whoAmI } from "./token_request.ts";

const ACCESS = { verb: "get", type: Pod };
const CALLS: Record<string, (client: Client) => Promise<unknown>> = {
  evictPod: (client) => evictPod(client, "d/a"),
  bindPod: (client) => bindPod(client, "d/a", "node"),
  serverVersion: (client) => serverVersion(client),
  getScale: (client) => getScale(client, Deployment, "d/a"),
  requestToken: (client) => requestToken(client, "d/a"),
  reviewToken: (client) => reviewToken(client, "t"),
  whoAmI: (client) => whoAmI(client),
  reviewAccess: (client) => reviewAccess(client, { user: "u" }, ACCESS),
  reviewOwnAccess: (client) => reviewOwnAccess(client, ACCESS),
  listOwnRules: (client) => listOwnRules(client, "d"),
  getTable: (client) => getTable(client, Pod, "d/a"),
  listTable: (client) => listTable(client, Pod),
  "openApiClient().paths": (client) => openApiClient(client).paths(),
};

const SUCCESS = { kind: "Status", apiVersion: "v1", status: "Success" };
const LEASE = { kind: "Lease", apiVersion: "coordination.k8s.io/v1", metadata: { name: "a" } };

for (const [name, run] of Object.entries(CALLS)) {
  Deno.test(`an answer of another kind is an error that names the call: ${name}()`, async () => {
    const answers: unknown[] = [null, {}, [], "ok", LEASE, { ...SUCCESS, status: "Failure" }];
    if (name !== "evictPod" && name !== "bindPod") answers.push(SUCCESS);
    for (const answer of answers) {
      using client = createClient({ server: "https://a.example" }, {
        fetch: scriptedFetch(Response.json(answer)).fetch,
      });
      await assert.rejects(run(client), (error) => {
        assert.ok(error instanceof DecodeError, `${JSON.stringify(answer)}: ${error}`);
        assert.match(error.message, /^Cannot .* \/(api|version|openapi)/);
        return true;
      });
    }
  });
}

Deno.test("an eviction and a binding are confirmed by a Status of success or by their own kind", async () => {
  const eviction = { kind: "Eviction", apiVersion: "policy/v1", metadata: { name: "a" } };
  const binding = { kind: "Binding", apiVersion: "v1", metadata: { name: "a" } };
  for (const [name, own] of [["evictPod", eviction], ["bindPod", binding]] as const) {
    for (const answer of [SUCCESS, own]) {
      using client = createClient({ server: "https://a.example" }, {
        fetch: scriptedFetch(Response.json(answer, { status: 201 })).fetch,
      });
      await CALLS[name]!(client);
    }
  }
});

Deno.test("a review without its decision is an error that names the missing field", async () => {
  for (
    const [name, field] of [
      ["requestToken", "token"],
      ["whoAmI", "userInfo"],
      ["reviewAccess", "allowed"],
    ] as const
  ) {
    using client = createClient({ server: "https://a.example" }, {
      fetch: scriptedFetch(Response.json({ status: { [field]: null } })).fetch,
    });
    await assert.rejects(CALLS[name]!(client), new RegExp(`: it has no status\\.${field}; `));
  }
});

Deno.test("a Table without its metadata or a list of columns or rows is an error", async () => {
  const table = { kind: "Table", metadata: {}, columnDefinitions: null, rows: null };
  for (
    const [answer, why] of [
      [{ ...table, metadata: undefined }, "metadata"],
      [{ ...table, columnDefinitions: undefined }, "columnDefinitions"],
      [{ ...table, rows: "none" }, "rows"],
    ] as const
  ) {
    for (const name of ["getTable", "listTable"]) {
      using client = createClient({ server: "https://a.example" }, {
        fetch: scriptedFetch(Response.json(answer)).fetch,
      });
      await assert.rejects(CALLS[name]!(client), new RegExp(`^DecodeError: .* it has no ${why}; `));
    }
  }
  using client = createClient({ server: "https://a.example" }, {
    fetch: scriptedFetch(Response.json(table)).fetch,
  });
  const empty = { metadata: {}, columnDefinitions: [], rows: [] };
  assert.deepEqual(await listTable(client, Pod), empty);
});

Deno.test("an OpenAPI document of another kind is an error, and not kept", async () => {
  const index = { paths: { "api/v1": { serverRelativeURL: "/openapi/v3/api/v1?hash=1" } } };
  const script = [index, LEASE, index, { openapi: "3.0.0" }].map((each) => Response.json(each));
  using client = createClient({ server: "https://a.example" }, {
    fetch: scriptedFetch(...script).fetch,
  });
  const openApi = openApiClient(client);
  await assert.rejects(openApi.document("v1"), /as an OpenAPI document: it is a Lease of /);
  assert.equal((await openApi.document("v1"))?.openapi, "3.0.0");
});

Deno.test("a page in answer to a request for a log is an error", async () => {
  const headers = { "content-type": "text/html" };
  using client = createClient({ server: "https://a.example" }, {
    fetch: scriptedFetch(new Response("<html>sign in</html>", { headers })).fetch,
  });
  await assert.rejects(podLogs(client, "d/a"), /as the log of pod d\/a: it is a page /);
});

Deno.test("a version whose discovery is no list of resources fails, instead of having none", async () => {
  for (const answer of [null, {}, SUCCESS, LEASE]) {
    const answers: Record<string, unknown> = {
      "/api": { kind: "APIVersions", versions: ["v1"] },
      "/apis": { kind: "APIGroupList", groups: [] },
      "/api/v1": answer,
    };
    const fetch = (request: Request): Promise<Response> =>
      Promise.resolve(Response.json(answers[new URL(request.url).pathname]));
    using client = createClient({ server: "https://a.example" }, { fetch });
    const { failures } = await fetchServerResources(client, { legacy: true });
    assert.match(failures[0]?.error.message ?? "", /GET \/api\/v1 as an APIResourceList: it /);
  }
});
