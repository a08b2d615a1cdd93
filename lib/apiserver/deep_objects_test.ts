import assert from "node:assert/strict";
import { ApiServer } from "./server.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const DEEPS = "/apis/example.org/v1/namespaces/default/deeps";
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const LOOSE = '"type":"object","x-kubernetes-preserve-unknown-fields":true';

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

function definition(plural: string, schema: string): string {
  const version =
    `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${schema}}}`;
  return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
    "metadata":{"name":"${plural}.example.org"},"spec":{"group":"example.org","scope":"Namespaced",
    "names":{"plural":"${plural}","kind":"${plural.toUpperCase()}"},"versions":[${version}]}}`;
}

const deep = (name: string, levels: number): string =>
  `{"apiVersion":"example.org/v1","kind":"DEEPS","metadata":{"name":"${name}"},"spec":${
    nested(levels)
  }}`;

/** A request with an object of a number of levels. */
interface DeepRequest {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly accept?: string;
  readonly body?: (levels: number) => string;
  /** Reports whether the request takes the levels that kube-apiserver takes. */
  readonly takesAll?: true;
}

const APPLY = "application/apply-patch+yaml";

const REQUESTS: Record<string, DeepRequest> = {
  "a creation": {
    method: "POST",
    path: DEEPS,
    body: (levels) => deep(`b${levels}`, levels - 1),
    takesAll: true,
  },
  "a creation by YAML": {
    method: "POST",
    path: DEEPS,
    type: "application/yaml",
    takesAll: true,
    body: (levels) =>
      `apiVersion: example.org/v1\nkind: DEEPS\nmetadata: {name: c${levels}}\nspec: ${
        nested(levels - 1).replaceAll(":", ": ")
      }\n`,
  },
  "a merge patch": {
    method: "PATCH",
    path: `${DEEPS}/a`,
    type: "application/merge-patch+json",
    body: (levels) => `{"spec":${nested(levels - 1)}}`,
  },
  "a JSON patch": {
    method: "PATCH",
    path: `${DEEPS}/a`,
    type: "application/json-patch+json",
    body: (levels) => `[{"op":"replace","path":"/spec","value":${nested(levels - 2)}}]`,
  },
  "an apply that creates": {
    method: "PATCH",
    path: `${DEEPS}/d?fieldManager=one`,
    type: APPLY,
    body: (levels) => deep("d", levels - 1),
  },
  "an apply that changes": {
    method: "PATCH",
    path: `${DEEPS}/a?fieldManager=two&force=true`,
    type: APPLY,
    body: (levels) => deep("a", levels - 1),
  },
  "a list": { method: "GET", path: DEEPS },
  "a list as YAML": { method: "GET", path: DEEPS, accept: "application/yaml" },
  "an indented list": { method: "GET", path: `${DEEPS}?pretty=true` },
  "a table": {
    method: "GET",
    path: `${DEEPS}?includeObject=Object`,
    accept: "application/json;as=Table;g=meta.k8s.io;v=v1",
  },
  "a definition with deep schemas": {
    method: "POST",
    path: `${CRDS}?dryRun=All`,
    body: (levels) => {
      const count = Math.floor(levels / 2) - 5;
      const schemas = `{"type":"object","properties":{"a":`.repeat(count);
      return definition("schemas", `${schemas}{"type":"string"}${"}}".repeat(count)}`);
    },
  },
  "a definition with a deep default": {
    method: "POST",
    path: `${CRDS}?dryRun=All`,
    body: (levels) => {
      const field = `{${LOOSE},"default":${nested(levels - 10)}}`;
      return definition("defaults", `{"type":"object","properties":{"x":${field}}}`);
    },
  },
  "an unknown field of a built-in kind": {
    method: "POST",
    path: CONFIG_MAPS,
    body: (levels) =>
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x${levels}"},"x":${
        nested(levels - 1)
      }}`,
  },
  "a deletion": { method: "DELETE", path: `${DEEPS}/a` },
};

async function call(
  server: ApiServer,
  { method, path, type = "application/json", accept = "application/json" }: DeepRequest,
  body?: string,
): Promise<{ code: number; text: string }> {
  const headers = { "content-type": type, accept };
  const request = new Request(`https://x${path}`, { method, headers, ...body && { body } });
  const answer = await server.fetch(request);
  return { code: answer.status, text: await answer.text() };
}

/** Starts a server with a kind whose objects have any fields, and an object with levels. */
async function serverWith(levels: number): Promise<ApiServer> {
  const server = await ApiServer.start({ controllers: false });
  const create = { method: "POST", path: CRDS };
  assert.equal((await call(server, create, definition("deeps", `{${LOOSE}}`))).code, 201);
  while ((await call(server, { method: "GET", path: DEEPS })).code !== 200);
  const made = await call(server, { method: "POST", path: DEEPS }, deep("a", levels - 1));
  assert.equal(made.code, 201);
  return server;
}

