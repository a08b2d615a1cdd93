import assert from "node:assert/strict";
import { ApiServer } from "../../server.ts";
import { call } from "../../../../tests/support/in_process/call_server.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const QUOTAS = "/api/v1/namespaces/default/resourcequotas";

async function grant(server: ApiServer, configmaps: string): Promise<void> {
  const hard = { configmaps };
  await call(server, "POST", QUOTAS, { metadata: { name: "q" }, spec: { hard } });
  const status = { hard, used: { configmaps: "0" } };
  await call(server, "PATCH", `${QUOTAS}/q/status`, { status });
}

const map = (name: string): unknown => ({ metadata: { name } });

Deno.test("concurrent writes do not exceed a quota", async () => {
  await using server = await ApiServer.start({ controllers: false });
  await grant(server, "3");
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => call(server, "POST", MAPS, map(`m${index}`))),
  );
  assert.equal(answers.filter(({ code }) => code === 201).length, 3);
  assert.equal(answers.filter(({ code }) => code === 403).length, 7);
  const { body } = await call(server, "GET", `${QUOTAS}/q`);
  assert.deepEqual(body.status.used, { configmaps: "3" });
});

Deno.test("a deleted quota limits nothing, and a restored one limits again", async () => {
  await using server = await ApiServer.start({ controllers: false });
  await grant(server, "0");
  const snapshot = server.snapshot();
  assert.equal((await call(server, "POST", MAPS, map("a"))).code, 403);
  await call(server, "DELETE", `${QUOTAS}/q`);
  assert.equal((await call(server, "POST", MAPS, map("a"))).code, 201);
  server.restore(snapshot, "keep");
  assert.equal((await call(server, "POST", MAPS, map("a"))).code, 403);
});
