/** Tests of {@linkcode AdmitOptions}: the check of a write in the step that sends it. */
import assert from "node:assert/strict";
import { ConfigMap, Deployment } from "@xca/apimachinery/meta";
import { answer, RawServer } from "../../../tests/client/raw_server.ts";
import { refusal, scriptedFetch } from "../../../tests/client/scripted_fetch.ts";
import { FakeClock } from "../../testing/fake_clock.ts";
import { createClient } from "../create_client.ts";
import { bindPod, dryRunOnly, evictPod, mergePatch, updateScale } from "../mod.ts";
import type { Client } from "../typed/client.ts";

const KEY = "default/a";
const map = { metadata: { namespace: "default", name: "a", resourceVersion: "1" } };

/** Returns every write method of a client, with `admit` among its options. */
function writes(client: Client, admit: () => void): Record<string, () => Promise<unknown>> {
  const patch = mergePatch<typeof map>({ metadata: {} });
  return {
    create: () => client.create(ConfigMap, map, { admit }),
    update: () => client.update(ConfigMap, map, { admit }),
    updateStatus: () => client.updateStatus(ConfigMap, map, { admit }),
    patch: () => client.patch(ConfigMap, KEY, patch, { admit }),
    patchStatus: () => client.patchStatus(ConfigMap, KEY, patch, { admit }),
    apply: () => client.apply(ConfigMap, map, { admit, fieldManager: "test" }),
    applyStatus: () => client.applyStatus(ConfigMap, map, { admit, fieldManager: "test" }),
    delete: () => client.delete(ConfigMap, KEY, { admit }),
    deleteCollection: () => client.deleteCollection(ConfigMap, { namespace: "default", admit }),
    bindPod: () => bindPod(client, KEY, "node", { admit }),
    evictPod: () => evictPod(client, KEY, { admit }),
    updateScale: () =>
      updateScale(client, Deployment, { ...map, spec: { replicas: 1 } }, { admit }),
    request: () => client.request({ method: "POST", path: "/api/v1/x", admit }),
    requestJson: () => client.requestJson({ method: "POST", path: "/api/v1/x", admit }),
  };
}

Deno.test("admit: a refused write reaches no server, by whichever call, and its error comes back", async () => {
  await using server = new RawServer((_, wire) => wire.send(answer("{}")));
  using client = createClient({ server: server.url });
  const refused = new Error("not the leader");
  const refuse = (): never => {
    throw refused;
  };
  for (const each of [client, dryRunOnly(client)]) {
    for (const [name, write] of Object.entries(writes(each, refuse))) {
      await assert.rejects(write(), (error) => error === refused, name);
    }
  }
  assert.deepEqual(server.requests, []);
});

Deno.test("admit: an admitted write is checked once, in the step that hands it to the network", async () => {
  const { fetch, requests } = scriptedFetch(Response.json({ kind: "ConfigMap", ...map }));
  let stepsSinceCheck: number | undefined;
  using client = createClient({ server: "https://example.invalid" }, {
    fetch: (request) => {
      assert.equal(stepsSinceCheck, 0, "something ran between the check and the send");
      return fetch(request);
    },
  });
  let checks = 0;
  await client.update(ConfigMap, map, {
    admit: () => {
      checks++;
      stepsSinceCheck = 0;
      queueMicrotask(() => stepsSinceCheck = 1);
    },
  });
  assert.equal(checks, 1);
  assert.equal(requests.length, 1);
});

Deno.test("admit: each try is checked, and a refusal ends the tries", async () => {
  const clock = new FakeClock();
  const { fetch, requests } = scriptedFetch(refusal(429, { retryAfter: 1 }));
  using client = createClient({ server: "https://example.invalid" }, { fetch, clock });
  let leads = true;
  const call = client.update(ConfigMap, map, {
    admit: () => {
      if (!leads) throw new Error("deposed");
    },
  });
  call.catch(() => {});
  await clock.settle();
  assert.equal(requests.length, 1);
  leads = false;
  await clock.advance(10_000);
  await assert.rejects(call, /^Error: deposed$/);
  assert.equal(requests.length, 1);
});

Deno.test("admit: a write that waited for its credentials is checked after the wait", async () => {
  const proof = Promise.withResolvers<readonly (readonly [string, string])[]>();
  const { fetch, requests } = scriptedFetch();
  using client = createClient({ server: "https://example.invalid" }, {
    fetch,
    credentials: {
      headers: () => proof.promise as never,
      onUnauthorized: () => Promise.resolve(false),
    },
  });
  let leads = true;
  const call = client.delete(ConfigMap, KEY, {
    admit: () => {
      if (!leads) throw new Error("deposed");
    },
  });
  leads = false;
  proof.resolve([["Authorization", "Bearer abc"]]);
  await assert.rejects(call, /deposed/);
  assert.deepEqual(requests, []);
});
