import assert from "node:assert/strict";
import type { Client } from "../../client/typed/client.ts";
import type { RawResource } from "../../client/raw/raw.ts";
import { listWatch } from "./list_watch.ts";
import { Thing } from "../reflector/reflector_fakes_test.ts";

/** Returns a client that records the calls of its raw access. */
function recorder(): { client: Pick<Client, "raw">; calls: unknown[] } {
  const calls: unknown[] = [];
  const raw: RawResource = {
    list: (query, _onItems, options) => {
      calls.push(["list", query, options?.retry]);
      return Promise.resolve({ metadata: {} });
    },
    watch: (query, options) => {
      calls.push(["watch", query, options?.idleTimeoutMs]);
      return Promise.resolve((async function* () {})());
    },
  };
  const client: Pick<Client, "raw"> = {
    raw: (type, options) => {
      calls.push(["raw", type.id, options]);
      return raw;
    },
  };
  return { client, calls };
}

const { signal } = new AbortController();

Deno.test("listWatch() selects one namespace and sends both selectors, in lists and watches alike", async () => {
  const { client, calls } = recorder();
  const source = listWatch(client, Thing, {
    namespace: "team",
    labelSelector: "app=web",
    fieldSelector: "metadata.name=a",
  });
  await source.list({ limit: 5 }, () => {}, { signal });
  await source.watch({ resourceVersion: "1" }, { signal, idleTimeoutMs: 9 });
  const selectors = { labelSelector: "app=web", fieldSelector: "metadata.name=a" };
  assert.deepEqual(calls, [
    ["raw", Thing.id, { namespace: "team" }],
    ["list", { limit: 5, ...selectors }, false],
    ["watch", { resourceVersion: "1", ...selectors }, 9],
  ]);
});

Deno.test("listWatch() requests everything without selectors", async () => {
  const { client, calls } = recorder();
  await listWatch(client, Thing, { namespace: "", labelSelector: "" })
    .list({}, () => {}, { signal });
  assert.deepEqual(calls, [["raw", Thing.id, {}], ["list", {}, false]]);
});
