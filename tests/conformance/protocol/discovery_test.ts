import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { definitionIn } from "../custom_resources/custom_kind.ts";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** The built-in groups: other cases' definitions come and go on a shared server. */
const GROUPS = [
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "apps",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "certificates.k8s.io",
  "coordination.k8s.io",
  "discovery.k8s.io",
  "events.k8s.io",
  "flowcontrol.apiserver.k8s.io",
  "networking.k8s.io",
  "node.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "resource.k8s.io",
  "scheduling.k8s.io",
  "storage.k8s.io",
];

/** Records the part of a response that other cases do not change. */
function record(t: Target, request: string, { code }: Answer, body: unknown): void {
  t.exchanges.push({ request, code, body });
}

function accept(type: string, more: Record<string, string> = {}): {
  headers: Record<string, string>;
  unrecorded: true;
} {
  return { headers: { Accept: type, ...more }, unrecorded: true };
}

conformance("the versions of the core group, and where the server is", async (t) => {
  t.mask(/^(127\.0\.0\.1:\d+|embedded\.invalid)$/, "<host>");
  for (const path of ["/api", "/api/"]) {
    assert.deepEqual((await t.get(path)).body.versions, ["v1"]);
  }
});

conformance("the groups, in the order of their importance", async (t) => {
  const answer = await t.get("/apis", { unrecorded: true });
  const groups = answer.body.groups.filter(({ name }: { name: string }) => GROUPS.includes(name));
  record(t, "GET /apis", answer, { ...answer.body, groups });
  assert.equal(groups.length, GROUPS.length);
});

for (const group of GROUPS) {
  conformance(`the group ${group}`, async (t) => {
    const { body } = await t.get(`/apis/${group}`);
    for (const { groupVersion } of body.versions) {
      assert.equal((await t.get(`/apis/${groupVersion}`)).code, 200);
    }
  });
}

conformance("the resources of the core group", async (t) => {
  const { body } = await t.get("/api/v1");
  assert.equal("apiVersion" in body, false);
});

const UNKNOWN = [
  "/apis/nope",
  "/apis/nope/v1",
  "/apis/nope/v1/things",
  "/apis/apps/v9",
  "/apis/apps/v9/deployments",
  "/apis/apps/v1/nope",
  "/api/v2",
  "/api/v1/nope",
  "/api/v1/nope/x/y",
  "/nope",
  "/healthz/nope",
  "/openapi",
];
for (const path of UNKNOWN) {
  conformance(`a path that there is not answers 404: ${path}`, async (t) => {
    assert.equal((await t.get(path)).code, 404);
  });
}

conformance("a group of a definition has no other versions", async (t) => {
  const group = t.unique("discovery", "group") + ".example.com";
  t.mask(/^[A-Za-z0-9+/]{11}=$/, "<hash>");
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await t.post(path, definition(group), { unrecorded: true });
  await served(t, `/apis/${group}/v1`);
  await t.get(`/apis/${group}`);
  await t.get(`/apis/${group}/v1`);
  await t.get(`/apis/${group}/v2`);
  await t.get(`/apis/${group}/v1/namespaces/default/nope`);
  const aggregated = await t.get("/apis", accept(AGGREGATED));
  const item = aggregated.body.items.find((each: Wire) => each.metadata.name === group);
  record(t, "GET /apis, aggregated", aggregated, item);
  await t.delete(`${path}/things.${group}`, undefined, { unrecorded: true });
});

// deno-lint-ignore no-explicit-any
type Wire = any;

function definition(group: string): object {
  const withNumber = { type: "object", properties: { n: { type: "integer" } } };
  return definitionIn(group, {
    plural: "things",
    names: { shortNames: ["th"], categories: ["all"] },
    schema: { type: "object", properties: { spec: withNumber, status: withNumber } },
    version: {
      subresources: {
        status: {},
        scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" },
      },
    },
  });
}

/** Waits until a definition is served, and known to all of discovery. */
async function served(t: Target, path: string): Promise<void> {
  await until(async () => {
    const { code } = await t.get(path, { unrecorded: true });
    const { body } = await t.get("/apis", accept(AGGREGATED));
    const group = path.split("/")[2];
    return code === 200 && body.items.some((each: Wire) => each.metadata.name === group);
  }, `that ${path} is discovered`);
}