for (const [name, request] of Object.entries(REQUESTS)) {
  Deno.test(`${name} of 1000 levels succeeds, and one of 9990 succeeds or says what is too deep`, async () => {
    using server = await serverWith(1000);
    const { code, text } = await call(server, request, request.body?.(1000));
    assert.ok(code < 400, text.slice(0, 1000));
    if (!request.body) return;
    const deeper = await call(server, request, request.body(9990));
    assert.ok(!request.takesAll || deeper.code === 201, deeper.text.slice(0, 1000));
    if (deeper.code < 400) return;
    assert.equal(deeper.code, 400, deeper.text.slice(0, 1000));
    assert.match(JSON.parse(deeper.text).message, /^the object has more levels than this server/);
  });
}

Deno.test("an object of 10 000 levels is read, listed, watched and deleted", async () => {
  using server = await serverWith(10_000);
  const spec = nested(9_999);
  for (const path of [`${DEEPS}/a`, DEEPS]) {
    const { code, text } = await call(server, { method: "GET", path });
    assert.equal(code, 200);
    assert.ok(text.includes(`"spec":${spec}`), path);
  }
  const watch = new Request(`https://x${DEEPS}?watch=1&resourceVersion=0`);
  const reader = (await server.fetch(watch)).body!.pipeThrough(new TextDecoderStream()).getReader();
  assert.ok((await reader.read()).value!.includes(`"spec":${spec}`));
  await reader.cancel();
  assert.equal((await call(server, { method: "DELETE", path: `${DEEPS}/a` })).code, 200);
});

Deno.test("a body of more than 10 000 levels is refused, in JSON and in YAML", async () => {
  using server = await serverWith(2);
  for (const name of ["a creation", "a creation by YAML"]) {
    const create = REQUESTS[name]!;
    const { code, text } = await call(server, create, create.body!(10_001));
    assert.equal(code, 400);
    assert.match(JSON.parse(text).message, /invalid character '\{' exceeded max depth/, name);
  }
});

const POLICIES = "/apis/admissionregistration.k8s.io/v1";

/** Creates a policy for the custom objects, and its binding. */
async function policy(server: ApiServer, spec: Record<string, unknown>): Promise<void> {
  const matchConstraints = {
    resourceRules: [{
      apiGroups: ["example.org"],
      apiVersions: ["*"],
      operations: ["CREATE"],
      resources: ["deeps"],
    }],
  };
  const plural = "mutations" in spec ? "mutatingadmission" : "validatingadmission";
  const parts: Record<string, Record<string, unknown>> = {
    policies: { matchConstraints, failurePolicy: "Ignore", ...spec },
    policybindings: {
      policyName: "p",
      ...plural.startsWith("v") && { validationActions: ["Deny"] },
    },
  };
  for (const [part, spec] of Object.entries(parts)) {
    const create = { method: "POST", path: `${POLICIES}/${plural}${part}` };
    const { code, text } = await call(
      server,
      create,
      JSON.stringify({ metadata: { name: "p" }, spec }),
    );
    assert.equal(code, 201, text);
  }
}

const SPECS: Record<string, Record<string, unknown>> = {
  "a JSON patch of a policy": {
    reinvocationPolicy: "Never",
    mutations: [{
      patchType: "JSONPatch",
      jsonPatch: { expression: '[JSONPatch{op: "add", path: "/copy", value: object.spec}]' },
    }],
  },
  "an apply configuration of a policy": {
    reinvocationPolicy: "Never",
    mutations: [{
      patchType: "ApplyConfiguration",
      applyConfiguration: { expression: "Object{copy: dyn(object.spec)}" },
    }],
  },
  "an expression of a policy": {
    validations: [{ expression: "[object.spec] == [object.spec]" }],
  },
};

for (const [name, spec] of Object.entries(SPECS)) {
  Deno.test(`${name} with too many levels refuses the object, even where failures are ignored`, async () => {
    using server = await serverWith(2);
    await policy(server, spec);
    const create = REQUESTS["a creation"]!;
    for (const levels of [900, 4000, 5000, 6000, 7000, 8000, 9000, 9900]) {
      const { code, text } = await call(server, create, create.body!(levels));
      if (levels === 900) assert.equal(code, 201, text.slice(0, 1000));
      if (code === 201) {
        assert.equal("mutations" in spec, "copy" in JSON.parse(text), `${levels} levels`);
        continue;
      }
      assert.equal(code, 400, `${levels} levels: ${text.slice(0, 1000)}`);
      assert.match(JSON.parse(text).message, /^the object has more levels than this server/);
    }
  });
}
