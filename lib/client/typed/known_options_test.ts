import assert from "node:assert/strict";
import { ConfigMap, Deployment } from "@xca/apimachinery/meta";
import { scriptedFetch } from "../../../tests/client/scripted_fetch.ts";
import { bindPod } from "../subresources/binding.ts";
import { evictPod } from "../subresources/eviction.ts";
import { type Scale, updateScale } from "../subresources/scale.ts";
import { getTable, listTable } from "../subresources/table.ts";
import { podLogs } from "../pods/pod_log.ts";
import { createClient } from "../create_client.ts";
import { requestToken, reviewToken, whoAmI } from "../subresources/token_request.ts";
import { intercept } from "../scoped/scoped_interceptor.ts";
import type { CallOptions } from "../calls/options.ts";
import type { Client } from "./client.ts";
import { mergePatch } from "./patch.ts";

const MAP = { metadata: { namespace: "default", name: "web" } };

type Verb = (client: Client, options: never) => Promise<unknown>;

const VERBS: Record<string, Verb> = {
  get: (client, options) => client.get(ConfigMap, "default/web", options),
  list: (client, options) => client.list(ConfigMap, options),
  pages: async (client, options) => await Array.fromAsync(client.pages(ConfigMap, options)),
  watch: async (client, options) => await Array.fromAsync(client.watch(ConfigMap, options)),
  create: (client, options) => client.create(ConfigMap, MAP, options),
  update: (client, options) => client.update(ConfigMap, MAP, options),
  updateStatus: (client, options) => client.updateStatus(ConfigMap, MAP, options),
  patch: (client, options) => client.patch(ConfigMap, "default/web", mergePatch({}), options),
  patchStatus: (client, options) =>
    client.patchStatus(ConfigMap, "default/web", mergePatch({}), options),
  apply: (client, options) => client.apply(ConfigMap, MAP, options),
  applyStatus: (client, options) => client.applyStatus(ConfigMap, MAP, options),
  delete: (client, options) => client.delete(ConfigMap, "default/web", options),
  deleteCollection: (client, options) => client.deleteCollection(ConfigMap, options),
  evictPod: (client, options) => evictPod(client, "default/web", options),
  bindPod: (client, options) => bindPod(client, "default/web", "node", options),
  updateScale: (client, options) =>
    updateScale(client, Deployment, { ...MAP, spec: { replicas: 1 } } as Scale, options),
};

for (const [name, verb] of Object.entries(VERBS)) {
  Deno.test(`an option that a call does not have is refused before a request: ${name}`, async () => {
    const { fetch, requests } = scriptedFetch();
    using client = createClient({ server: "https://a.example" }, { fetch });
    const misspelt = { namespace: undefined, lableSelector: "app=web" };
    await assert.rejects(verb(client, misspelt as never), {
      name: "TypeError",
      message:
        /^Cannot [a-z ]+ (configmaps\.v1|pods\.v1|deployments\.v1\.apps): there is no option lableSelector, only /,
    });
    await assert.rejects(
      verb(client, "default" as never),
      /its options must be an object, are of type string/,
    );
    assert.equal(requests.length, 0);
  });
}

const PATHS: Record<string, Verb> = {
  podLogs: (client, options) => podLogs(client, "default/web", options),
  listTable: (client, options) => listTable(client, ConfigMap, options),
  getTable: (client, options) => getTable(client, ConfigMap, "default/web", options),
  requestToken: (client, options) => requestToken(client, "default/web", options),
  reviewToken: (client, options) => reviewToken(client, "abc", options),
  whoAmI: (client, options) => whoAmI(client, options),
};

for (const [name, verb] of Object.entries({ ...VERBS, ...PATHS })) {
  Deno.test(`an interceptor reads the name of the caller, and no server: ${name}`, async () => {
    const urls: string[] = [];
    const sent: string[] = [];
    const callers: unknown[] = [];
    using server = createClient({ server: "https://a.example" }, {
      fetch: async (request) => {
        urls.push(request.url);
        sent.push(JSON.stringify([...request.headers]) + await request.text());
        return Response.json({ code: 403 }, { status: 403 });
      },
    });
    const client = intercept(server, {
      around: (call, next) => {
        const { options, request } = call as { options?: CallOptions; request?: CallOptions };
        callers.push((options ?? request)?.caller);
        return next(call);
      },
    });
    const namespace = name === "deleteCollection" ? { namespace: "default" } : {};
    await assert.rejects(verb(client, { caller: "me", ...namespace } as never), { code: 403 });
    assert.equal(urls.length, 1);
    assert.doesNotMatch(urls[0]!, /caller|me$/);
    assert.doesNotMatch(sent[0]!, /caller|"me"/);
    assert.deepEqual(callers, ["me"]);
  });
}

Deno.test("preconditions of a deletion that guard nothing are refused", async () => {
  const { fetch, requests } = scriptedFetch();
  using client = createClient({ server: "https://a.example" }, { fetch });
  const cases: [object, RegExp][] = [
    [{}, /neither a UID nor a resourceVersion/],
    [{ uid: undefined }, /neither a UID nor a resourceVersion/],
    [{ UID: "1" }, /there is no option preconditions\.UID, only preconditions\.uid, /],
  ];
  for (const [preconditions, message] of cases) {
    await assert.rejects(client.delete(ConfigMap, "default/web", { preconditions }), message);
    await assert.rejects(evictPod(client, "default/web", { preconditions }), message);
  }
  assert.equal(requests.length, 0);
});
