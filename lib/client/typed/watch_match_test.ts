import assert from "node:assert/strict";
import { ConfigMap } from "@xca/apimachinery/meta";
import { ApiServer, clientOf } from "../../testing/mod.ts";

async function first<T>(events: AsyncIterable<T>): Promise<T | undefined> {
  for await (const event of events) return event;
  return undefined;
}

Deno.test("a watch may match only versions that are not older, with the initial events", async () => {
  using server = await ApiServer.start();
  using client = clientOf(server);
  await client.create(ConfigMap, { metadata: { name: "a", namespace: "default" } });
  const scope = { namespace: "default", fieldSelector: "metadata.name=a", timeoutSeconds: 1 };
  const initial = { ...scope, sendInitialEvents: true };
  const given = await first(
    client.watch(ConfigMap, { ...initial, resourceVersionMatch: "NotOlderThan" }),
  );
  assert.equal(given?.type, "ADDED");
  await assert.rejects(
    // @ts-expect-error The server refuses the value.
    first(client.watch(ConfigMap, { ...initial, resourceVersionMatch: "Exact" })),
    { code: 422, message: /Unsupported value: "Exact"/ },
  );
  const raw = client.raw(ConfigMap, { namespace: "default" });
  await assert.rejects(
    // @ts-expect-error The server refuses the value.
    raw.watch({ sendInitialEvents: true, resourceVersionMatch: "Exact" }),
    { code: 422 },
  );
  await assert.rejects(
    first(client.watch(ConfigMap, { ...scope, resourceVersionMatch: "NotOlderThan" })),
    { code: 422, message: /forbidden for watch unless sendInitialEvents is provided/ },
  );
});
