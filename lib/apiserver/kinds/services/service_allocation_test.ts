import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { ApiServer } from "../../server.ts";

Deno.test("Services that are created at once get addresses and node ports of their own", async () => {
  const { next } = seededRandom(1);
  let made = 0;
  // All UUIDs begin alike, so that the search for a free address begins at one place.
  const uuid = (): string =>
    `0a1b2c3d-0000-4000-8000-${(++made).toString(16).padStart(12, "0")}` as const;
  await using server = await ApiServer.start({ random: { next, uuid } });
  const post = async (path: string, body: unknown): Promise<Response> =>
    await server.fetch(
      new Request(`http://localhost${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  const names = Array.from({ length: 60 }, (_, index) => `web-${index}`);
  const answers = await Promise.all(names.map(async (name) => {
    const response = await post("/api/v1/namespaces/default/services", {
      metadata: { name },
      spec: { type: "NodePort", ports: [{ port: 80 }] },
    });
    return await response.json();
  }));
  assert.deepEqual(
    answers.filter(({ kind }) => kind !== "Service").map(({ message }) => message),
    [],
  );
  assert.equal(new Set(answers.map(({ spec }) => spec.clusterIP)).size, names.length);
  assert.equal(new Set(answers.map(({ spec }) => spec.ports[0].nodePort)).size, names.length);
});