for (const path of ["/api", "/apis"]) {
  conformance(`discovery in one document: ${path}`, async (t) => {
    const answer = await t.get(path, accept(AGGREGATED));
    const items = answer.body.items.filter(({ metadata }: Wire) =>
      path === "/api" || GROUPS.includes(metadata.name)
    );
    record(t, `GET ${path}`, answer, {
      ...answer.body,
      items,
      contentType: answer.headers.get("content-type"),
      cacheControl: answer.headers.get("cache-control"),
      vary: answer.headers.get("vary"),
    });
    assert.match(answer.headers.get("etag")!, /^"[0-9A-F]{128}"$/);
  });
}

conformance("discovery in one document that the caller has already", async (t) => {
  const first = await t.get("/api", accept(AGGREGATED));
  const etag = first.headers.get("etag")!;
  const second = await t.get("/api", accept(AGGREGATED, { "If-None-Match": etag }));
  record(t, "GET /api", second, second.headers.get("etag") === etag);
  assert.equal(second.code, 304);
});

const ACCEPTS: readonly (readonly [accept: string, path: string])[] = [
  [AGGREGATED.replace("v=v2", "v=v2beta1"), "/api"],
  [AGGREGATED.replace("v=v2", "v=v2beta1"), "/apis"],
  [`${AGGREGATED.replace("v=v2", "v=v3")},application/json`, "/apis/batch"],
  [AGGREGATED, "/apis/batch"],
  ["application/json;as=Table;v=v1;g=meta.k8s.io", "/apis/batch/v1"],
  ["application/yaml", "/apis/batch"],
  ["application/yaml", "/apis/batch/v1"],
  ["text/html", "/api"],
  ["text/html", "/apis/batch/v1"],
  ["text/html", "/version"],
  ["*/*", "/apis/batch"],
  ["application/json;pretty=1", "/apis/batch"],
];
for (const [type, path] of ACCEPTS) {
  conformance(`${path} for those who accept ${type}`, async (t) => {
    const answer = await t.get(path, { headers: { Accept: type } });
    assert.ok([200, 406].includes(answer.code));
  });
}

conformance("a client that accepts plain JSON before the one document gets that", async (t) => {
  const answer = await t.get("/api", accept(`application/json,${AGGREGATED}`));
  record(t, "GET /api", answer, answer.body.kind);
});

conformance("a client that accepts the one document first gets it", async (t) => {
  const answer = await t.get("/api", accept(`${AGGREGATED},application/json`));
  record(t, "GET /api", answer, answer.body.kind);
});

for (
  const path of ["/healthz", "/livez", "/readyz", "/readyz/ping", "/livez/ping", "/healthz/log"]
) {
  conformance(`health: ${path}`, async (t) => {
    assert.equal((await t.get(path)).body, "ok");
  });
}

conformance("health in detail ends with a verdict", async (t) => {
  for (const name of ["healthz", "livez", "readyz"]) {
    const answer = await t.get(`/${name}?verbose`, { unrecorded: true });
    const lines: string[] = answer.body.trim().split("\n");
    record(t, `GET /${name}?verbose`, answer, [lines[0], lines.at(-1)]);
  }
});

conformance("health in detail without a check", async (t) => {
  const answer = await t.get("/readyz?verbose&exclude=ping&exclude=none", { unrecorded: true });
  const lines: string[] = answer.body.trim().split("\n");
  record(t, "GET /readyz", answer, [lines[0], ...lines.slice(-2)]);
});

conformance("the version says which release the server is like", async (t) => {
  const answer = await t.get("/version", { unrecorded: true });
  const { major, minor, gitVersion } = answer.body;
  record(t, "GET /version", answer, [major, minor, gitVersion.replace("+embedded", "")]);
  assert.deepEqual(Object.keys(answer.body).length, 13);
});

for (const path of ["/api", "/version"]) {
  conformance(`another method answers 405: POST ${path}`, async (t) => {
    assert.equal((await t.post(path, {})).code, 405);
  });
}

conformance("the root lists the paths that there are", async (t) => {
  const answer = await t.get("/", { unrecorded: true });
  const known = answer.body.paths.filter((path: string) =>
    /^\/(api|api\/v1|apis|apis\/|metrics|version|openapi\/.*)$/.test(path) ||
    GROUPS.includes(path.split("/")[2] ?? "")
  );
  record(t, "GET /", answer, known);
});
