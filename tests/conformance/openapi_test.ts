import assert from "node:assert/strict";
import { until } from "../support/until.ts";
import { definitionIn, specSchema } from "./custom_kind.ts";
import { conformanceSuite } from "./suite.ts";
import type { Answer, Target } from "./target.ts";

const conformance = conformanceSuite(import.meta.url);

/** The documents of built-in kinds. */
const DOCUMENTS = [
  "api/v1",
  "apis/admissionregistration.k8s.io/v1",
  "apis/apiextensions.k8s.io/v1",
  "apis/apiregistration.k8s.io/v1",
  "apis/apps/v1",
  "apis/authentication.k8s.io/v1",
  "apis/authorization.k8s.io/v1",
  "apis/autoscaling/v1",
  "apis/autoscaling/v2",
  "apis/batch/v1",
  "apis/certificates.k8s.io/v1",
  "apis/coordination.k8s.io/v1",
  "apis/discovery.k8s.io/v1",
  "apis/events.k8s.io/v1",
  "apis/flowcontrol.apiserver.k8s.io/v1",
  "apis/networking.k8s.io/v1",
  "apis/node.k8s.io/v1",
  "apis/policy/v1",
  "apis/rbac.authorization.k8s.io/v1",
  "apis/resource.k8s.io/v1",
  "apis/scheduling.k8s.io/v1",
  "apis/storage.k8s.io/v1",
];
const UNRECORDED = { unrecorded: true };

// deno-lint-ignore no-explicit-any
type Wire = any;

/** What a case saw of an answer that is too long to keep, or has prose in it. */
function record(t: Target, request: string, { code }: Answer, body: unknown): void {
  t.exchanges.push({ request, code, body });
}

/** A document without its prose, which the embedded server has not. */
function withoutProse(value: Wire, names = false): Wire {
  if (Array.isArray(value)) return value.map((item) => withoutProse(item));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value)
    .filter(([key, inner]) => names || key !== "description" || typeof inner !== "string")
    .map(([key, inner]) => [key, withoutProse(inner, key === "properties" || key === "schemas")]);
  return Object.fromEntries(entries);
}

/** A text as short as tells one from another. */
async function digest(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(sorted(value)));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function sorted(value: Wire): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

/** Each member by its digest: a difference names the member. */
async function digests(members: Record<string, unknown>): Promise<Record<string, string>> {
  const made: Record<string, string> = {};
  for (const [name, value] of Object.entries(members)) made[name] = await digest(value);
  return made;
}

/** Paths that the embedded server does not describe: deprecated watches, and connections to a node. */
const UNDESCRIBED = /\/watch\/|\/(proxy|exec|attach|portforward|log)(\/|$)/;

for (const name of DOCUMENTS) {
  conformance(`the schemas of ${name}`, async (t) => {
    const answer = await t.get(`/openapi/v3/${name}`, UNRECORDED);
    const { schemas } = withoutProse(answer.body.components);
    record(t, `GET /openapi/v3/${name}`, answer, await digests(schemas));
  });

  conformance(`the paths of ${name}`, async (t) => {
    const answer = await t.get(`/openapi/v3/${name}`, UNRECORDED);
    const paths: Record<string, unknown> = {};
    for (const [path, item] of Object.entries<Wire>(withoutProse(answer.body.paths))) {
      if (UNDESCRIBED.test(path)) continue;
      paths[path] = Object.fromEntries(
        Object.entries<Wire>(item).map(([key, { responses, ...operation }]) => [
          key,
          key === "parameters" ? item[key] : { ...operation, codes: Object.keys(responses) },
        ]),
      );
    }
    record(t, `GET /openapi/v3/${name}`, answer, await digests(paths));
  });
}

conformance("the index names the documents with their hashes", async (t) => {
  const answer = await t.get("/openapi/v3", UNRECORDED);
  const names = Object.keys(answer.body.paths).filter((name) => DOCUMENTS.includes(name)).sort();
  record(t, "GET /openapi/v3", answer, [names, answer.headers.get("content-type")]);
  for (const name of names) {
    const { serverRelativeURL } = answer.body.paths[name];
    assert.match(serverRelativeURL, new RegExp(`^/openapi/v3/${name}\\?hash=[0-9A-F]{128}$`));
  }
});

