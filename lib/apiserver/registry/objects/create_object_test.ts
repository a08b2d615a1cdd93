import assert from "node:assert/strict";
import { ApiServer } from "../../server.ts";

const NAMESPACE = "/namespaces/default";

/** Sends an object to a server that creates it; returns the status of the response. */
async function createdBy(
  server: ApiServer,
  path: string,
  object: object,
  // deno-lint-ignore no-explicit-any
): Promise<any> {
  const response = await server.fetch(
    new Request(`https://server.invalid${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(object),
    }),
  );
  return await response.json();
}

Deno.test("an object with a generated name is refused for the same causes as one with a name", async () => {
  using server = await ApiServer.start({ controllers: false });
  const template = { metadata: { labels: {} }, spec: { containers: [{ name: "a", image: "a" }] } };
  const spec = { selector: { matchLabels: { a: "b" } }, template };
  const creations: readonly (readonly [string, object])[] = [
    [`/apis/apps/v1${NAMESPACE}/replicasets`, { spec }],
    [`/apis/apps/v1${NAMESPACE}/deployments`, { spec }],
    [`/apis/apps/v1${NAMESPACE}/daemonsets`, { spec }],
    ["/api/v1/persistentvolumes", {
      spec: { capacity: {}, accessModes: ["ReadWriteOnce"], hostPath: { path: "/a" } },
    }],
  ];
  for (const [path, object] of creations) {
    const named = await createdBy(server, path, { metadata: { name: "a" }, ...object });
    const generated = await createdBy(server, path, { metadata: { generateName: "a" }, ...object });
    assert.equal(named.code, 422);
    assert.deepEqual(generated.details.causes, named.details.causes);
  }
});
