import assert from "node:assert/strict";
import { ApiServer } from "../../server.ts";

const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
const THINGS = "/apis/example.com/v1/namespaces/default/things";

async function post(
  server: ApiServer,
  path: string,
  body: unknown,
  // deno-lint-ignore no-explicit-any -- the body of an answer.
): Promise<{ code: number; body: any }> {
  const response = await server.fetch(
    new Request(`https://server.invalid${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
    }),
  );
  return { code: response.status, body: await response.json() };
}

const SPEC = {
  type: "object",
  properties: {
    size: { type: "integer" },
    color: { type: "string", default: "red" },
    ratio: { type: "number" },
    parts: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string" }, count: { type: "integer" } },
      },
    },
    words: { type: "array", items: { type: "string" } },
  },
};

/**
 * Runs a test on a server with a custom kind, which has two versions, and a mutating policy for its
 * objects in v1.
 */
async function withPolicy(
  mutation: string | { readonly jsonPatch: string },
  run: (server: ApiServer) => Promise<void>,
): Promise<void> {
  await using server = await ApiServer.start({ controllers: false });
  const version = {
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: "object", properties: { spec: SPEC } } },
  };
  const versions = [version, { ...version, name: "v2", storage: false }];
  const names = { plural: "things", kind: "Thing" };
  await post(server, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: "things.example.com" },
    spec: { group: "example.com", scope: "Namespaced", names, versions },
  });
  const rule = {
    apiGroups: ["example.com"],
    apiVersions: ["v1"],
    operations: ["CREATE"],
    resources: ["things"],
  };
  const made = await post(server, `${ADMISSION}/mutatingadmissionpolicies`, {
    metadata: { name: "p" },
    spec: {
      reinvocationPolicy: "Never",
      matchConstraints: { resourceRules: [rule] },
      mutations: [
        typeof mutation === "string"
          ? { patchType: "ApplyConfiguration", applyConfiguration: { expression: mutation } }
          : { patchType: "JSONPatch", jsonPatch: { expression: mutation.jsonPatch } },
      ],
    },
  });
  assert.equal(made.code, 201, JSON.stringify(made.body));
  await post(server, `${ADMISSION}/mutatingadmissionpolicybindings`, {
    metadata: { name: "b" },
    spec: { policyName: "p" },
  });
  await run(server);
}

const thing = (spec: unknown): unknown => ({
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name: "a" },
  spec,
});

Deno.test("an apply configuration merges into a custom resource by its schema", () =>
  withPolicy(
    'Object{spec: Object.spec{size: 2, parts: [Object.spec.parts{name: "b", count: 2}]}}',
    async (server) => {
      const { code, body } = await post(
        server,
        THINGS,
        thing({ parts: [{ name: "a" }, { name: "b" }] }),
      );
      assert.equal(code, 201, JSON.stringify(body));
      assert.deepEqual(body.spec, {
        size: 2,
        color: "red",
        parts: [{ name: "a" }, { name: "b", count: 2 }],
      });
    },
  ));

Deno.test("an apply configuration has only fields of the custom resource's schema", () =>
  withPolicy("Object{spec: Object.spec{none: 1}}", async (server) => {
    const { code, body } = await post(server, THINGS, thing({}));
    assert.equal(code, 403);
    assert.match(body.message, /\.spec\.none: field not declared in schema$/);
  }));

Deno.test("an apply configuration must not set an atomic list", () =>
  withPolicy('Object{spec: Object.spec{words: ["a"]}}', async (server) => {
    const { code, body } = await post(server, THINGS, thing({}));
    assert.equal(code, 403);
    assert.match(body.message, /may not mutate atomic arrays, maps or structs: \.spec\.words$/);
  }));

for (const [expression, shown] of [["0.0 / 0.0", "NaN"], ["-1.0 / 0.0", "-Inf"]] as const) {
  Deno.test(`an apply configuration with the number ${shown}, which JSON lacks, fails the write`, () =>
    withPolicy(`Object{spec: Object.spec{ratio: ${expression}}}`, async (server) => {
      const { code, body } = await post(server, THINGS, thing({}));
      assert.deepEqual([code, body.message], [500, `json: unsupported value: ${shown}`]);
    }));
}

function versionPatch(apiVersion: string): { readonly jsonPatch: string } {
  return {
    jsonPatch: `[
      JSONPatch{op: "replace", path: "/apiVersion", value: "${apiVersion}"},
      JSONPatch{op: "add", path: "/spec/size", value: 3}
    ]`,
  };
}

Deno.test("a patch of a custom object to another served version is converted back", () =>
  withPolicy(versionPatch("example.com/v2"), async (server) => {
    const { code, body } = await post(server, THINGS, thing({}));
    assert.equal(code, 201, JSON.stringify(body));
    assert.equal(body.apiVersion, "example.com/v1");
    assert.deepEqual(body.spec, { size: 3, color: "red" });
  }));

Deno.test("a patch of a custom object to a version that is not served is refused", () =>
  withPolicy(versionPatch("example.com/v3"), async (server) => {
    assert.equal((await post(server, THINGS, thing({}))).code, 500);
  }));

Deno.test("a patch with control characters is refused as by Go, whose quotes are no JSON", async (t) => {
  const messages = {
    'op: "add", path: "/spec/a\\u0001", value: 1':
      "add operation failed to decode path: missing value",
    'op: "replace", path: "/spec/a\\u0001", value: 1':
      "replace operation failed to decode path: invalid character 'x' in string escape code",
    'op: "copy", from: "/spec/\\u0007", path: "/spec/size"':
      "copy operation failed to decode from: invalid character 'a' in string escape code",
    'op: "remove", path: "/spec/a\\nb"':
      "error in remove for path: '/spec/a\nb': Unable to remove nonexistent key: a\nb: missing value",
  };
  for (const [operation, message] of Object.entries(messages)) {
    await t.step(
      operation,
      () =>
        withPolicy({ jsonPatch: `[JSONPatch{${operation}}]` }, async (server) => {
          const { code, body } = await post(server, THINGS, thing({}));
          assert.equal(code, 403);
          assert(body.message.endsWith(`denied request: JSON Patch: ${message}`), body.message);
        }),
    );
  }
});