conformance("a document by its hash may be kept", async (t) => {
  const index = await t.get("/openapi/v3", UNRECORDED);
  const { serverRelativeURL } = index.body.paths["apis/batch/v1"];
  const answer = await t.get(serverRelativeURL, UNRECORDED);
  record(t, "GET /openapi/v3/apis/batch/v1?hash=...", answer, [
    answer.headers.get("cache-control"),
    answer.headers.get("content-type"),
    answer.headers.get("etag") === `"${serverRelativeURL.split("=")[1]}"`,
  ]);
});

conformance("a document that the caller has already answers 304", async (t) => {
  const first = await t.get("/openapi/v3/apis/batch/v1", UNRECORDED);
  const etag = first.headers.get("etag")!;
  const headers = { "If-None-Match": etag };
  const second = await t.get("/openapi/v3/apis/batch/v1", { headers, ...UNRECORDED });
  record(t, "GET /openapi/v3/apis/batch/v1", second, second.body ?? "");
  assert.equal(second.code, 304);
});

for (const path of ["/openapi/v3/apis/nope/v1", "/openapi/v3/apis/apps/v9", "/openapi/v3/"]) {
  conformance(`a document that there is not answers 404: ${path}`, async (t) => {
    assert.equal((await t.get(path)).code, 404);
  });
}

for (const type of ["text/html", "application/yaml"]) {
  conformance(`a document for those who accept only ${type} answers 406`, async (t) => {
    const answer = await t.get("/openapi/v3/apis/batch/v1", { headers: { Accept: type } });
    assert.equal(answer.code, 406);
  });
}

conformance("the definitions of version 2", async (t) => {
  const answer = await t.get("/openapi/v2", UNRECORDED);
  const definitions = withoutProse(answer.body.definitions, true);
  const wanted = Object.keys(definitions).filter((name) =>
    /^io\.k8s\.api\.(core|apps|batch|rbac|networking)\.v1\.[A-Z]/.test(name) &&
    !/Options$|\.(List|PodStatusResult|RangeAllocation|SerializedReference)$/.test(name)
  ).sort();
  const made = Object.fromEntries(wanted.map((name) => [name, withoutProse(definitions[name])]));
  record(t, "GET /openapi/v2", answer, await digests(made));
});

conformance("a custom resource is described by its schema", async (t) => {
  const group = `${t.unique("openapi", "group")}.example.com`;
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const created = await t.post(definitions, definition(group), UNRECORDED);
  assert.equal(created.code, 201);
  const answer = await described(t, `/openapi/v3/apis/${group}/v1`);
  const { schemas } = withoutProse(answer.body.components);
  const own = Object.fromEntries(
    Object.entries(schemas).filter(([name]) => name.startsWith("com.example.")),
  );
  record(t, `GET /openapi/v3/apis/${group}/v1`, answer, own);
  const patch = answer.body.paths[`/apis/${group}/v1/namespaces/{namespace}/things/{name}`].patch;
  record(t, "its patch", answer, [
    patch["x-kubernetes-group-version-kind"],
    patch.parameters.map(({ name }: Wire) => name),
    Object.keys(patch.requestBody.content),
  ]);
  await t.delete(`${definitions}/things.${group}`, undefined, UNRECORDED);
});

/** Waits until a document is there, since the real server makes it behind the definition. */
async function described(t: Target, path: string): Promise<Answer> {
  let answer: Answer;
  await until(async () => {
    answer = await t.get(path, UNRECORDED);
    return answer.code === 200;
  }, `that ${path} is there`);
  return answer!;
}

function definition(group: string): object {
  const schema = specSchema({
    size: { type: "integer", minimum: 1, default: 3 },
    names: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    port: { "x-kubernetes-int-or-string": true },
    any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  }, { required: ["size"] });
  return definitionIn(group, { plural: "things", schema });
}
