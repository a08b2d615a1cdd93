import assert from "node:assert/strict";
import { ConfigMap, type KubeObject, type UnstructuredObject } from "@xca/apimachinery/meta";
import { scriptedFetch } from "../../../tests/client/scripted_fetch.ts";
import { createClient } from "../create_client.ts";
import { dynamicClient } from "../dynamic_client.ts";
import { restClient } from "../rest/rest_builder.ts";
import type { Client } from "./client.ts";
import { applyPatch, jsonPatch, mergePatch, strategicPatch } from "./patch.ts";

const metadata = { name: "a", namespace: "n" };
// deno-lint-ignore no-explicit-any -- The types refuse objects of another kind.
type Any = any;

const WRITES: Record<string, (client: Client, more: Partial<KubeObject>) => Promise<unknown>> = {
  create: (client, more) => client.create(ConfigMap, { metadata, ...more } as Any),
  update: (client, more) => client.update(ConfigMap, { metadata, ...more } as Any),
  updateStatus: (client, more) => client.updateStatus(ConfigMap, { metadata, ...more } as Any),
  apply: (client, more) => client.apply(ConfigMap, { metadata, ...more } as Any),
  applyStatus: (client, more) => client.applyStatus(ConfigMap, { metadata, ...more } as Any),
  "patch with mergePatch": (client, more) => client.patch(ConfigMap, "n/a", mergePatch<Any>(more)),
  "patch with strategicPatch": (client, more) =>
    client.patch(ConfigMap, "n/a", strategicPatch<Any>(more)),
  "patch with applyPatch": (client, more) =>
    client.patch(ConfigMap, "n/a", applyPatch<Any>(more, { fieldManager: "m" })),
  patchStatus: (client, more) => client.patchStatus(ConfigMap, "n/a", mergePatch<Any>(more)),
  "patch of the REST client": (client, more) =>
    restClient(client).resource(ConfigMap).namespace("n").name("a").patch(applyPatch<Any>(more))
      .do(),
};

for (const [name, write] of Object.entries(WRITES)) {
  Deno.test(`an object of another kind or version is refused before any request: ${name}`, async () => {
    const { fetch, requests } = scriptedFetch();
    using client = createClient({ server: "https://a.example" }, { fetch });
    for (
      const [more, said] of [
        [{ kind: "Secret" }, /the kind of the object is "Secret", not "ConfigMap"/],
        [{ apiVersion: "apps/v1" }, /the apiVersion of the object is "apps\/v1", not "v1"/],
        [{ apiVersion: "v1", kind: "Secret" }, /the kind of the object is "Secret"/],
        [{ kind: 5 as unknown as string }, /the kind of the object is a number/],
      ] as const
    ) {
      await assert.rejects(write(client, more), (error) => {
        assert.ok(error instanceof TypeError, `${error}`);
        assert.match(error.message, /^Cannot [a-z ]+ configmaps\.v1: /);
        assert.match(error.message, said);
        return true;
      });
    }
    assert.equal(requests.length, 0);
  });

  Deno.test(`an object that states its own kind, or none, is written: ${name}`, async () => {
    for (const more of [{}, { kind: "ConfigMap" }, { apiVersion: "v1", kind: "ConfigMap" }]) {
      const answer = { apiVersion: "v1", kind: "ConfigMap", metadata };
      const { fetch, requests } = scriptedFetch(Response.json(answer));
      using client = createClient({ server: "https://a.example" }, { fetch });
      await write(client, more);
      assert.equal(requests.length, 1);
    }
  });
}

Deno.test("a dynamic resource without a kind takes objects of any kind, and a JSON patch is not read", async () => {
  const object = { apiVersion: "v1", kind: "Other", metadata } as UnstructuredObject;
  const { fetch, requests } = scriptedFetch(Response.json(object), Response.json({ metadata }));
  using client = createClient({ server: "https://a.example" }, { fetch });
  await dynamicClient(client).resource({ group: "", version: "v1", plural: "others" })
    .create(object);
  await client.patch(ConfigMap, "n/a", jsonPatch([{ op: "add", path: "/kind", value: "Secret" }]));
  assert.equal(requests.length, 2);
});

Deno.test("an apply of the REST client gets apiVersion, kind and name where the type is known", async () => {
  const answers = Array.from({ length: 6 }, () => Response.json({ metadata }));
  const { fetch, requests } = scriptedFetch(...answers);
  using client = createClient({ server: "https://a.example" }, { fetch });
  const apply = applyPatch<Any>({ data: { a: "1" } }, { fieldManager: "m" });
  const named = restClient(client).namespace("n").name("a");
  await named.patch(apply).resource(ConfigMap).do();
  await named.resource(ConfigMap).patch(apply).do();
  await named.resource(ConfigMap).patch(apply).subresource("status").do();
  await named.resource(ConfigMap).patch(apply).subresource("scale").do();
  await named.resource("configmaps").patch(apply).do();
  await named.resource(ConfigMap).patch(apply).body("{}", "application/apply-patch+yaml").do();
  const whole = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a" },
    data: { a: "1" },
  };
  const bare = { data: { a: "1" } };
  assert.deepEqual(
    requests.map(({ body }) => JSON.parse(body)),
    [whole, whole, whole, bare, bare, {}],
  );
  assert.ok(
    requests.every(({ headers }) => headers.get("content-type") === "application/apply-patch+yaml"),
  );
});
