import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import { definitionIn, specSchema } from "../custom_resources/custom_kind.ts";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";

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
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const UNRECORDED = { unrecorded: true };

// deno-lint-ignore no-explicit-any
type Wire = any;

/** Records a part of a response, since the whole is too long, or contains descriptions. */
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

/** Returns a digest of a text. */
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
  const created = await t.post(DEFINITIONS, definition(group), UNRECORDED);
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
  await t.delete(`${DEFINITIONS}/things.${group}`, undefined, UNRECORDED);
});

/** The documents of paths that are of no group version. */
const PATHS = [
  ".well-known/openid-configuration",
  "api",
  "apis",
  "apis/apps",
  "apis/rbac.authorization.k8s.io",
  "openid/v1/jwks",
  "version",
];
for (const name of PATHS) {
  conformance(`the document of ${name}`, async (t) => {
    const answer = await t.get(`/openapi/v3/${name}`, UNRECORDED);
    const { paths, components } = withoutProse(answer.body);
    for (const { get } of Object.values<Wire>(paths)) {
      delete get.responses["200"].content["application/vnd.kubernetes.protobuf"];
    }
    record(t, `GET /openapi/v3/${name}`, answer, { paths, components: await digests(components) });
  });
}

conformance("the index lists all documents in order", async (t) => {
  const answer = await t.get("/openapi/v3", UNRECORDED);
  // Those of custom resources come and go.
  const names = Object.keys(answer.body.paths).filter((name) => !name.includes("example.com"));
  record(t, "GET /openapi/v3", answer, names);
});

conformance("the paths that are listed, but for what only kube-apiserver has", async (t) => {
  const answer = await t.get("/", UNRECORDED);
  const own = /^\/(logs|debug)|example\.com/;
  record(t, "GET /", answer, answer.body.paths.filter((path: string) => !own.test(path)));
});

const FULL_SCHEMA = {
  type: "object",
  description: "A Thing is a thing.",
  required: ["spec"],
  properties: {
    kind: { type: "string", enum: ["Thing"] },
    apiVersion: { type: "string", description: "Words of its author." },
    metadata: { type: "object", properties: { name: { type: "string", maxLength: 60 } } },
    spec: {
      type: "object",
      description: "What is wanted.",
      required: ["color", "maybe"],
      properties: {
        color: { type: "string", description: "The colour." },
        maybe: { type: "string", nullable: true },
        size: { type: "integer", format: "int32" },
        anything: {
          type: "object",
          description: "An object of any kind.",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
        something: {
          type: "object",
          required: ["kind"],
          "x-kubernetes-embedded-resource": true,
          properties: { kind: { type: "string", enum: ["A"] }, extra: { type: "string" } },
        },
        list: {
          type: "array",
          "x-kubernetes-preserve-unknown-fields": true,
          items: { type: "string" },
        },
        values: { type: "object", additionalProperties: { type: "string", nullable: true } },
      },
    },
  },
};

for (
  const [what, schema] of [
    ["a full schema", FULL_SCHEMA],
    ["a schema that keeps all", {
      type: "object",
      description: "Anything.",
      "x-kubernetes-preserve-unknown-fields": true,
    }],
  ] as const
) {
  conformance(`a kind with ${what} in both versions of OpenAPI`, async (t) => {
    const label = t.unique("described", "group");
    const group = `${label}.example.com`;
    t.mask(/described[0-9a-f]{8}ExampleCom/gi, "<Group>");
    const created = await t.post(DEFINITIONS, {
      metadata: { name: `things.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
        versions: [{
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          ...(schema === FULL_SCHEMA && { selectableFields: [{ jsonPath: ".spec.color" }] }),
          schema: { openAPIV3Schema: schema },
        }],
      },
    }, UNRECORDED);
    assert.equal(created.code, 201, JSON.stringify(created.body));
    const v3 = await described(t, `/openapi/v3/apis/${group}/v1`);
    // By the name of this group: those of other cases stay in version 2 for a while.
    const own = (all: Record<string, unknown>): Record<string, unknown> =>
      Object.fromEntries(Object.entries(all).filter(([name]) => name.includes(label)));
    const { info, components, paths } = v3.body;
    record(t, "version 3", v3, [info, own(components.schemas), Object.keys(components).sort()]);
    record(t, "version 3", v3, withoutProse(paths));
    let v2: Answer;
    await until(async () => {
      v2 = await t.get("/openapi/v2", UNRECORDED);
      return Object.keys(own(v2.body.definitions)).length > 0;
    }, "that version 2 describes the kind");
    record(t, "version 2", v2!, own(v2!.body.definitions));
    await t.delete(`${DEFINITIONS}/things.${group}`, undefined, UNRECORDED);
  });
}

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
